// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/choose_partners.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/base/budget.h"
#include "core/join/program_fit.h"
#include "core/workspace/read_artifacts.h"
#include "core/workspace/run_check.h"

namespace etlens {
namespace {

// The dump that the request names, without a record. What was read of it is kept for the load.
Result<Artifacts> read_dump_ahead(const FileSystem& files, LoadRequest& request,
                                  const CancelToken& cancel) {
  const FileStamp stamp = files.stat(request.etdump).value_or(FileStamp{});
  LoadRequest alone;
  alone.etdump = request.etdump;
  alone.backends = request.backends;
  alone.read_ahead = request.read_ahead;
  Result<Artifacts> dump = load_artifacts(files, alone, cancel);
  // A file about the run is compared with the dump's bytes, which are read again then.
  const bool has_run = dump && (dump->run != nullptr || dump->report.find(Oddity::RunUnreadable) ||
                                dump->report.find(Oddity::RunOfAnotherDump));
  if (dump && !has_run) request.read_ahead->keep_log(request.etdump, stamp, dump->log);
  return dump;
}

// How well the record fits what the dump ran at best.
double score_of(const Artifacts& dump, const EtRecord& record) {
  double highest = 0;
  for (const Block& block : dump.blocks) {
    if (!block.is_execution) continue;
    for (const MethodFit& fit : fit_methods(*dump.log, dump.trees, block, record))
      highest = std::max(highest, fit.score);
  }
  return highest;
}

// Of the likely records the one whose pairing score is best.
Result<std::string> best_record(const FileSystem& files,
                                const std::vector<const FoundArtifact*>& candidates,
                                LoadRequest& request, const CancelToken& cancel) {
  std::string best = candidates.front()->path;
  const Result<Artifacts> dump = read_dump_ahead(files, request, cancel);
  if (!dump) {
    if (dump.error().code == ErrorCode::Cancelled) return dump.error();
    return best;  // loading them for good says what is wrong
  }
  double best_score = -1;
  for (size_t i = 0; i < std::min(candidates.size(), kMaxScored) && best_score < 1; ++i) {
    const std::string& path = candidates[i]->path;
    const Result<bool> is_better = within_budget(
        cancel,
        [&]() -> Result<bool> {
          const FileStamp stamp = files.stat(path).value_or(FileStamp{});
          Result<EtRecord> record = read_record(files, path, request.backends, cancel);
          if (!record) return record.error();
          const double score = score_of(*dump, *record);
          if (score <= best_score) return false;
          best_score = score;
          request.read_ahead->keep_record(path, stamp, std::move(*record));
          return true;
        },
        BudgetShare::Half);
    if (!is_better && is_better.error().code == ErrorCode::Cancelled) return is_better.error();
    if (is_better && *is_better) best = path;
  }
  return best;
}

// The request's record, kept for the load; null without one.
Result<const EtRecord*> read_record_ahead(const FileSystem& files, LoadRequest& request,
                                          std::optional<EtRecord>& record,
                                          const CancelToken& cancel) {
  if (request.etrecord.empty()) return nullptr;
  record = request.read_ahead->take_record(files, request.etrecord);
  if (!record) {
    Result<EtRecord> read = read_record(files, request.etrecord, request.backends, cancel);
    if (!read) return read.error();
    record = std::move(*read);
  }
  return &*record;
}

// Of the likely programs the first whose instructions are those that ran, which is kept for the
// load; "" if none is.
Result<std::string> first_fitting(const FileSystem& files,
                                  const std::vector<const FoundArtifact*>& candidates,
                                  const Artifacts& dump, const EtRecord* record,
                                  ReadAhead& read_ahead, const CancelToken& cancel) {
  for (size_t i = 0; i < std::min(candidates.size(), kMaxScored); ++i) {
    const Result<bool> fits = within_budget(
        cancel,
        [&]() -> Result<bool> {
          const std::string& path = candidates[i]->path;
          const FileStamp stamp = files.stat(path).value_or(FileStamp{});
          Result<EtProgram> program = read_program(files, path, cancel);
          if (!program) return program.error();
          const bool is_fitting =
              std::any_of(dump.blocks.begin(), dump.blocks.end(), [&](const Block& block) {
                return block.is_execution &&
                       fits_any_method(*program, *dump.log, dump.trees, block, record);
              });
          if (is_fitting) read_ahead.keep_program(path, stamp, std::move(*program));
          return is_fitting;
        },
        BudgetShare::Half);
    if (!fits && fits.error().code == ErrorCode::Cancelled) return fits.error();
    if (fits && *fits) return candidates[i]->path;
  }
  return std::string();
}

Result<std::string> fitting_program(const FileSystem& files,
                                    const std::vector<const FoundArtifact*>& candidates,
                                    LoadRequest& request, const CancelToken& cancel) {
  const auto unread = [](const Error& why) -> Result<std::string> {
    if (why.code == ErrorCode::Cancelled) return why;
    return std::string();  // loading them for good says what is wrong
  };
  std::optional<EtRecord> record;
  const FileStamp stamp = files.stat(request.etrecord).value_or(FileStamp{});
  Result<const EtRecord*> of_export = read_record_ahead(files, request, record, cancel);
  if (!of_export) return unread(of_export.error());
  const Result<Artifacts> dump = read_dump_ahead(files, request, cancel);
  if (!dump) return unread(dump.error());
  Result<std::string> program =
      first_fitting(files, candidates, *dump, *of_export, *request.read_ahead, cancel);
  if (record) request.read_ahead->keep_record(request.etrecord, stamp, *std::move(record));
  return program;
}

Result<std::string> choose_record(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                  LoadRequest& request, const CancelToken& cancel) {
  const std::vector<const FoundArtifact*> candidates =
      partners(found, request.etdump, FileKind::EtRecord);
  if (candidates.empty()) return std::string();
  if (candidates.size() == 1) return candidates.front()->path;
  if (std::string of_run = partner_of_run(files, request.etdump, candidates, RunPart::Record);
      !of_run.empty())
    return of_run;
  return within_budget(cancel, [&] { return best_record(files, candidates, request, cancel); });
}

Result<std::string> choose_program(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   LoadRequest& request, const CancelToken& cancel) {
  const std::vector<const FoundArtifact*> candidates = program_partners(found, request.etdump);
  if (candidates.empty()) return std::string();
  if (candidates.size() == 1) return candidates.front()->path;  // loading says if it does not fit
  if (std::string of_run = partner_of_run(files, request.etdump, candidates, RunPart::Program);
      !of_run.empty())
    return of_run;
  return within_budget(cancel, [&] { return fitting_program(files, candidates, request, cancel); });
}

}  // namespace

Result<std::string> choose_record(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                  const std::string& etdump, const CancelToken& cancel) {
  LoadRequest request;
  request.etdump = etdump;
  request.read_ahead = std::make_shared<ReadAhead>();
  return choose_record(files, found, request, cancel);
}

Result<std::string> choose_program(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   const std::string& etdump, const std::string& etrecord,
                                   const CancelToken& cancel) {
  LoadRequest request;
  request.etdump = etdump;
  request.etrecord = etrecord;
  request.read_ahead = std::make_shared<ReadAhead>();
  return choose_program(files, found, request, cancel);
}

Result<void> choose_partners(const FileSystem& files, const std::vector<FoundArtifact>& found,
                             LoadRequest& request, const CancelToken& cancel) {
  if (const Result<FileStamp> dump = files.stat(request.etdump); !dump) return dump.error();
  request.read_ahead = std::make_shared<ReadAhead>();
  if (request.etrecord.empty() && request.finds_record) {
    Result<std::string> record = choose_record(files, found, request, cancel);
    if (!record) return std::move(record).error();
    request.etrecord = std::move(*record);
    request.leaves_out_record = !request.etrecord.empty();
  }
  if (request.pte.empty()) {
    Result<std::string> program = choose_program(files, found, request, cancel);
    if (!program) return std::move(program).error();
    request.pte = std::move(*program);
  }
  return {};
}

}  // namespace etlens
