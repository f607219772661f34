// SPDX-License-Identifier: Apache-2.0
#include "server/session/edit_log.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace etlens {
namespace {

// More than this is not worth remembering: anchoring starts from the text.
constexpr size_t kMaxEdits = 1000;
constexpr size_t kMaxEditBytes = 1 << 20;

// Makes one edit of two, the second of the text that the first left; false if they do not meet.
bool join_edits(TextEdit& first, const TextEdit& second) {
  const size_t end = first.begin + first.text.size();
  if (second.begin > end || second.end < first.begin) return false;
  const size_t from = std::max(second.begin, first.begin) - first.begin;
  const size_t to = std::min(second.end, end) - first.begin;
  first.text.replace(from, to - from, second.text);
  first.begin = std::min(first.begin, second.begin);
  first.end += second.end > end ? second.end - end : 0;
  return true;
}

}  // namespace

void EditLog::add(uint64_t revision, TextEdit edit) {
  bytes_ += edit.text.size();
  rows_.push_back({revision, std::move(edit)});
  // All edits of one revision go together: the texts between them were nobody's.
  while (rows_.size() > kMaxEdits || bytes_ > kMaxEditBytes) {
    base_ = rows_.front().revision;
    while (!rows_.empty() && rows_.front().revision == base_) {
      bytes_ -= rows_.front().edit.text.size();
      rows_.pop_front();
    }
  }
}

std::optional<std::vector<TextEdit>> EditLog::since(uint64_t revision) const {
  if (revision < base_) return std::nullopt;
  const auto first = std::partition_point(rows_.begin(), rows_.end(),
                                          [&](const Row& row) { return row.revision <= revision; });
  std::vector<TextEdit> edits;
  for (auto row = first; row != rows_.end(); ++row) {
    if (edits.empty() || !join_edits(edits.back(), row->edit)) edits.push_back(row->edit);
  }
  return edits;
}

}  // namespace etlens
