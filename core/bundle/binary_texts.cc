// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/binary_texts.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kSurelyText = 4;  // shorter ones may be numbers, unless an offset leads to them
constexpr size_t kKnownText = 8;   // shorter ones are looked up, where it is known which there are
constexpr size_t kMostText = 1 << 20;
constexpr size_t kLength = 4;  // bytes of a length

uint32_t number_at(std::span<const uint8_t> bytes, size_t at) {
  return uint32_t{bytes[at]} | uint32_t{bytes[at + 1]} << 8 | uint32_t{bytes[at + 2]} << 16 |
         uint32_t{bytes[at + 3]} << 24;
}

bool is_printable(uint8_t c) {
  return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t' || c == '\r';
}

// Calls `take(begin, size)` for each run of bytes that has the form of a text of two bytes and more, and goes on behind it if
// that is true. Lengths are aligned to four bytes, as in every FlatBuffer.
template <typename Take>
void each_candidate(std::span<const uint8_t> bytes, const Take& take) {
  for (size_t at = 0; at + kLength < bytes.size();) {
    go_on();
    const size_t length = number_at(bytes, at), begin = at + kLength;
    at += kLength;
    if (length < 2 || length > kMostText || begin + length > bytes.size()) continue;
    const std::span<const uint8_t> text = bytes.subspan(begin, length);
    if (!std::ranges::all_of(text, is_printable)) continue;
    if (!is_valid_utf8({reinterpret_cast<const char*>(text.data()), length})) continue;
    if (take(begin, length)) at = begin + length / kLength * kLength;
  }
}

// Where short texts begin that an offset of the table leads to.
std::unordered_set<size_t> short_texts(std::span<const uint8_t> bytes) {
  std::unordered_set<size_t> candidates, found;
  each_candidate(bytes, [&](size_t begin, size_t size) {
    if (size < kSurelyText) candidates.insert(begin);
    return size >= kSurelyText;
  });
  for (size_t at = 0; !candidates.empty() && at + kLength <= bytes.size(); at += kLength) {
    go_on();
    const size_t begin = at + number_at(bytes, at) + kLength;
    if (candidates.contains(begin)) found.insert(begin);
  }
  return found;
}

template <typename Take>
void each_text(std::span<const uint8_t> bytes, const IsText& is_known, const Take& take) {
  if (is_known) {
    each_candidate(bytes, [&](size_t begin, size_t size) {
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + begin, size);
      const bool is_text = size >= kKnownText || is_known(text);
      if (is_text) take(begin, size);
      return is_text;
    });
    return;
  }
  const std::unordered_set<size_t> shorts = short_texts(bytes);
  each_candidate(bytes, [&](size_t begin, size_t size) {
    const bool is_text = size >= kSurelyText || shorts.contains(begin);
    if (is_text) take(begin, size);
    return is_text;
  });
}

}  // namespace

void see_binary_texts(std::span<const uint8_t> bytes,
                      const std::function<void(std::string_view)>& see, const IsText& is_known) {
  each_text(bytes, is_known, [&](size_t begin, size_t size) {
    see({reinterpret_cast<const char*>(bytes.data()) + begin, size});
  });
}

void replace_binary_texts(std::span<uint8_t> bytes,
                          const std::function<std::string(std::string_view)>& replace,
                          const IsText& is_known) {
  each_text(bytes, is_known, [&](size_t begin, size_t size) {
    char* const at = reinterpret_cast<char*>(bytes.data()) + begin;
    const std::string text = replace({at, size});
    if (text.size() == size) std::memcpy(at, text.data(), size);
  });
}

}  // namespace etlens
