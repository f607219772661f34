// SPDX-License-Identifier: Apache-2.0
#include "core/code/line_collector.h"

namespace etlens {

void LineCollector::add(FrameId frame) {
  if (is_added_[frame.value]) return;
  is_added_[frame.value] = true;
  const Frame& row = record_.frames[frame.value];
  const auto [at, is_new] = order_of_file_.try_emplace(row.file, files_.size());
  if (is_new) files_.push_back(row.file);
  const auto [known, is_first] = rows_.try_emplace({at->second, row.line}, Row{frame, {}});
  const bool was_recovered = record_.frames[known->second.frame.value].is_recovered;
  if (!is_first && was_recovered && !row.is_recovered) known->second.frame = frame;
}

void LineCollector::store(Code& code) {
  for (const StringId file : files_) code.files.push_back({file, 0, 0});
  for (auto& [key, row] : rows_) {
    CodeFile& file = code.files[key.first];
    if (file.line_count++ == 0) file.first_line = static_cast<uint32_t>(code.lines.size());
    row.line = LineId(code.lines.size());
    const Frame& frame = record_.frames[row.frame.value];
    code.lines.push_back(
        {FileId(key.first), frame.line, frame.function, frame.text, 0, {}, frame.is_recovered});
  }
  line_of_.resize(is_added_.size());
  for (size_t f = 0; f < is_added_.size(); ++f) {
    if (!is_added_[f]) continue;
    const Frame& frame = record_.frames[f];
    line_of_[f] = rows_.at({order_of_file_.at(frame.file), frame.line}).line;
  }
}

LineId LineCollector::find(FrameId frame) const {
  return frame.valid() ? line_of_[frame.value] : LineId();
}

}  // namespace etlens
