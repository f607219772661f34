// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/anchored_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/base/optional_part.h"
#include "core/base/path.h"
#include "core/code/library_frame.h"
#include "core/source/anchor/edited_anchors.h"
#include "core/source/anchor/same_lines.h"
#include "core/source/git/git_blob.h"
#include "core/workspace/sibling_places.h"
#include "core/workspace/source_file.h"

namespace etlens {

std::vector<RecordedLine> recorded_lines(const Code& code, FileId file) {
  const CodeFile& row = code.files[file.value];
  std::vector<RecordedLine> lines;
  lines.reserve(row.line_count);
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const CodeLine& line = code.lines[row.first_line + i];
    RecordedLine recorded{line.number, code.text(line.function), code.text(line.text)};
    recorded.is_definition = code.has_definitions;
    for (const StringId type : line.owner_types) recorded.classes.push_back(code.text(type));
    lines.push_back(std::move(recorded));
  }
  return lines;
}

AnchoredSource anchor_source(const Code& code, FileId file,
                             std::shared_ptr<const Document> document,
                             const AnchorEvidence& evidence) {
  AnchoredSource source;
  source.file = file;
  source.recorded = evidence.recorded;
  if (document == nullptr) source.anchors.resize(code.files[file.value].line_count);
  else source.anchors = anchor_lines(document, recorded_lines(code, file), evidence);
  source.document = std::move(document);
  return source;
}

AnchoredSource anchor_source_on_disk(const FileSystem& files, const Code& code, FileId file,
                                     std::string_view path,
                                     std::shared_ptr<const Document> document,
                                     AnchorEvidence evidence, const CancelToken& cancel,
                                     LoadReport* report) {
  if (document != nullptr && !code.has_definitions) {  // those have no text to look for in git
    const std::vector<RecordedLine> lines = recorded_lines(code, file);
    if (!all_lines_unchanged(*document, lines)) {
      const auto version = optional_part(report, Oddity::HistoryExpensive, cancel, [&] {
        set_error_subject("the git history of " + std::string(path));
        return find_recorded_version(files, path, lines, cancel);
      });
      if (version) evidence.recorded = *version;
      set_error_subject(std::string(path));
    }
  }
  return anchor_source(code, file, std::move(document), evidence);
}

AnchoredSource anchor_source_after(const Code& code, const AnchoredSource& before,
                                   std::span<const TextEdit> edits,
                                   std::shared_ptr<const Document> document,
                                   std::shared_ptr<const PythonSyntax> syntax) {
  AnchoredSource source;
  source.file = before.file;
  source.recorded = before.recorded;
  AnchorEvidence evidence;
  evidence.syntax = std::move(syntax);
  evidence.recorded = before.recorded;
  source.anchors = anchor_after_edits(*before.document, before.anchors, edits, document,
                                      recorded_lines(code, before.file), evidence);
  source.document = std::move(document);
  return source;
}

namespace {

// Paths as the folders that the user named spell them: an editor opens the files below a folder
// that is a symbolic link by that name, and a path that was recorded here has the real one.
class RootSpelling {
 public:
  RootSpelling(const FileSystem& files, const std::vector<std::string>& roots)
      : files_(files), roots_(roots) {}

  std::string spell(std::string path) {
    const auto holds = [&](const std::string& root) { return is_below(root, path); };
    if (path.empty() || std::any_of(roots_.begin(), roots_.end(), holds)) return path;
    if (real_roots_.empty()) {
      for (const std::string& root : roots_) real_roots_.push_back(files_.without_links(root));
    }
    const std::string real = files_.without_links(path);
    for (size_t r = 0; r < roots_.size(); ++r) {
      if (real_roots_[r].empty() || !is_below(real_roots_[r], real)) continue;
      return join_path(roots_[r], relative_path(real_roots_[r], real));
    }
    return path;
  }

