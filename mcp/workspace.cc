// SPDX-License-Identifier: Apache-2.0
#include "mcp/workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/compare/side_files.h"
#include "core/formats/debug_buffer/debug_buffer.h"
#include "core/join/program_code.h"
#include "core/workspace/other_models.h"

namespace etlens::mcp {
namespace {

constexpr size_t kMaxKept = 3;  // of studies, and of programs
// A walk through a large workspace is not repeated before so many times what it took.
constexpr int kSearchShare = 20;

// A cancelled search has looked for partners, sources and other models in some of the folders
// only, so its result is not used.
Error was_cancelled() { return {ErrorCode::Cancelled, "reading was cancelled"}; }

FileStamp stamp_of(const FileSystem& files, const std::string& path) {
  return files.stat(path).value_or(FileStamp{});
}

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
  const std::string folder(parent_path(request.etdump));
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
          fmt::format("no ETDump below {}; run the model with the event tracer and save its ETDump "
                      "there, or give one with etdump",
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
                                 bool looks_again, const CancelToken& cancel) const {
  const bool is_there = std::ranges::all_of(before, [&](const SourceLocation& source) {
    return source.path.empty() || files_.stat(source.path);
  });
  if (!is_there || !looks_again || has_all_sources(before)) return is_there;
  LoadReport said_already;
  const std::vector<SourceLocation> now =
      find_sources(files_, code, {files_.roots(), {}}, said_already, cancel);
  return std::ranges::equal(before, now, [](const SourceLocation& was, const SourceLocation& is) {
    return !was.path.empty() || is.path.empty();
  });
}

Workspace::Stamps Workspace::stamps_of_artifacts() const {
  Stamps stamps;
  for (const FoundArtifact& artifact : found_) stamps.emplace_back(artifact.path, artifact.stamp);
  return stamps;
}

// What was loaded for the choice, if nothing that it came from has changed.
template <typename Choice, typename Opened>
std::shared_ptr<const Opened> Workspace::find(Shelf<Choice, Opened>& shelf, const Choice& choice) {
  const auto at = std::find_if(shelf.begin(), shelf.end(),
                               [&](const auto& kept) { return kept.choice == choice; });
  if (at == shelf.end()) return nullptr;
  const bool is_same = at->artifacts == stamps_of_artifacts() &&
                       std::all_of(at->used.begin(), at->used.end(), [&](const auto& used) {
                         return stamp_of(files_, used.first) == used.second;
                       });
  if (!is_same) {
    shelf.erase(at);
    return nullptr;
  }
  std::rotate(shelf.begin(), at, at + 1);
  return shelf.front().opened;
}

template <typename Choice, typename Opened>
void Workspace::keep(Shelf<Choice, Opened>& shelf, Choice choice, std::vector<std::string> used,
                     std::shared_ptr<const Opened> opened) {
  Stamps stamps;
  for (std::string& path : used) {
    const FileStamp stamp = stamp_of(files_, path);
    stamps.emplace_back(std::move(path), stamp);
  }
  shelf.insert(shelf.begin(),
               {std::move(choice), stamps_of_artifacts(), std::move(stamps), std::move(opened)});
  if (shelf.size() > kMaxKept) shelf.pop_back();
}

// The choice with files that are there, before anything is looked for.
Result<LoadRequest> Workspace::request_of(const StudyChoice& choice) const {
  LoadRequest request;
  request.roots = files_.roots();
  request.selection = {choice.method, choice.block};
  request.time.executions = choice.executions;
  if (!choice.statistic.empty()) {
    const std::optional<Statistic> statistic = parse_statistic(choice.statistic);
    if (!statistic) {
      return Error{ErrorCode::InvalidParams, "there is no statistic " + choice.statistic +
                                                 "; there are typical, mean, median, min and max"};
    }
    request.time.statistic = *statistic;
  }
  if (choice.wants_values) request.values.emplace();
  for (const auto& [name, path] :
       {std::pair(&choice.etdump, &request.etdump), std::pair(&choice.etrecord, &request.etrecord),
        std::pair(&choice.pte, &request.pte)}) {
    if (name->empty()) continue;
    Result<std::string> found = files_.resolve(*name);
    if (!found) return std::move(found).error();
    *path = std::move(*found);
  }
  if (!choice.reference.empty() && request.values) {
    Result<std::string> found = files_.resolve(choice.reference);
    if (!found) return std::move(found).error();
    request.values->reference = std::move(*found);
  }
  return request;
}

Result<OpenedStudy> Workspace::choose(const StudyChoice& choice, const CancelToken& cancel) {
  Result<LoadRequest> named = request_of(choice);
  if (!named) return std::move(named).error();
  OpenedStudy opened;
  opened.request = std::move(*named);
  LoadRequest& request = opened.request;
  artifacts(cancel);
  const std::vector<const FoundArtifact*> dumps = dumps_by_age(found_);
  opened.dumps = dumps.size();
  const bool is_chosen = request.etdump.empty();
  if (is_chosen) {
    if (dumps.empty()) return nothing_found(files_.roots());
    request.etdump = dumps.front()->path;
  }
  if (Result<void> chosen = choose_partners(files_, found_, request, cancel); !chosen)
    return std::move(chosen).error();
  if (is_chosen) {
    opened.other_models =
        find_other_models(files_, found_, request.etdump, request.etrecord, cancel);
  }
  if (request.values && request.values->reference.empty())
    request.values->candidates = reference_candidates(found_, request.etdump, request.etrecord);
  return opened;
}

Result<std::shared_ptr<const OpenedStudy>> Workspace::study(const StudyChoice& choice,
                                                            const CancelToken& cancel) {
  const bool looks_again = artifacts(cancel);
  if (auto kept = find(studies_, choice);
      kept && has_same_sources(kept->study->code(), kept->study->sources, looks_again, cancel))
    return kept;
  Result<OpenedStudy> opened = choose(choice, cancel);
  if (!opened) return std::move(opened).error();
  const LoadRequest& request = opened->request;
  Result<std::shared_ptr<const Study>> loaded = load_beside_or_anywhere(files_, request, cancel);
  if (!loaded) return std::move(loaded).error();
  if (cancel.cancelled()) return was_cancelled();
  opened->study = std::move(*loaded);
  std::vector<std::string> used{request.etdump, request.etrecord, request.pte};
  if (request.values) {
    const std::vector<std::string> buffers = debug_buffer_paths(request.etdump);
    used.insert(used.end(), buffers.begin(), buffers.end());
    used.push_back(request.values->reference);
  }
  auto shared = std::make_shared<const OpenedStudy>(std::move(*opened));
  keep(studies_, choice, std::move(used), shared);
  return shared;
}

Result<OpenedProgram> Workspace::open_program(const ProgramChoice& choice,
                                              const CancelToken& cancel) {
  std::string pte, etrecord;
  for (const auto& [name, path] :
       {std::pair(&choice.pte, &pte), std::pair(&choice.etrecord, &etrecord)}) {
    if (name->empty()) continue;
    Result<std::string> found = files_.resolve(*name);
    if (!found) return std::move(found).error();
    *path = std::move(*found);
  }
  artifacts(cancel);
  OpenedProgram opened;
  const std::vector<const FoundArtifact*> programs = programs_by_age(found_);
  opened.programs = programs.size();
  if (pte.empty()) {
    if (programs.empty()) {
      return Error{ErrorCode::NotFound, fmt::format("no .pte program below {}; give one with pte",
                                                    join(files_.roots(), ", "))};
    }
    pte = programs.front()->path;
  }
  if (etrecord.empty()) etrecord = find_record_of(files_, found_, pte, cancel);
  const RecoveryRequest recovery{{files_.roots(), {}}, {}, nullptr};
  Result<LoadedProgram> loaded =
      load_program(files_, pte, etrecord, recovery, built_in_backends(), cancel);
  if (!loaded) return std::move(loaded).error();
  const EtProgram& program = *loaded->program;
  const std::optional<size_t> method = find_method(program, choice.method);
  if (!method) {
    std::vector<std::string> names;
    for (const ProgramMethod& row : program.methods) names.push_back(row.name);
    return Error{ErrorCode::NotFound, fmt::format("{} has no method {}; it has {}", program.path,
                                                  choice.method, join(names, ", "))};
  }
  opened.method = *method;
  opened.code = code_of_program(loaded->record, program.methods[*method], {});
  LoadReport report;  // sources that were not found say so themselves
  opened.sources = find_sources(files_, *opened.code, {files_.roots(), {}}, report, cancel);
  opened.loaded = std::move(*loaded);
  opened.etrecord = std::move(etrecord);
  return opened;
}

Result<std::shared_ptr<const OpenedProgram>> Workspace::program(const ProgramChoice& choice,
                                                                const CancelToken& cancel) {
  const bool looks_again = artifacts(cancel);
  if (auto kept = find(programs_, choice);
      kept && has_same_sources(*kept->code, kept->sources, looks_again, cancel))
    return kept;
  Result<OpenedProgram> opened = open_program(choice, cancel);
  if (!opened) return std::move(opened).error();
  if (cancel.cancelled()) return was_cancelled();
  std::vector<std::string> used{opened->loaded.program->path, opened->etrecord};
  auto shared = std::make_shared<const OpenedProgram>(std::move(*opened));
  keep(programs_, choice, std::move(used), shared);
  return shared;
}

Result<SideRequest> Workspace::side_request(const std::vector<std::string>& paths,
                                            const StudyChoice& choice, const CancelToken& cancel) {
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
  StudyChoice of_both;
  of_both.method = choice.method;
  of_both.block = choice.block;
  of_both.statistic = choice.statistic;
  Result<LoadRequest> request = request_of(of_both);
  if (!request) return std::move(request).error();
  SideRequest side;
  side.dumps = std::move(named->dumps);
  side.leaves_out_others = named->is_searched;
  side.load = std::move(*request);
  side.load.etdump = side.dumps.front();
  side.load.etrecord = std::move(named->etrecord);
  side.load.pte = std::move(named->pte);
  DiscoveryOptions beside;
  beside.roots = {std::string(parent_path(side.dumps.front()))};
  const std::vector<FoundArtifact> found = find_artifacts(files_, beside, cancel);
  if (has_sources(files_, beside.roots.front())) side.load.roots = beside.roots;
  if (Result<void> chosen = choose_partners(files_, found, side.load, cancel); !chosen)
    return std::move(chosen).error();
  return side;
}

Result<ComparedSides> Workspace::comparison(const std::vector<std::string>& base,
                                            const std::vector<std::string>& fresh,
                                            const StudyChoice& choice, const CancelToken& cancel) {
  std::vector<std::string> after = fresh;
  if (after.empty()) {
    const Result<OpenedStudy> chosen = choose(choice, cancel);
    if (!chosen) return chosen.error();
    after = {chosen->request.etdump};
  }
  Result<SideRequest> old_side = side_request(base, choice, cancel);
  if (!old_side) return std::move(old_side).error();
  Result<SideRequest> new_side = side_request(after, choice, cancel);
  if (!new_side) return std::move(new_side).error();
  const auto others = [](const LoadRequest& load) {
    return OtherArtifacts{load.etrecord, load.pte, load.roots};
  };
  old_side->other = others(new_side->load);
  new_side->other = others(old_side->load);
  ComparedSides compared;
  while (true) {
    std::vector<std::shared_ptr<const Side>> sides;
    for (SideRequest* request : {&*old_side, &*new_side}) {
      request->load.recovers = !compared.is_without_recovery;
      Result<Side> side = load_side(files_, *request, {}, cancel);
      if (!side) return std::move(side).error();
      sides.push_back(std::make_shared<const Side>(std::move(*side)));
    }
    if (!compared.is_without_recovery && differ_in_recovery(*sides[0], *sides[1])) {
      compared.is_without_recovery = true;
      continue;
    }
    Result<Comparison> comparison = compare(sides[0], sides[1]);
    if (!comparison) return std::move(comparison).error();
    compared.comparison = std::move(*comparison);
    return compared;
  }
}

}  // namespace etlens::mcp
