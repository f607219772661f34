// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_collector.h"

namespace etlens {

void LineCollector::add(FrameId frame) {
  const Frame& row = record_.frames[frame.value];
  const auto [at, is_new] = order_of_file_.try_emplace(row.file, files_.size());
  if (is_new) files_.push_back(row.file);
  const auto [known, is_first] = frames_.try_emplace({at->second, row.line}, frame);
  if (!is_first && record_.frames[known->second.value].is_recovered) known->second = frame;
}

void LineCollector::store(Code& code) {
  for (const StringId file : files_) code.files.push_back({file, 0, 0});
  for (const auto& [key, frame] : frames_) {
    CodeFile& file = code.files[key.first];
    if (file.line_count++ == 0) file.first_line = static_cast<uint32_t>(code.lines.size());
    lines_.emplace(key, LineId(code.lines.size()));
    const Frame& row = record_.frames[frame.value];
    code.lines.push_back(
        {FileId(key.first), row.line, row.function, row.text, 0, {}, row.is_recovered});
  }
}

LineId LineCollector::find(FrameId frame) const {
  if (!frame.valid()) return {};
  const Frame& row = record_.frames[frame.value];
  const auto file = order_of_file_.find(row.file);
  if (file == order_of_file_.end()) return {};
  const auto at = lines_.find({file->second, row.line});
  return at == lines_.end() ? LineId() : at->second;
}

}  // namespace etlens
