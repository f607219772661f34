// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/anchored_source.h"

#include <fmt/format.h>

#include "core/base/optional_part.h"
#include "core/base/path.h"
#include "core/code/library_frame.h"
#include "core/source/anchor/edited_anchors.h"
#include "core/source/anchor/same_lines.h"
#include "core/source/git/git_blob.h"
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
        work_on("the git history of " + std::string(path));
        return find_recorded_version(files, path, lines, cancel);
      });
      if (version) evidence.recorded = *version;
      work_on(std::string(path));
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

std::vector<SourceLocation> find_sources(const FileSystem& files, const Code& code,
                                         const SourceSearch& search, LoadReport& report,
                                         const CancelToken& cancel) {
  std::vector<SourceLocation> sources(code.files.size());
  std::vector<std::string> wanted;
  // A profile names what is installed as well, which no workspace holds.
  const auto is_elsewhere = [&](size_t f) {
    return code.has_definitions && is_installed_file(code.recorded_path(FileId(f)));
  };
  for (size_t f = 0; f < code.files.size(); ++f) {
    const auto known = search.known.find(with_slashes(code.recorded_path(FileId(f))));
    if (known != search.known.end()) sources[f].path = known->second;
    else if (!is_elsewhere(f)) wanted.emplace_back(base_name(code.recorded_path(FileId(f))));
  }
  if (wanted.empty()) return sources;
  const WorkspaceFiles workspace = WorkspaceFiles::find(files, search.roots, wanted, cancel);
  for (size_t f = 0; f < code.files.size(); ++f) {
    if (!sources[f].path.empty() || is_elsewhere(f)) continue;
    const std::string_view recorded = code.recorded_path(FileId(f));
    MappedPath mapped = map_path(files, recorded, search.path_mappings, workspace);
    if (mapped.candidates.size() > 1) {
      report.add(Oddity::SourceAmbiguous, fmt::format("{} could be {} or {}", recorded,
                                                      mapped.candidates[0], mapped.candidates[1]));
    } else if (mapped.path.empty()) {
      report.add(Oddity::SourceNotFound, recorded);
    }
    sources[f] = {std::move(mapped.path), std::move(mapped.candidates)};
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
