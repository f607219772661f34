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

Result<std::shared_ptr<const EventLog>> load_log(const FileSystem& files, const std::string& path,
                                                 const CancelToken& cancel) {
  Result<FileKind> kind = check_kind(files, path, FileKind::EtDump);
  if (!kind) return std::move(kind).error().about(path);
  Result<Bytes> bytes = read_etdump_file(files, path);
  if (!bytes) return std::move(bytes).error().about(path);
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
                                               const CancelToken& cancel) {
  if (request.read_ahead) {
    if (std::shared_ptr<const EventLog> log = request.read_ahead->take_log(files, request.etdump))
      return log;
  }
  return load_log(files, request.etdump, cancel);
}

Result<EtRecord> record_of(const FileSystem& files, const LoadRequest& request,
                           const CancelToken& cancel) {
  // What a partitioner refused is told of the graph that it saw.
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

// A program that is there but cannot be read is no reason to show nothing.
Result<void> load_program(const FileSystem& files, const std::string& path,
                          const CancelToken& cancel, Artifacts& artifacts) {
  set_error_subject(path);
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
    Result<std::shared_ptr<const EventLog>> log = log_of(files, request, cancel);
    if (!log) return std::move(log).error();
    artifacts.log = std::move(*log);
  }
  if (!request.etrecord.empty()) {
    if (Result<void> record = add_record(files, request, cancel, artifacts); !record)
      return std::move(record).error();
  }
  if (!request.pte.empty()) {
    if (Result<void> program = load_program(files, request.pte, cancel, artifacts); !program) {
      return std::move(program).error();
    }
  }
  set_error_subject(names_of(request));
  artifacts.trees = build_event_trees(*artifacts.log, artifacts.backends);
  artifacts.blocks = group_blocks(*artifacts.log, artifacts.trees);
  return artifacts;
}

}  // namespace etlens
