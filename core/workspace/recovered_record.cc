// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/recovered_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/library_frame.h"
#include "core/recover/apply.h"

namespace etlens {
namespace {

using RecoveryPointer = std::shared_ptr<const RecordRecovery>;

std::vector<bool> project_files(const EtRecord& record, const std::vector<std::string>& globs) {
  std::unordered_set<StringId> known;
  std::vector<bool> is_project(record.strings.size());
  for (const Frame& frame : record.frames) {
    if (known.insert(frame.file).second)
      is_project[frame.file.value] = !is_library_file(record.text(frame.file), globs);
  }
  return is_project;
}

// Says what is still lost instead of what the reader said.
void note_recovery(const RecordRecovery& recovery, EtRecord& record) {
  record.report.remove(Oddity::RecordNonStrict);
  record.report.add(Oddity::RecordLinesRecovered, counted(recovery.placed, "node"),
                    recovery.placed);
  for (const UnrecoveredCall& call : recovery.unrecovered) {
    const std::string where = call.module.empty() ? "the model" : call.module;
    record.report.add(
        Oddity::RecordNonStrict,
        fmt::format("{} in {} ({})", counted(call.nodes.size(), "node"), where, name_of(call.why)),
        call.nodes.size());
  }
}

Result<RecoveryPointer> recover(const FileSystem& files, const RecoveryRequest& request,
                                EtRecord& record, const CancelToken& cancel) {
  const std::vector<bool> is_project = project_files(record, request.library_frames);
  RecordSources sources(files, request.search, record, is_project, cancel);
  if (!sources.found_any()) return RecoveryPointer();
  const ReadSource read = [&](std::string_view path) { return sources.read(path); };
  // All before any is applied: a record with frames of helpers is one that lost nothing.
  std::vector<Recovery> found;
  for (const RecordMethod& method : record.methods) {
    if (method.edge.valid()) found.push_back(recover_lines(record, method.edge, is_project, read));
  }
  auto result = std::make_shared<RecordRecovery>();
  for (Recovery& of_method : found) {
    result->placed += apply_recovery(record, is_project, of_method, read);
    for (UnrecoveredCall& call : of_method.unrecovered)
      result->unrecovered.push_back(std::move(call));
  }
  const bool has_source =
      result->placed > 0 || result->unrecovered.empty() ||
      std::any_of(result->unrecovered.begin(), result->unrecovered.end(),
                  [](const UnrecoveredCall& call) { return call.why != NotRecovered::NoSource; });
  if (!has_source || sources.known().empty()) return RecoveryPointer();
  result->sources = sources.known();
  result->parsed = sources.parsed();
  result->stamps = sources.stamps();
  result->is_whole = sources.is_whole();
  note_recovery(*result, record);
  return RecoveryPointer(std::move(result));
}

}  // namespace

std::shared_ptr<const PythonSyntax> RecordRecovery::syntax_of(const std::string& path,
                                                              const Document& document) const {
  const auto at = parsed.find(path);
  if (at == parsed.end() || at->second->document().text() != document.text()) return nullptr;
  return at->second;
}

bool lost_nothing(const EtRecord& record) {
  return record.report.find(Oddity::RecordNonStrict) == nullptr;
}

bool is_current(const RecordRecovery& recovery, const FileSystem& files) {
  return recovery.is_whole && is_current(recovery.stamps, files);
}

Result<RecoveryPointer> recover_record(const FileSystem& files, const RecoveryRequest& request,
                                       EtRecord& record, const CancelToken& cancel) {
  if (lost_nothing(record)) return RecoveryPointer();
  const FileSystem& sources = request.source_files ? *request.source_files : files;
  Result<RecoveryPointer> recovery = within_budget(
      cancel, [&] { return recover(sources, request, record, cancel); }, BudgetShare::Half);
  if (recovery || recovery.error().code == ErrorCode::Cancelled) return recovery;
  return RecoveryPointer();
}

}  // namespace etlens
