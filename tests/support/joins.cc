// SPDX-License-Identifier: Apache-2.0
#include "tests/support/joins.h"

#include <algorithm>
#include <utility>

#include "core/backend/payload_part.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "tests/support/memory_file_system.h"

namespace etlens::test {
namespace {

constexpr const char* kRecord = "/r.etrecord";
constexpr const char* kProgram = "/m.pte";

template <typename T>
std::shared_ptr<const T> or_fail(Result<T> result) {
  if (!result) FAIL(result.error().message);
  return std::make_shared<T>(std::move(*result));
}

std::shared_ptr<const EtRecord> record_at(const FileSystem& files, const std::string& path) {
  return or_fail(read_etrecord(files, path, {}, payload_decoder(built_in_backends())));
}

void use_program(const FileSystem& files, const std::string& path, AttributionRequest& request) {
  request.program = or_fail(read_program(files, path));
  request.read_payload = [&files, program = request.program](const ProgramDelegate& delegate) {
    return read_payload_part(files, *program, delegate, built_in_backends());
  };
}

void use_log(const Bytes& dump, AttributionRequest& request) {
  request.log = or_fail(read_etdump(dump));
  request.trees = build_event_trees(*request.log);
  request.blocks = group_blocks(*request.log, request.trees);
}

Join finish(AttributionRequest request, const SelectionRequest& wanted) {
  const Result<Selection> selection =
      select_block(*request.log, request.trees, request.blocks, request.record.get(), wanted);
  if (!selection) FAIL(selection.error().message);
  request.block = selection->block;
  if (selection->fit) {
    REQUIRE(selection->fit->verdict() != PairVerdict::Mismatch);
    request.method = selection->fit->method;
  }
  return attribute(std::move(request));
}

}  // namespace

AttributionRequest read_artifacts(const DumpBuilder& dump, const RecordBuilder& record) {
  MemoryFileSystem files;
  files.put(kRecord, record.build());
  AttributionRequest request;
  use_log(dump.build(), request);
  request.record = record_at(files, kRecord);
  return request;
}

AttributionRequest read_artifacts(const std::string& etdump, const std::string& etrecord,
                                  const std::string& pte) {
  const FileSystem& files = real_file_system();
  const Result<Bytes> dump = files.read(etdump);
  if (!dump) FAIL(dump.error().message);
  AttributionRequest request;
  use_log(*dump, request);
  request.record = record_at(files, etrecord);
  if (!pte.empty()) use_program(files, pte, request);
  return request;
}

Join join_of(const DumpBuilder& dump, const RecordBuilder& record, const JoinOptions& options) {
  AttributionRequest request = read_artifacts(dump, record);
  request.library_frames = options.library_frames;
  request.clock = options.clock;
  MemoryFileSystem files;
  if (!options.program.empty()) {
    files.put(kProgram, options.program);
    use_program(files, kProgram, request);
  }
  return finish(std::move(request), options.selection);
}

Join join_of(const DumpBuilder& dump) {
  AttributionRequest request;
  use_log(dump.build(), request);
  return finish(std::move(request), {});
}

std::vector<JoinedFiles> joins_of(const std::string& etdump, const std::string& etrecord,
                                  const std::string& pte) {
  AttributionRequest request = read_artifacts(etdump, etrecord, pte);
  std::vector<JoinedFiles> joined;
  for (size_t b = 0; b < request.blocks.size(); ++b) {
    if (!request.blocks[b].is_execution) continue;
    const std::vector<MethodFit> fits =
        fit_methods(*request.log, request.trees, request.blocks[b], *request.record);
    const auto best =
        std::max_element(fits.begin(), fits.end(),
                         [](const MethodFit& x, const MethodFit& y) { return x.score < y.score; });
    REQUIRE(best != fits.end());
    request.block = BlockId(b);
    request.method = best->method;
    joined.push_back({*best, attribute(request)});
  }
  return joined;
}

ContributionId find_event(const Join& join, std::string_view logged_name) {
  for (size_t e = 0; e < join.events.size(); ++e) {
    if (join.logged_name(ContributionId(e)) == logged_name) return ContributionId(e);
  }
  FAIL("no event " << logged_name);
  return {};
}

LineId find_line(const Join& join, uint32_t number) {
  const std::vector<CodeLine>& lines = join.code().lines;
  for (size_t l = 0; l < lines.size(); ++l) {
    if (lines[l].number == number) return LineId(l);
  }
  return {};
}

std::string name_of(const Join& join, NodeId node) {
  return node.valid() ? std::string(join.record->text(join.record->nodes[node.value].name)) : "";
}

std::vector<std::string> names_of(const Join& join, std::span<const NodeId> nodes) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) names.push_back(name_of(join, node));
  return names;
}

std::string trace_at(uint32_t line) {
  return stack_trace({{"/m/a.py", line, "forward", "line " + std::to_string(line)}}, true);
}

}  // namespace etlens::test
