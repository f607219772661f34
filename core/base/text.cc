// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace etlens {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Bytes at the front of `text` that are characters of their own.
size_t ascii_length(std::string_view text) {
  const auto end = std::find_if(text.begin(), text.end(),
                                [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
  return static_cast<size_t>(end - text.begin());
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

size_t indent_of(std::string_view line) {
  size_t column = 0;
  for (const char c : line) {
    if (c == '\t') column += 8 - column % 8;
    else if (c == ' ') ++column;
    else break;
  }
  return column;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t at = text.find('\n');
    std::string_view line = text.substr(0, at);
    if (at != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  return lines;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::optional<int64_t> parse_int(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The run of digits at the front, which is taken away from `text`; without zeros in front.
std::string_view take_number(std::string_view& text) {
  const size_t end = std::find_if_not(text.begin(), text.end(), is_digit) - text.begin();
  std::string_view digits = text.substr(0, end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  text.remove_prefix(end);
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

bool glob_match(std::string_view pattern, std::string_view text) {
  // Backtracks to the last star only, so the time is at most |pattern| * |text|.
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, star_text = 0;
  size_t double_star = std::string_view::npos, double_star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      if (p + 1 < pattern.size() && pattern[p + 1] == '*') {
        p += 2;
        if (p < pattern.size() && pattern[p] == '/') ++p;  // **/ also matches no folder at all
        double_star = p, double_star_text = t;
        star = std::string_view::npos;
      } else {
        star = ++p, star_text = t;
      }
      continue;
    }
    if (p < pattern.size() && (pattern[p] == text[t] || (pattern[p] == '?' && text[t] != '/'))) {
      ++p, ++t;
      continue;
    }
    if (star != std::string_view::npos && text[star_text] != '/') {
      p = star, t = ++star_text;
      continue;
    }
    if (double_star != std::string_view::npos) {
      star = std::string_view::npos;
      p = double_star, t = ++double_star_text;
      continue;
    }
    return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = ascii_length(text);
    valid += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const CodePoint point = decode_utf8(text);
    valid += point.length == 0 ? kReplacementCharacter : text.substr(0, point.length);
    text.remove_prefix(std::max<size_t>(1, point.length));
  }
  return valid;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (point.length == 0) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return {first, 1};
  size_t length = 0;
  uint32_t value = 0;
  uint32_t smallest = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2, value = first & 0x1F, smallest = 0x80;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3, value = first & 0x0F, smallest = 0x800;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4, value = first & 0x07, smallest = 0x10000;
  } else {
    return {};
  }
  if (text.size() < length) return {};
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < smallest || value > 0x10FFFF || surrogate) return {};
  return {value, length};
}

size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const size_t length = decode_utf8(text).length;
  return length == 0 ? 1 : length;
}

size_t utf8_count(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(utf8_length(text));
  return count;
}

std::optional<std::vector<uint8_t>> base64_decode(std::string_view text, size_t limit) {
  static constexpr std::array<int8_t, 256> kDigits = [] {
    std::array<int8_t, 256> digits{};
    digits.fill(-1);
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < kAlphabet.size(); ++i) {
      digits[static_cast<uint8_t>(kAlphabet[i])] = static_cast<int8_t>(i);
    }
    return digits;
  }();
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<uint8_t> bytes;
  const size_t whole = text.size() / 4 * 3 + (text.size() % 4) * 3 / 4;
  bytes.reserve(whole < limit ? whole : limit);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const int8_t digit = kDigits[static_cast<uint8_t>(c)];
    if (digit < 0) return std::nullopt;
    group = group << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    if (bytes.size() == limit) return bytes;
    bytes.push_back(static_cast<uint8_t>(group >> bits));
  }
  return bytes;
}

std::string counted(size_t n, std::string_view singular, std::string_view plural) {
  std::string text = std::to_string(n) + " ";
  if (n == 1) return text += singular;
  if (!plural.empty()) return text += plural;
  return (text += singular) += 's';
}

std::string with_other_reasons(std::string_view sentence, size_t others) {
  std::string text(sentence);
  if (others == 0) return text;
  if (text.ends_with('.')) text.pop_back();
  return text + " (and " + counted(others, "more reason") + ").";
}

std::string base64_encode(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t b = 0; b < 3; ++b)
      group = group << 8 | (b < n ? static_cast<unsigned char>(bytes[i + b]) : 0U);
    for (size_t c = 0; c < 4; ++c) text += c <= n ? kLetters[group >> (18 - 6 * c) & 63] : '=';
  }
  return text;
}

}  // namespace etlens
