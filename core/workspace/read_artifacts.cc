// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/read_artifacts.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/formats/etdump/dump_in_log.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/workspace/check_kind.h"
#include "core/workspace/earlier_record.h"

namespace etlens {
namespace {

// And finds the file about the run, which has the hash of the dump's bytes.
Result<std::shared_ptr<const EventLog>> load_log(const FileSystem& files, const std::string& path,
                                                 const CancelToken& cancel, LoadReport& report,
                                                 std::shared_ptr<RunCheck>& run) {
  Result<FileKind> kind = check_kind(files, path, FileKind::EtDump);
  if (!kind) return std::move(kind).error().about(path);
  Result<Bytes> bytes = read_etdump_file(files, path);
  if (!bytes) return std::move(bytes).error().about(path);
  run = find_run(files, path, *bytes, report);
  std::string place;  // of the dump in a log
  if (*kind == FileKind::Other) {
    if (std::optional<DumpInLog> found = find_dump_in_log(bytes->text())) {
      place = fmt::format("line {} of {}", found->line, base_name(path));
      if (found->dumps > 1) place += fmt::format(", the last of {} dumps", found->dumps);
      *bytes = std::move(found->dump);
    }
  }
  Result<EventLog> log = read_etdump(*bytes, cancel);
  if (!log) return std::move(log).error().about(path);
  if (!place.empty()) log->report.add(Oddity::DumpInLog, place);
  return std::shared_ptr<const EventLog>(std::make_shared<EventLog>(std::move(*log)));
}

Result<std::shared_ptr<const EventLog>> log_of(const FileSystem& files, const LoadRequest& request,
                                               const CancelToken& cancel, LoadReport& report,
                                               std::shared_ptr<RunCheck>& run) {
  if (request.read_ahead) {
    if (std::shared_ptr<const EventLog> log = request.read_ahead->take_log(files, request.etdump))
      return log;
  }
  return load_log(files, request.etdump, cancel, report, run);
}

Result<EtRecord> record_of(const FileSystem& files, const LoadRequest& request,
                           const CancelToken& cancel) {
  // Reasons of a partitioner are about the graph that it saw.
  if (request.etdump.empty())
    return read_record(files, request.etrecord, request.backends, cancel,
                       EdgeGraphs::AsPartitioned);
  if (request.read_ahead) {
    set_error_subject(request.etrecord);
    if (std::optional<EtRecord> record = request.read_ahead->take_record(files, request.etrecord))
      return *std::move(record);
  }
  return read_record(files, request.etrecord, request.backends, cancel);
}

Result<void> add_record(const FileSystem& files, const LoadRequest& request,
                        const CancelToken& cancel, Artifacts& artifacts) {
  artifacts.record_stamp = files.stat(request.etrecord).value_or(FileStamp{});
  if (take_earlier_record(files, request, artifacts)) {
    if (request.read_ahead) request.read_ahead->clear();
    return {};
  }
  Result<EtRecord> record = record_of(files, request, cancel);
  if (!record) return std::move(record).error();
  if (const auto wanted = recovery_of(request, request.source_files)) {
    Result<std::shared_ptr<const RecordRecovery>> recovery =
        recover_record(files, *wanted, *record, cancel);
    if (!recovery) return std::move(recovery).error();
    artifacts.recovery = std::move(*recovery);
  }
  artifacts.record = std::make_shared<const EtRecord>(std::move(*record));
  return {};
}

// Whether record and program are those of the run. The hashes of an earlier load stand.
void compare_with_run(const FileSystem& files, const LoadRequest& request, RunCheck& run) {
  const RunCheck* earlier = request.earlier ? request.earlier->run.get() : nullptr;
  if (!request.etrecord.empty()) {
    const bool is_same = earlier != nullptr && request.earlier->etrecord_path == request.etrecord;
    run.record = compare_with_run(files, request.etrecord, run.run.record.value,
                                  is_same ? &earlier->record_file : nullptr, run.record_file);
  }
  if (request.pte.empty()) return;
  const Result<Bytes> front = files.read_range(request.pte, 0, kKindBytes);
  if (!front || file_kind(front->span()) != FileKind::Program) return;  // inside of another file
  const bool is_same = earlier != nullptr && request.earlier->pte_path == request.pte;
  run.program = compare_with_run(files, request.pte, run.run.program.value,
                                 is_same ? &earlier->program_file : nullptr, run.program_file);
}

// A program that is there but cannot be read is no reason to show nothing.
Result<void> load_program(const FileSystem& files, const LoadRequest& request,
                          const CancelToken& cancel, Artifacts& artifacts) {
  const std::string& path = request.pte;
  set_error_subject(path);
  if (request.read_ahead) {
    if (std::optional<EtProgram> program = request.read_ahead->take_program(files, path)) {
      artifacts.program = std::make_shared<EtProgram>(*std::move(program));
      return {};
    }
  }
  Result<FileKind> kind = check_kind(files, path, FileKind::Program);
  if (!kind) return std::move(kind).error().about(path);
  Result<EtProgram> program = within_budget(
      cancel, [&] { return read_program(files, path, cancel); }, BudgetShare::Half);
  if (program) {
    artifacts.program = std::make_shared<EtProgram>(std::move(*program));
    return {};
  }
  const ErrorCode code = program.error().code;
  if (code == ErrorCode::Io || code == ErrorCode::NotFound || code == ErrorCode::Cancelled) {
    return std::move(program).error();
  }
  artifacts.report.add(Oddity::ProgramUnreadable, std::move(program).error().about(path).message);
  return {};
}

}  // namespace

Result<EtRecord> read_record(const FileSystem& files, const std::string& path,
                             const Backends& backends, const CancelToken& cancel,
                             EdgeGraphs graphs) {
  set_error_subject(path);
  Result<FileKind> kind = check_kind(files, path, FileKind::EtRecord);
  if (!kind) return std::move(kind).error().about(path);
  Result<EtRecord> record = read_etrecord(files, path, cancel, payload_decoder(backends), graphs);
  if (!record) return std::move(record).error().about(path);
  return record;
}

std::string names_of(const LoadRequest& request) {
  const std::string& first = request.etdump.empty() ? request.pte : request.etdump;
  if (first.empty() || request.etrecord.empty()) return first + request.etrecord;
  return first + " with " + request.etrecord;
}

Result<Artifacts> read_artifacts(const FileSystem& files, const LoadRequest& request,
                                 const CancelToken& cancel) {
  Artifacts artifacts;
  artifacts.backends = request.backends;
  artifacts.log = std::make_shared<const EventLog>();  // of an export that has not run
  if (!request.etdump.empty()) {
    std::shared_ptr<RunCheck> run;
    Result<std::shared_ptr<const EventLog>> log =
        log_of(files, request, cancel, artifacts.report, run);
    if (!log) return std::move(log).error();
    artifacts.log = std::move(*log);
    if (run) compare_with_run(files, request, *run);
    artifacts.run = std::move(run);
  }
  if (!request.etrecord.empty()) {
    if (Result<void> record = add_record(files, request, cancel, artifacts); !record)
      return std::move(record).error();
  }
  if (artifacts.run && artifacts.run->program == HashVerdict::Differs) {
    artifacts.report.add(Oddity::ProgramDiffers,
                         other_program_sentence(*artifacts.run, request.pte));
  } else if (!request.pte.empty()) {
    if (Result<void> program = load_program(files, request, cancel, artifacts); !program) {
      return std::move(program).error();
    }
  }
  set_error_subject(names_of(request));
  artifacts.trees = build_event_trees(*artifacts.log, artifacts.backends);
  artifacts.blocks = group_blocks(*artifacts.log, artifacts.trees);
  return artifacts;
}

}  // namespace etlens
