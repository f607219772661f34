// SPDX-License-Identifier: Apache-2.0
#include "core/source/document.h"

#include <algorithm>

namespace etlens {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Document::Document(std::string text) : text_(std::move(text)), starts_{0} {
  add_breaks(0, text_.size());
}

void Document::add_breaks(size_t begin, size_t end) {
  const std::string_view text(text_);
  const std::string_view part = text.substr(0, end);
  // Most texts have no carriage return, and one character is found many bytes at a time.
  size_t carriage = part.find('\r', begin);
  for (size_t feed = part.find('\n', begin); feed != part.npos; feed = part.find('\n', feed + 1)) {
    for (; carriage < feed; carriage = part.find('\r', carriage + 1)) {
      if (carriage + 1 != feed) starts_.push_back(carriage + 1);
    }
    starts_.push_back(feed + 1);
  }
  for (; carriage != part.npos; carriage = part.find('\r', carriage + 1)) {
    const size_t next = carriage + 1;
    if (next == text.size() || text[next] != '\n') starts_.push_back(next);
  }
}

std::string_view Document::line(size_t number) const {
  if (number >= starts_.size()) return {};
  const size_t begin = starts_[number];
  const size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  if (number == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return line;
}

size_t Document::line_at(size_t offset) const {
  const auto at = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<size_t>(at - starts_.begin()) - 1;
}

size_t Document::offset_of(size_t number, size_t column) const {
  if (number >= starts_.size()) return text_.size();
  const std::string_view text = line(number);
  return static_cast<size_t>(text.data() - text_.data()) + std::min(column, text.size());
}

Document Document::edited(const TextEdit& edit) const {
  const size_t begin = std::min(edit.begin, text_.size());
  const size_t end = std::clamp(edit.end, begin, text_.size());
  Document after;
  after.text_.reserve(text_.size() - (end - begin) + edit.text.size());
  after.text_.append(text_, 0, begin).append(edit.text).append(text_, end);

  // A carriage return breaks the line unless a line feed follows, so the byte before the edit may
  // break differently than before; every break at or behind the edit's end stays as it was.
  const size_t kept = static_cast<size_t>(
      std::lower_bound(starts_.begin(), starts_.end(), std::max<size_t>(begin, 1)) -
      starts_.begin());
  const auto added = static_cast<size_t>(std::count(edit.text.begin(), edit.text.end(), '\n'));
  after.starts_.reserve(starts_.size() + added + 2);
  after.starts_.reserve(starts_.size() + 1);
  after.starts_.assign(starts_.begin(), starts_.begin() + static_cast<ptrdiff_t>(kept));
  after.add_breaks(begin == 0 ? 0 : begin - 1, begin + edit.text.size());
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), end);
  for (auto at = behind; at != starts_.end(); ++at) {
    after.starts_.push_back(*at - end + begin + edit.text.size());
  }
  return after;
}

Document Document::edited(std::span<const TextEdit> edits) const {
  Document after = *this;
  for (const TextEdit& edit : edits) after = after.edited(edit);
  return after;
}

}  // namespace etlens
