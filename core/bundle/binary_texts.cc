// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/binary_texts.h"

#include <algorithm>
#include <cstring>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kLeastText = 4;
constexpr size_t kMostText = 1 << 20;
constexpr size_t kLength = 4;  // bytes of a length

uint32_t length_at(std::span<const uint8_t> bytes, size_t at) {
  return uint32_t{bytes[at]} | uint32_t{bytes[at + 1]} << 8 | uint32_t{bytes[at + 2]} << 16 |
         uint32_t{bytes[at + 3]} << 24;
}

bool is_printable(uint8_t c) {
  return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t' || c == '\r';
}

// Calls `take(begin, size)` for each text; lengths are aligned to four bytes, as in every FlatBuffer.
template <typename Take>
void each_text(std::span<const uint8_t> bytes, const Take& take) {
  for (size_t at = 0; at + kLength + kLeastText <= bytes.size();) {
    go_on();
    const size_t length = length_at(bytes, at), begin = at + kLength;
    at += kLength;
    if (length < kLeastText || length > kMostText || begin + length > bytes.size()) continue;
    const std::span<const uint8_t> text = bytes.subspan(begin, length);
    if (!std::ranges::all_of(text, is_printable)) continue;
    if (!is_valid_utf8({reinterpret_cast<const char*>(text.data()), length})) continue;
    take(begin, length);
    at = begin + length / kLength * kLength;
  }
}

}  // namespace

void see_binary_texts(std::span<const uint8_t> bytes,
                      const std::function<void(std::string_view)>& see) {
  each_text(bytes, [&](size_t begin, size_t size) {
    see({reinterpret_cast<const char*>(bytes.data()) + begin, size});
  });
}

void replace_binary_texts(std::span<uint8_t> bytes,
                          const std::function<std::string(std::string_view)>& replace) {
  each_text(bytes, [&](size_t begin, size_t size) {
    char* const at = reinterpret_cast<char*>(bytes.data()) + begin;
    const std::string text = replace({at, size});
    if (text.size() == size) std::memcpy(at, text.data(), size);
  });
}

}  // namespace etlens