 private:
  const FileSystem& files_;
  const std::vector<std::string>& roots_;
  std::vector<std::string> real_roots_;
};

// Names that lead to one file, through a folder that is a link to another, are one candidate.
void drop_aliases(const FileSystem& files, MappedPath& place) {
  if (place.candidates.size() < 2) return;
  std::set<std::string> known;
  std::erase_if(place.candidates, [&](const std::string& path) {
    const std::string real = files.without_links(path);
    return !known.insert(real.empty() ? path : real).second;
  });
  if (place.candidates.size() > 1) return;
  place.path = place.candidates.front();
  place.candidates.clear();
}

void report_place(const PlacedFile& file, std::string_view recorded, LoadReport& report) {
  const MappedPath& place = file.place;
  if (place.candidates.size() > 1) {
    report.add(Oddity::SourceAmbiguous, fmt::format("{} could be {} or {}", recorded,
                                                    place.candidates[0], place.candidates[1]));
  } else if (place.path.empty()) {
    report.add(Oddity::SourceNotFound, recorded);
  } else if (!file.passed_over.empty()) {
    report.add(Oddity::SourceCopied, fmt::format("{}, not {}", place.path, file.passed_over));
  }
}

}  // namespace

std::vector<SourceLocation> find_sources(const FileSystem& files, const Code& code,
                                         const SourceSearch& search, LoadReport& report,
                                         const CancelToken& cancel) {
  std::vector<PlacedFile> places(code.files.size());
  std::vector<std::string> wanted;
  // A profile names what is installed as well, which no workspace holds.
  const auto is_elsewhere = [&](size_t f) {
    return code.has_definitions && is_installed_file(code.recorded_path(FileId(f)));
  };
  for (size_t f = 0; f < code.files.size(); ++f) {
    places[f].recorded = with_slashes(code.recorded_path(FileId(f)));
    const auto known = search.known.find(places[f].recorded);
    if (known != search.known.end()) places[f].place.path = known->second;
    else if (!is_elsewhere(f)) wanted.emplace_back(base_name(code.recorded_path(FileId(f))));
  }
  std::vector<SourceLocation> sources(code.files.size());
  RootSpelling roots(files, search.roots);
  if (!wanted.empty()) {
    const WorkspaceFiles workspace =
        WorkspaceFiles::find(files, search.roots, wanted, cancel, search.environments);
    for (size_t f = 0; f < code.files.size(); ++f) {
      if (!places[f].place.path.empty() || is_elsewhere(f)) continue;
      const std::string_view recorded = code.recorded_path(FileId(f));
      places[f].place = map_path(files, recorded, search.path_mappings, workspace);
      drop_aliases(files, places[f].place);
    }
    settle_by_siblings(places);
    for (size_t f = 0; f < code.files.size(); ++f) {
      if (!is_elsewhere(f)) report_place(places[f], code.recorded_path(FileId(f)), report);
    }
  }
  for (size_t f = 0; f < code.files.size(); ++f) {
    MappedPath& place = places[f].place;
    sources[f] = {roots.spell(std::move(place.path)), std::move(place.candidates)};
  }
  return sources;
}

std::vector<AnchoredSource> read_and_anchor(const FileSystem& files, const Code& code,
                                            const std::vector<SourceLocation>& sources,
                                            LoadReport* report, const CancelToken& cancel,
                                            const FileSystem* texts) {
  std::vector<AnchoredSource> anchored(sources.size());
  // One budget for all, of which each takes at most half of what the others left.
  const Result<void> all = within_budget(cancel, [&]() -> Result<void> {
    for (size_t f = 0; f < sources.size(); ++f) {
      const std::string& path = sources[f].path;
      if (path.empty()) continue;
      auto source = optional_part(report, Oddity::SourceExpensive, cancel, [&] {
        return anchor_source_on_disk(files, code, FileId(f), path,
                                     read_source(texts == nullptr ? files : *texts, path), {},
                                     cancel, report);
      });
      if (source) anchored[f] = *std::move(source);
    }
    return {};
  });
  if (!all && report != nullptr && all.error().code != ErrorCode::Cancelled)
    report->add(Oddity::SourceExpensive, all.error().message);
  for (size_t f = 0; f < sources.size(); ++f) {
    if (anchored[f].document == nullptr) anchored[f] = anchor_source(code, FileId(f), nullptr);
  }
  return anchored;
}

}  // namespace etlens
