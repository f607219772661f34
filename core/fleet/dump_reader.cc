// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/dump_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/file_kind.h"
#include "core/join/no_execution.h"
#include "core/source/git/git_objects.h"
#include "core/workspace/choose_partners.h"

namespace etlens {
namespace {

constexpr size_t kMaxEntries = 50'000'000;
constexpr size_t kMaxPairs = 16;     // that are kept
constexpr size_t kManyRecords = 64;  // more are only looked for above the dump

constexpr std::array<std::string_view, kBrokenReasons> kReasonNames{
    "empty", "foreign", "damaged", "no_execution", "other_program", "unreadable", "crashed"};

bool is_partner_of_dump(FileKind kind) {
  return kind == FileKind::EtRecord || kind == FileKind::Program ||
         kind == FileKind::BundledProgram;
}

bool is_access_error(const Error& error) {
  return error.code == ErrorCode::Io || error.code == ErrorCode::NotFound;
}

}  // namespace

std::string_view name_of(BrokenReason reason) { return kReasonNames[static_cast<size_t>(reason)]; }

std::optional<BrokenReason> parse_broken_reason(std::string_view name) {
  const auto at = std::find(kReasonNames.begin(), kReasonNames.end(), name);
  if (at == kReasonNames.end()) return std::nullopt;
  return static_cast<BrokenReason>(at - kReasonNames.begin());
}

Result<DumpSearch> find_dumps(const FileSystem& files, std::vector<std::string> paths,
                              const CancelToken& cancel) {
  DumpSearch search;
  DiscoveryOptions options;
  options.any_content = {".etdp", ".etdump"};
  options.max_entries = kMaxEntries;
  for (const std::string& path : paths) {
    const Result<FileStamp> stamp = files.stat(path);
    if (!stamp) return stamp.error();
    if (stamp->is_directory) options.roots.push_back(path);
    else search.dumps.push_back(path);
  }
  const std::vector<std::string> named = search.dumps;
  for (FoundArtifact& artifact : find_artifacts(files, options, cancel)) {
    const bool is_partner = is_partner_of_dump(artifact.kind);
    const bool is_dump = artifact.kind == FileKind::EtDump || artifact.path.ends_with(".etdp") ||
                         artifact.path.ends_with(".etdump");
    if (is_partner) search.partners.push_back(std::move(artifact));
    else if (is_dump) search.dumps.push_back(std::move(artifact.path));
  }
  std::sort(search.dumps.begin(), search.dumps.end());
  search.dumps.erase(std::unique(search.dumps.begin(), search.dumps.end()), search.dumps.end());
  // Dumps that were named lie beside their record more often than not.
  DiscoveryOptions beside;
  for (const std::string& dump : named) {
    std::string folder(parent_path(dump));
    const bool is_known =
        std::any_of(options.roots.begin(), options.roots.end(),
                    [&](const std::string& root) { return is_below(root, folder); }) ||
        std::find(beside.roots.begin(), beside.roots.end(), folder) != beside.roots.end();
    if (!is_known) beside.roots.push_back(std::move(folder));
  }
  for (FoundArtifact& artifact : find_artifacts(files, beside, cancel)) {
    if (is_partner_of_dump(artifact.kind)) search.partners.push_back(std::move(artifact));
  }
  search.paths = std::move(paths);
  return search;
}

DumpReader::DumpReader(const FileSystem& files, DumpReaderOptions options)
    : files_(files), options_(std::move(options)) {
  options_.load.measures = {};  // time alone
  for (const FoundArtifact& artifact : options_.partners) {
    if (artifact.kind == FileKind::EtRecord) records_.push_back(artifact);
  }
}

// Fills in what the head can tell before the dump is joined.
std::optional<BrokenDump> DumpReader::look_at(const std::string& path, DumpHead& head) const {
  head.name = relative_path(options_.here, path);
  const auto broken = [&](BrokenReason reason, std::string sentence) {
    return BrokenDump{reason, head.name, std::move(sentence)};
  };
  const Result<GitId> id = within_budget({}, [&]() -> Result<GitId> {
    const Result<Bytes> front = files_.read_range(path, 0, kKindBytes);
    if (!front) return front.error();
    const FileKind kind = file_kind(front->span());
    if (kind == FileKind::Empty) return Error{ErrorCode::NotFound, ""};
    if (kind != FileKind::EtDump)
      return Error{ErrorCode::InvalidParams, "is " + std::string(describe(kind))};
    const Result<Bytes> bytes = read_etdump_file(files_, path);
    if (!bytes) return bytes.error();
    return git_blob_id(bytes->span());
  });
  if (id) {
    head.id = hex_of(*id);
    return std::nullopt;
  }
  const Error& error = id.error();
  if (error.code == ErrorCode::NotFound && error.message.empty())
    return broken(BrokenReason::Empty, head.name + " is empty");
  if (error.code == ErrorCode::InvalidParams)
    return broken(BrokenReason::Foreign, head.name + " " + error.message + ", no ETDump");
  return broken(is_access_error(error) ? BrokenReason::Unreadable : BrokenReason::Damaged,
                Error(error).about(head.name).message);
}

DumpOutcome DumpReader::read(const std::string& path) {
  DumpHead head;
  if (std::optional<BrokenDump> broken = look_at(path, head)) return std::move(*broken);
  LoadRequest alone = options_.load;
  alone.etdump = path;
  alone.etrecord = alone.pte = "";
  const Result<Artifacts> artifacts = load_artifacts(files_, alone);
  if (!artifacts) {
    const BrokenReason reason =
        is_access_error(artifacts.error()) ? BrokenReason::Unreadable : BrokenReason::Damaged;
    return BrokenDump{reason, head.name, artifacts.error().message};
  }
  const bool has_run = std::any_of(artifacts->blocks.begin(), artifacts->blocks.end(),
                                   [](const Block& block) { return block.is_execution; });
  if (!has_run) {
    const std::string why = why_no_execution(*artifacts->log, artifacts->trees, artifacts->blocks);
    return BrokenDump{BrokenReason::NoExecution, head.name, head.name + " " + why};
  }
  const StudyResult study = best_study(path, *artifacts);
  if (!study) {
    return BrokenDump{
        is_of_another(study.error().code) ? BrokenReason::OtherProgram : BrokenReason::Damaged,
        head.name, study.error().message};
  }
  const std::string name = head.name;
  Result<DumpRows> rows = within_budget({}, [&]() -> Result<DumpRows> {
    grant_reading(path, artifacts->log->file_bytes, artifacts->log->file_bytes);
    set_error_subject(path);
    head.facts = facts_of_dump(files_, options_.facts, path);
    return rows_of(**study, std::move(head), options_.each_execution);
  });
  if (rows) return std::move(*rows);
  return BrokenDump{BrokenReason::Damaged, name, rows.error().message};
}

std::vector<std::string> DumpReader::take_left_out() { return std::exchange(left_out_, {}); }

// The run of a dump, compared with the pair's record, which is hashed once.
std::shared_ptr<const RunCheck> DumpReader::run_with(const RunCheck& run, Pair& pair) const {
  auto check = std::make_shared<RunCheck>(run);
  const FileIdentity known = pair.record_file;
  const Result<HashVerdict> verdict = within_budget({}, [&]() -> Result<HashVerdict> {
    return compare_with_run(files_, pair.etrecord, run.run.record.value, &known,
                            check->record_file);
  });
  if (verdict) check->record = *verdict;
  if (!check->record_file.sha256.empty()) pair.record_file = check->record_file;
  return check;
}

DumpReader::StudyResult DumpReader::study_with(const std::string& path, const Artifacts& artifacts,
                                               Pair& pair) {
  LoadRequest request = options_.load;
  request.etdump = path;
  request.etrecord = pair.etrecord;
  request.pte = pair.pte;
  request.looks_at_others = false;
  // Rows name lines as they were recorded: only the record's own lines need sources.
  request.roots = {};
  request.environments = {};
  request.path_mappings = {};
  Artifacts both = artifacts;
  both.record = pair.record;
  both.program = pair.program;
  if (artifacts.run && pair.record) both.run = run_with(*artifacts.run, pair);
  return build_study(files_, both, request);
}

// With the record whose score is best; without one if there is none.
DumpReader::StudyResult DumpReader::best_study(const std::string& path,
                                               const Artifacts& artifacts) {
  const std::vector<std::string> candidates = records_for(path);
  Pair alone;
  if (candidates.empty()) return study_with(path, artifacts, alone);
  std::optional<Error> first_error;
  std::shared_ptr<const Study> best;
  double best_score = -1;
  bool has_record = !options_.load.etrecord.empty();  // that was named, or that can be read
  for (size_t i = 0; i < std::min(candidates.size(), kMaxScored) && best_score < 1; ++i) {
    const Result<Pair*> pair = pair_of(path, candidates[i]);
    has_record |= pair || is_access_error(pair.error());
    const StudyResult study =
        pair ? study_with(path, artifacts, **pair) : StudyResult(pair.error());
    if (!study && !first_error) first_error = study.error();
    if (!study) continue;
    const double score = (*study)->fit ? (*study)->fit->score : 0;
    if (score <= best_score) continue;
    best_score = score;
    best = *study;
  }
  if (best != nullptr) return best;
  // Records that nobody named and that are none take no dump's numbers.
  if (!has_record) return study_with(path, artifacts, alone);
  return std::move(*first_error);
}

// The likeliest first.
std::vector<std::string> DumpReader::records_for(const std::string& path) const {
  if (!options_.load.etrecord.empty()) return {options_.load.etrecord};
  const std::vector<FoundArtifact>* among = &records_;
  std::vector<FoundArtifact> above;
  if (records_.size() > kManyRecords) {
    for (const FoundArtifact& record : records_) {
      if (is_below(parent_path(record.path), path)) above.push_back(record);
    }
    among = &above;
  }
  const std::vector<const FoundArtifact*> likely = partners(*among, path, FileKind::EtRecord);
  std::vector<std::string> paths;
  if (std::string of_run = partner_of_run(files_, path, likely, RunPart::Record); !of_run.empty())
    paths.push_back(std::move(of_run));
  for (const FoundArtifact* record : likely)
    if (paths.empty() || record->path != paths.front()) paths.push_back(record->path);
  return paths;
}

Result<DumpReader::Pair> DumpReader::load_pair(const std::string& path,
                                               const std::string& etrecord) {
  Pair pair;
  pair.etrecord = etrecord;
  pair.pte = options_.load.pte;
  LoadRequest request = options_.load;
  request.etdump = path;
  request.etrecord = etrecord;
  if (pair.pte.empty()) {
    Result<std::string> program = choose_program(files_, options_.partners, path, etrecord);
    if (program) pair.pte = std::move(*program);
  }
  request.pte = pair.pte;
  Result<Artifacts> artifacts = load_artifacts(files_, request);
  if (!artifacts) return std::move(artifacts).error();
  pair.record = artifacts->record;
  pair.program = artifacts->program;
  return pair;
}

Result<DumpReader::Pair*> DumpReader::pair_of(const std::string& path,
                                              const std::string& etrecord) {
  if (const auto at = pairs_.find(etrecord); at != pairs_.end()) return &at->second;
  if (const auto at = unusable_.find(etrecord); at != unusable_.end()) return at->second;
  Result<Pair> pair = load_pair(path, etrecord);
  if (!pair) {
    // One that was named is missed by every dump, and said there.
    if (options_.load.etrecord.empty()) left_out_.push_back(pair.error().message);
    return unusable_.emplace(etrecord, pair.error()).first->second;
  }
  if (pairs_.size() >= kMaxPairs) pairs_.clear();
  return &pairs_.emplace(etrecord, std::move(*pair)).first->second;
}

}  // namespace etlens
