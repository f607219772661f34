// SPDX-License-Identifier: Apache-2.0
#include "core/anchored_source.h"

namespace etlens {

AnchoredSource anchor_source(const Profile& profile, FileId file,
                             std::shared_ptr<const Document> document) {
  AnchoredSource source;
  source.file = file;
  const FileRow& row = profile.files[file.value];
  if (document == nullptr) {
    source.anchors.resize(row.line_count);
    return source;
  }
  std::vector<RecordedLine> lines;
  lines.reserve(row.line_count);
  for (uint32_t i = 0; i < row.line_count; ++i) {
    const LineRow& line = profile.lines[row.first_line + i];
    const Frame& frame = profile.record->frames[line.frame.value];
    lines.push_back({line.line, profile.record->text(frame.function), profile.record->text(frame.text)});
  }
  source.anchors = anchor_lines(document, lines);
  source.document = std::move(document);
  return source;
}

std::vector<AnchoredSource> read_and_anchor(const FileSystem& files, const ProfileSnapshot& snapshot) {
  std::vector<AnchoredSource> sources;
  for (size_t f = 0; f < snapshot.sources.size(); ++f) {
    std::shared_ptr<const Document> document;
    if (!snapshot.sources[f].path.empty()) {
      if (const Result<Bytes> text = files.read(snapshot.sources[f].path)) {
        document = std::make_shared<Document>(std::string(text->text()));
      }
    }
    sources.push_back(anchor_source(snapshot.profile, FileId(f), std::move(document)));
  }
  return sources;
}

}  // namespace etlens
