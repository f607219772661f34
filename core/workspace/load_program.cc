// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load_program.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/foreign_file.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

Result<LoadedProgram> read_pair(const FileSystem& files, const LoadRequest& request,
                                const CancelToken& cancel) {
  const std::string& pte = request.pte;
  const std::string& etrecord = request.etrecord;
  LoadedProgram loaded;
  set_error_subject(pte);
  if (const Result<Bytes> front = files.read_range(pte, 0, kKindBytes)) {
    const FileKind kind = file_kind(front->span());
    if (std::optional<Error> foreign = foreign_file(files, pte, kind, FileKind::Program))
      return std::move(*foreign).about(pte);
  }
  Result<EtProgram> program = read_program(files, pte, cancel);
  if (!program) return std::move(program).error().about(pte);
  loaded.program = std::make_shared<const EtProgram>(std::move(*program));
  if (etrecord.empty()) return loaded;
  set_error_subject(etrecord);
  Result<EtRecord> record = read_etrecord(
      files, etrecord, cancel, payload_decoder(request.backends), EdgeGraphs::AsPartitioned);
  if (!record) return std::move(record).error().about(etrecord);
  if (const auto why = record_difference(*record, *loaded.program)) {
    return Error{ErrorCode::Unsupported, pte + " and " + etrecord + " do not belong together (" +
                                             *why +
                                             "); give the ETRecord of the "
                                             "export that made the program"};
  }
  if (const auto recovery = recovery_of(request, request.source_files)) {
    Result<std::shared_ptr<const RecordRecovery>> found =
        recover_record(files, *recovery, *record, cancel);
    if (!found) return std::move(found).error();
    loaded.recovery = std::move(*found);
  }
  loaded.record = std::make_shared<const EtRecord>(std::move(*record));
  return loaded;
}

}  // namespace

Result<LoadedProgram> load_program(const FileSystem& files, const LoadRequest& request,
                                   const CancelToken& cancel) {
  return within_budget(cancel, [&] { return read_pair(files, request, cancel); });
}

Result<LoadedProgram> load_program(const FileSystem& files, const std::string& pte,
                                   const std::string& etrecord, const CancelToken& cancel) {
  LoadRequest request;
  request.pte = pte;
  request.etrecord = etrecord;
  request.recovers = false;
  return load_program(files, request, cancel);
}

std::optional<size_t> find_method(const EtProgram& program, std::string_view name) {
  const std::vector<ProgramMethod>& methods = program.methods;
  const auto row_of = [&](std::string_view wanted) {
    return std::find_if(methods.begin(), methods.end(),
                        [&](const ProgramMethod& method) { return method.name == wanted; });
  };
  auto at = row_of(name.empty() ? "forward" : name);
  if (at == methods.end() && name.empty()) {
    // Methods that only return a constant have no instructions.
    at = std::find_if(methods.begin(), methods.end(),
                      [](const ProgramMethod& method) { return !method.instructions.empty(); });
    if (at == methods.end()) at = methods.begin();
  }
  if (at == methods.end()) return std::nullopt;
  return static_cast<size_t>(at - methods.begin());
}

Result<size_t> choose_method(const EtProgram& program, const std::string& name) {
  if (const std::optional<size_t> method = find_method(program, name)) return *method;
  if (program.methods.empty())
    return Error{ErrorCode::Unsupported, program.path + " has no method; export it again"};
  std::vector<std::string> names;
  for (const ProgramMethod& method : program.methods) names.push_back(method.name);
  return Error{ErrorCode::NotFound, fmt::format("{} has no method {}; it has {}", program.path,
                                                name, join(names, ", "))};
}

std::string find_record_of(const FileSystem& files, const std::vector<FoundArtifact>& found,
                           const std::string& pte, const CancelToken& cancel) {
  std::vector<const FoundArtifact*> records = partners(found, pte, FileKind::EtRecord);
  if (records.size() > kMaxScored) records.resize(kMaxScored);
  for (const FoundArtifact* record : records) {
    const Result<LoadedProgram> loaded = load_program(files, pte, record->path, cancel);
    if (loaded && !maps_nothing(*loaded->record)) return record->path;
  }
  return "";
}

}  // namespace etlens
