// SPDX-License-Identifier: Apache-2.0
#include "core/source/document.h"

#include <algorithm>

namespace etlens {

Document::Document(std::string text) : text_(std::move(text)), starts_{0} {
  for (size_t i = 0; i < text_.size(); ++i) {
    const bool is_break = text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'));
    if (is_break) starts_.push_back(i + 1);
  }
}

std::string_view Document::line(size_t number) const {
  if (number >= starts_.size()) return {};
  const size_t begin = starts_[number];
  const size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (number == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return line;
}

size_t Document::line_at(size_t offset) const {
  const auto at = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<size_t>(at - starts_.begin()) - 1;
}

}  // namespace etlens
