// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/anchored_source.h"

#include "core/source/anchor/edited_anchors.h"
#include "core/source/git/git_blob.h"
#include "core/source/anchor/same_lines.h"

namespace etlens {

std::vector<RecordedLine> recorded_lines(const Profile& profile, FileId file) {
  const FileRow& row = profile.files[file.value];
  std::vector<RecordedLine> lines;
  lines.reserve(row.line_count);
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const LineRow& line = profile.lines[row.first_line + i];
    const Frame& frame = profile.record->frames[line.frame.value];
    RecordedLine recorded{line.line, profile.record->text(frame.function),
                          profile.record->text(frame.text)};
    for (const StringId type : line.owner_types)
      recorded.classes.push_back(profile.record->text(type));
    lines.push_back(std::move(recorded));
  }
  return lines;
}

AnchoredSource anchor_source(const Profile& profile, FileId file,
                             std::shared_ptr<const Document> document,
                             const AnchorEvidence& evidence) {
  AnchoredSource source;
  source.file = file;
  source.recorded = evidence.recorded;
  if (document == nullptr) source.anchors.resize(profile.files[file.value].line_count);
  else source.anchors = anchor_lines(document, recorded_lines(profile, file), evidence);
  source.document = std::move(document);
  return source;
}

AnchoredSource anchor_source_on_disk(const FileSystem& files, const Profile& profile, FileId file,
                                     std::string_view path,
                                     std::shared_ptr<const Document> document,
                                     AnchorEvidence evidence, const CancelToken& cancel) {
  if (document != nullptr) {
    const std::vector<RecordedLine> lines = recorded_lines(profile, file);
    if (!all_lines_unchanged(*document, lines)) {
      evidence.recorded = find_recorded_version(files, path, lines, cancel);
    }
  }
  return anchor_source(profile, file, std::move(document), evidence);
}

AnchoredSource anchor_source_after(const Profile& profile, const AnchoredSource& before,
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
                                      recorded_lines(profile, before.file), evidence);
  source.document = std::move(document);
  return source;
}

std::vector<AnchoredSource> read_and_anchor(const FileSystem& files,
                                            const ProfileSnapshot& snapshot) {
  std::vector<AnchoredSource> sources;
  for (size_t f = 0; f < snapshot.sources.size(); ++f) {
    std::shared_ptr<const Document> document;
    if (!snapshot.sources[f].path.empty()) {
      if (const Result<Bytes> text = files.read(snapshot.sources[f].path)) {
        document = std::make_shared<Document>(std::string(text->text()));
      }
    }
    sources.push_back(anchor_source_on_disk(files, snapshot.profile, FileId(f),
                                            snapshot.sources[f].path, std::move(document)));
  }
  return sources;
}

}  // namespace etlens
