// SPDX-License-Identifier: Apache-2.0
#include "mcp/workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/compare/side_files.h"
#include "core/join/program_code.h"

namespace etlens::mcp {
namespace {

constexpr size_t kMaxKept = 3;  // of studies, and of programs
// A walk through a large workspace is not repeated before so many times what it took.
constexpr int kSearchShare = 20;

// A cancelled search has looked for partners, sources and other models in some of the folders
// only, so its result is not used.
Error was_cancelled() { return {ErrorCode::Cancelled, "reading was cancelled"}; }

bool has_sources(const FileSystem& files, std::string_view folder) {
  const Result<std::vector<DirectoryEntry>> list = files.list(folder);
  return list && std::any_of(list->begin(), list->end(), [](const DirectoryEntry& entry) {
           return !entry.is_directory && entry.name.ends_with(".py");
         });
}

bool has_all_sources(const std::vector<SourceLocation>& sources) {
  return std::ranges::none_of(sources, &std::string::empty, &SourceLocation::path);
}

// Sources that lie beside the artifacts are theirs, whatever others of that name the workspace has.
Result<std::shared_ptr<const Study>> load_beside_or_anywhere(const FileSystem& files,
                                                             const LoadRequest& request,
                                                             const CancelToken& cancel) {
  const std::string& first = request.etdump.empty() ? request.etrecord : request.etdump;
  const std::string folder(parent_path(first));
  if (has_sources(files, folder)) {
    LoadRequest beside = request;
    beside.roots = {folder};
    Result<std::shared_ptr<const Study>> study = load_study(files, beside, cancel);
    if (!study || has_all_sources((*study)->sources)) return study;
  }
  return load_study(files, request, cancel);
}

Error nothing_found(const std::vector<std::string>& roots) {
  return {ErrorCode::NotFound,
          fmt::format("no ETDump below {}, and no ETRecord or program; export a model there, or "
                      "name its files with etdump, etrecord and pte",
                      join(roots, ", "))};
}

}  // namespace

Workspace::Workspace(const FileSystem& files, const std::vector<std::string>& roots,
                     const RootAccess& access, Clock now)
    : files_(files, roots, access), now_(std::move(now)) {}

// Where there was no dump the agent has been told to record one: it may be there by now.
bool Workspace::is_fresh() const {
  const auto is_dump = [](const FoundArtifact& one) { return one.kind == FileKind::EtDump; };
  if (std::ranges::none_of(found_, is_dump)) return false;
  if (now_() - searched_ >= kSearchShare * search_took_) return false;
  return std::all_of(found_.begin(), found_.end(), [&](const FoundArtifact& artifact) {
    return stamp_of(files_, artifact.path) == artifact.stamp;
  });
}

bool Workspace::artifacts(const CancelToken& cancel) {
  if (is_fresh()) return false;
  const std::chrono::milliseconds begin = now_();
  DiscoveryOptions search;
  search.roots = files_.roots();
  found_ = find_artifacts(files_, search, cancel);
  searched_ = now_();
  // What was cut short is nothing that a later call could start from.
  search_took_ = cancel.cancelled() ? std::chrono::milliseconds() : searched_ - begin;
  return true;
}

// What was found is still there, and what was not is still missing: an agent moves and writes
// files.
bool Workspace::has_same_sources(const Code& code, const std::vector<SourceLocation>& before,
                                 const StudyWish& wish, bool looks_again,
                                 const CancelToken& cancel) const {
  const bool is_there = std::ranges::all_of(before, [&](const SourceLocation& source) {
    return source.path.empty() || files_.stat(source.path);
  });
  if (!is_there || !looks_again || has_all_sources(before)) return is_there;
  LoadReport said_already;
  const std::vector<SourceLocation> now =
      find_sources(files_, code, source_search_of(wish), said_already, cancel);
  return std::ranges::equal(before, now, [](const SourceLocation& was, const SourceLocation& is) {
    return !was.path.empty() || is.path.empty();
  });
}

template <typename Opened>
std::shared_ptr<const Opened> Workspace::find(Shelf<Opened>& shelf, const Question& question) {
  const auto at =
      std::ranges::find(shelf, question.wish, [](const auto& row) { return row.first.wish; });
  if (at == shelf.end()) return nullptr;
  if (at->first != question) {
    shelf.erase(at);
    return nullptr;
  }
  std::rotate(shelf.begin(), at, at + 1);
  return shelf.front().second;
}

template <typename Opened>
std::shared_ptr<const Opened> Workspace::keep(Shelf<Opened>& shelf, Question question,
                                              Opened opened) {
  const auto shared = std::make_shared<const Opened>(std::move(opened));
  std::erase_if(shelf, [&](const auto& row) { return row.first.wish == question.wish; });
  shelf.emplace(shelf.begin(), std::move(question), shared);
  if (shelf.size() > kMaxKept) shelf.pop_back();
  return shared;
}

Result<StudyWish> Workspace::absolute(StudyWish wish) const {
  wish.roots = files_.roots();
  const Result<void> done =
      make_absolute(wish, [&](const std::string& path) { return files_.resolve(path); });
  if (!done) return done.error();
  return wish;
}

Result<Workspace::Question> Workspace::question_of(const StudyWish& wish) const {
  Result<StudyWish> named = absolute(wish);
  if (!named) return std::move(named).error();
  FileStamps stamps = looked_at(files_, found_, *named);
  // The answer tells how many others there are, too.
  for (const FoundArtifact& artifact : found_) stamps.try_emplace(artifact.path, artifact.stamp);
  return Question{std::move(*named), std::move(stamps)};
}

Result<OpenedStudy> Workspace::choose_absolute(const StudyWish& wish,
                                               const CancelToken& cancel) const {
  Result<ResolvedStudy> resolved = resolve(files_, found_, wish, cancel);
  if (!resolved && resolved.error().code == ErrorCode::NotFound && wish.etdump.empty())
    return nothing_found(files_.roots());
  if (!resolved) return std::move(resolved).error();
  return OpenedStudy{std::move(*resolved), nullptr, {}};
}

Result<OpenedStudy> Workspace::choose(const StudyWish& wish, const CancelToken& cancel) {
  const Result<StudyWish> named = absolute(wish);
  if (!named) return named.error();
  artifacts(cancel);
  return choose_absolute(*named, cancel);
}

Result<std::shared_ptr<const OpenedStudy>> Workspace::study(const StudyWish& wish,
                                                            const CancelToken& cancel) {
  const bool looks_again = artifacts(cancel);
  Result<Question> question = question_of(wish);
  if (!question) return std::move(question).error();
  if (auto kept = find(studies_, *question);
      kept && has_same_sources(kept->study->code(), kept->study->sources, question->wish,
                               looks_again, cancel))
    return kept;
  Result<OpenedStudy> opened = choose_absolute(question->wish, cancel);
  if (!opened) return std::move(opened).error();
  opened->request.finds_reasons = true;
  Result<std::shared_ptr<const Study>> loaded =
      load_beside_or_anywhere(files_, opened->request, cancel);
  if (!loaded) return std::move(loaded).error();
  if (cancel.cancelled()) return was_cancelled();
  opened->study = std::move(*loaded);
  return keep(studies_, std::move(*question), std::move(*opened));
}

Result<OpenedProgram> Workspace::open_program(const StudyWish& wish,
                                              const CancelToken& cancel) const {
  if (wish.pte.empty() && programs_by_age(found_).empty()) {
    return Error{ErrorCode::NotFound, fmt::format("no .pte program below {}; give one with pte",
                                                  join(files_.roots(), ", "))};
  }
  Result<ResolvedProgram> resolved = resolve_program(files_, found_, wish, cancel);
  if (!resolved) return std::move(resolved).error();
  Result<LoadedProgram> loaded = load_program(files_, resolved->request, cancel);
  if (!loaded) return std::move(loaded).error();
  OpenedProgram opened{std::move(*resolved), std::move(*loaded), 0, nullptr, {}};
  const EtProgram& program = *opened.loaded.program;
  const Result<size_t> method = choose_method(program, wish.selection.method);
  if (!method) return method.error();
  opened.method = *method;
  opened.code =
      code_of_program(opened.loaded.record, program.methods[*method], wish.library_frames);
  LoadReport report;  // sources that were not found say so themselves
  opened.sources = find_sources(files_, *opened.code, source_search_of(wish), report, cancel);
  return opened;
}

Result<std::shared_ptr<const OpenedProgram>> Workspace::program(const StudyWish& wish,
                                                                const CancelToken& cancel) {
  const bool looks_again = artifacts(cancel);
  Result<Question> question = question_of(wish);
  if (!question) return std::move(question).error();
  if (auto kept = find(programs_, *question);
      kept && has_same_sources(*kept->code, kept->sources, question->wish, looks_again, cancel))
    return kept;
  Result<OpenedProgram> opened = open_program(question->wish, cancel);
  if (!opened) return std::move(opened).error();
  if (cancel.cancelled()) return was_cancelled();
  return keep(programs_, std::move(*question), std::move(*opened));
}

Result<SideRequest> Workspace::side_request(const std::vector<std::string>& paths,
                                            const StudyWish& wish,
                                            const CancelToken& cancel) const {
  if (paths.empty()) {
    return Error{ErrorCode::InvalidParams,
                 "a side has no dumps; name one or more, or a folder that holds them"};
  }
  std::vector<std::string> resolved;
  for (const std::string& path : paths) {
    Result<std::string> found = files_.resolve(path);
    if (!found) return std::move(found).error();
    resolved.push_back(std::move(*found));
  }
  Result<SideFiles> named = find_side_files(files_, resolved);
  if (!named) return std::move(named).error();
  if (named->dumps.empty()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("no ETDump in {}; name one or more, or a folder that holds them",
                             join(paths, ", "))};
  }
  StudyWish of_side = wish;
  of_side.etdump = named->dumps.front();
  of_side.etrecord = std::move(named->etrecord);
  of_side.pte = std::move(named->pte);
  DiscoveryOptions beside;
  beside.roots = {std::string(parent_path(of_side.etdump))};
  if (has_sources(files_, beside.roots.front())) of_side.roots = beside.roots;
  Result<ResolvedStudy> chosen =
      resolve(files_, find_artifacts(files_, beside, cancel), of_side, cancel);
  if (!chosen) return std::move(chosen).error();
  SideRequest side;
  side.dumps = std::move(named->dumps);
  side.leaves_out_others = named->is_searched;
  side.load = std::move(chosen->request);
  return side;
}

