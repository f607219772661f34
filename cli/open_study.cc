// SPDX-License-Identifier: Apache-2.0
#include "cli/open_study.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/workspace/recovered_record.h"

namespace etlens::cli {
namespace {

struct KeptChoice {
  StudyWish wish;
  FileStamps stamps;
  ResolvedStudy resolved;
};

struct KeptStudy {
  LoadRequest request;
  FileStamps stamps;  // of the files that the request names
  std::shared_ptr<const Study> study;
};

// The last in both lists was made last.
struct Session {
  std::string name;
  std::deque<KeptChoice> choices;
  std::deque<KeptStudy> studies;
};

// Of the process, which answers one request after the other. The last was used last.
std::deque<Session> sessions;
Progress report_progress;

template <typename Row>
void keep(std::deque<Row>& rows, Row row) {
  rows.push_back(std::move(row));
  if (rows.size() > kMaxKept) rows.pop_front();
}

FileStamps stamps_of(const FileSystem& files, const LoadRequest& request) {
  StudyWish named = request;
  FileStamps stamps = looked_at(files, {}, named);
  if (!request.values) return stamps;
  for (const std::string& path : request.values->candidates) look_at(files, path, stamps);
  return stamps;
}

// With the same sources and settings, whichever files they are of.
bool is_loaded_alike(const LoadRequest& a, const LoadRequest& b) {
  return of_lines(a) == of_lines(b) && a.etrecord == b.etrecord &&
         a.etdump.empty() == b.etdump.empty() && !a.source_files && !b.source_files;
}

// Whether the study of `kept` has all that `wanted` asks for: it may have more measures.
bool answers(const LoadRequest& kept, const LoadRequest& wanted) {
  const auto has = [&](const MeasureRow& row) {
    return std::ranges::find(kept.measures, row.id, &MeasureRow::id) != kept.measures.end();
  };
  return static_cast<const StudyWish&>(kept) == wanted &&
         kept.leaves_out_record == wanted.leaves_out_record &&
         kept.leaves_out_program == wanted.leaves_out_program &&
         kept.looks_at_others == wanted.looks_at_others &&
         kept.finds_reasons == wanted.finds_reasons && !kept.source_files && !wanted.source_files &&
         std::ranges::all_of(wanted.measures, has);
}

// Lines that were found again depend on the sources, too.
bool is_fresh(const FileSystem& files, const KeptStudy& kept) {
  return is_current(kept.stamps, files) &&
         (!kept.study->recovery || is_current(*kept.study->recovery, files));
}

// What a command may cost depends on what its study was made from, whoever read it.
void grant_kept(const Study& study) {
  const auto grant = [](const std::string& path, uint64_t bytes) {
    if (!path.empty()) grant_reading(path, bytes, bytes);
  };
  if (study.join->log) grant(study.etdump_path, study.join->log->file_bytes);
  if (study.join->record) grant(study.etrecord_path, study.join->record->graph_bytes);
}

std::string reading_text(const LoadRequest& request) {
  std::string text = "reading";
  const char* joint = " ";
  for (const std::string* path : {&request.etdump, &request.etrecord, &request.pte}) {
    if (path->empty()) continue;
    text += joint + std::string(base_name(*path));
    joint = " with ";
  }
  return text;
}

}  // namespace

void keep_studies(const std::string& session, Progress progress) {
  report_progress = std::move(progress);
  const auto at = std::find_if(sessions.begin(), sessions.end(),
                               [&](const Session& known) { return known.name == session; });
  if (at == sessions.end()) {
    sessions.push_back({session, {}, {}});
  } else {
    Session known = std::move(*at);
    sessions.erase(at);
    sessions.push_back(std::move(known));
  }
  if (sessions.size() > kMaxSessions) sessions.pop_front();
}

Result<ResolvedStudy> resolve_kept(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   const StudyWish& wish) {
  if (sessions.empty() || &files != &real_file_system()) return resolve(files, found, wish);
  FileStamps stamps = looked_at(files, found, wish);
  for (const FoundArtifact& artifact : found) stamps.emplace(artifact.path, artifact.stamp);
  for (const KeptChoice& kept : sessions.back().choices)
    if (kept.wish == wish && kept.stamps == stamps) return kept.resolved;
  Result<ResolvedStudy> resolved = resolve(files, found, wish);
  if (resolved) keep(sessions.back().choices, KeptChoice{wish, std::move(stamps), *resolved});
  return resolved;
}

Result<std::shared_ptr<const Study>> open_study(const FileSystem& files, LoadRequest request) {
  if (sessions.empty() || &files != &real_file_system()) return load_study(files, request);
  std::deque<KeptStudy>& studies = sessions.back().studies;
  for (const KeptStudy& kept : studies) {
    if (answers(kept.request, request) && is_fresh(files, kept)) {
      grant_kept(*kept.study);
      return kept.study;
    }
    if (is_loaded_alike(kept.request, request)) request.earlier = kept.study;
  }
  if (report_progress) report_progress(reading_text(request));
  FileStamps stamps = stamps_of(files, request);
  Result<std::shared_ptr<const Study>> study = load_study(files, request);
  request.earlier.reset();
  if (study) keep(studies, KeptStudy{std::move(request), std::move(stamps), *study});
  return study;
}

Result<Facts> open_facts(LoadRequest request, const CommonOptions& options) {
  request.measures = measures_for(request, options);
  auto study = open_study(real_file_system(), request);
  if (!study) return std::move(study).error();
  Result<Facts> facts = facts_of(*study, options);
  if (facts) say_what_is_missing(options, request, (*study)->report);
  return facts;
}

}  // namespace etlens::cli
