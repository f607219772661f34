// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/bundle.h"

#include "core/bundle/binary_texts.h"
#include "core/bundle/bundled_program_bytes.h"
#include "core/bundle/bundled_record.h"
#include "core/bundle/renamer.h"
#include "core/formats/etdump/etdump_reader.h"

namespace etlens {
namespace {

struct Originals {
  Bytes dump;
  std::vector<RecordMember> record;
  SparseBytes program;
};

std::span<uint8_t> bytes_of(std::string& text) {
  return {reinterpret_cast<uint8_t*>(text.data()), text.size()};
}
std::span<uint8_t> bytes_of(Bytes& bytes) { return {bytes.data(), bytes.size()}; }

// The dump as it is read, for comparing; an empty one without a dump.
Result<EventLog> read_dump(const Bytes& dump) {
  return dump.empty() ? EventLog() : read_etdump(dump);
}

// Times are bytes, too, and may have the form of a text.
bool has_same_numbers(const EventLog& before, const EventLog& after) {
  return before.start == after.start && before.end == after.end &&
         before.runs.size() == after.runs.size() && before.strings.size() == after.strings.size();
}

// All words are seen before the first is replaced, so that no replacement is a word of the originals.
Result<void> redact(Originals& originals, Renamer& names) {
  const Result<EventLog> log = read_dump(originals.dump);
  if (!log) return log.error();
  const IsText is_of_dump = [&](std::string_view text) { return log->strings.find(text).valid(); };
  const auto see = [&](std::string_view text) { names.see(text); };
  see_binary_texts(bytes_of(originals.dump), see, is_of_dump);
  for (auto& [offset, bytes] : originals.program.pieces()) see_binary_texts(bytes_of(bytes), see);
  if (Result<void> seen = see_record(originals.record, names); !seen) return seen;
  if (Result<void> renamed = rename_record(originals.record, names); !renamed) return renamed;
  rename_binary(names, bytes_of(originals.dump), is_of_dump);
  const Result<EventLog> renamed_log = read_dump(originals.dump);
  if (!renamed_log || !has_same_numbers(*log, *renamed_log)) {
    return Error{
        ErrorCode::Unsupported,
        "its names cannot be replaced without changing its times; leave them in the bundle"};
  }
  for (auto& [offset, bytes] : originals.program.pieces()) rename_binary(names, bytes_of(bytes));
  return {};
}

Result<Originals> read_originals(const FileSystem& files, const BundleRequest& request,
                                 std::vector<std::string>& notes) {
  Originals originals;
  if (!request.etdump.empty()) {
    Result<Bytes> dump = read_etdump_file(files, request.etdump);
    if (!dump) return std::move(dump).error().about(request.etdump);
    originals.dump = std::move(*dump);
  }
  Result<SparseBytes> program =
      program_without_weights(files, request.pte, request.backends, notes);
  if (!program) return std::move(program).error();
  originals.program = std::move(*program);
  Result<std::vector<RecordMember>> record =
      record_without_weights(files, request.etrecord, request.backends);
  if (!record) return std::move(record).error();
  originals.record = std::move(*record);
  return originals;
}

}  // namespace

Result<Bundle> make_bundle(const FileSystem& files, const BundleRequest& request) {
  Bundle bundle;
  Result<Originals> originals = read_originals(files, request, bundle.notes);
  if (!originals) return std::move(originals).error();
  if (request.is_redacted) {
    Renamer names;
    if (Result<void> redacted = redact(*originals, names); !redacted)
      return std::move(redacted).error();
    bundle.replaced = names.replaced();
  }
  if (!originals->dump.empty())
    bundle.parts.push_back({"model.etdp", std::string(originals->dump.text())});
  if (!originals->record.empty()) {
    std::vector<ZipPart> members;
    for (RecordMember& member : originals->record)
      members.push_back({std::move(member.name), std::move(member.content)});
    Result<std::string> zip = zip_of(members, ZipMethod::Stored);
    if (!zip) return std::move(zip).error();
    bundle.parts.push_back({"model.etrecord", std::move(*zip)});
  }
  if (originals->program.size() > 0)
    bundle.parts.push_back({"model.pte", std::move(originals->program)});
  return bundle;
}

}  // namespace etlens