Result<ComparedSides> Workspace::comparison(const std::vector<std::string>& base,
                                            const std::vector<std::string>& fresh,
                                            const StudyWish& wish, const CancelToken& cancel) {
  const Result<StudyWish> named = absolute(wish);
  if (!named) return named.error();
  std::vector<std::string> after = fresh;
  if (after.empty()) {
    const Result<OpenedStudy> chosen = choose(wish, cancel);
    if (!chosen) return chosen.error();
    after = {chosen->request.etdump};
  }
  Result<SideRequest> old_side = side_request(base, *named, cancel);
  if (!old_side) return std::move(old_side).error();
  Result<SideRequest> new_side = side_request(after, *named, cancel);
  if (!new_side) return std::move(new_side).error();
  const auto others = [](const LoadRequest& load) {
    return OtherArtifacts{load.etrecord, load.pte, load.roots};
  };
  old_side->other = others(new_side->load);
  new_side->other = others(old_side->load);
  ComparedSides compared;
  while (true) {
    // The new side first: it says which of several groups of executions is compared.
    std::vector<std::shared_ptr<const Side>> sides;
    for (SideRequest* request : {&*new_side, &*old_side}) {
      request->load.recovers = wish.recovers && !compared.is_without_recovery;
      if (!sides.empty()) request->like = sides.front()->group;
      Result<Side> side = load_side(files_, *request, {}, cancel);
      if (!side) return std::move(side).error();
      sides.push_back(std::make_shared<const Side>(std::move(*side)));
    }
    if (!compared.is_without_recovery && differ_in_recovery(*sides[1], *sides[0])) {
      compared.is_without_recovery = true;
      continue;
    }
    Result<Comparison> comparison = compare(sides[1], sides[0]);
    if (!comparison) return std::move(comparison).error();
    compared.comparison = std::move(*comparison);
    return compared;
  }
}

}  // namespace etlens::mcp
