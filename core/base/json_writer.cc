// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_writer.h"

#include <charconv>
#include <cmath>
#include <iterator>

#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens {
namespace {

bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

void append_code_unit(std::string& out, uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 15];
}

// `character`: one that JSON strings cannot hold, or that must not be shown as it is. Data hold its
// number, so that the string stays the same; what is shown, something else in its place.
void append_escape(std::string& out, std::string_view character, bool is_shown) {
  switch (character[0]) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const CodePoint point = decode_utf8(character);
  if (point.length == 0 || is_shown) {
    out += shown_instead(character);
  } else if (point.value < 0x10000) {
    append_code_unit(out, point.value);
  } else {
    append_code_unit(out, 0xD800 + ((point.value - 0x10000) >> 10));
    append_code_unit(out, 0xDC00 + (point.value & 0x3FF));
  }
}

void append_string(std::string& out, std::string_view text, bool is_shown) {
  out += '"';
  size_t copied = 0;  // begin of the part that is copied as it is
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_plain(c)) {
      ++i;
      continue;
    }
    const std::string_view rest = text.substr(i);
    const bool is_syntax = c == '"' || c == '\\';
    const size_t unsafe = is_syntax ? 1 : unsafe_length(rest);
    if (unsafe == 0) {
      i += utf8_length(rest);
      continue;
    }
    out.append(text, copied, i - copied);
    append_escape(out, rest.substr(0, unsafe), is_shown);
    copied = i += unsafe;
  }
  out.append(text, copied);
  out += '"';
}

template <typename... Number>
void append_number(std::string& out, Number... number) {
  char digits[32];  // more than any shortest double or 64-bit integer has
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number...).ptr;
  out.append(digits, end);
}

void append_spaced_double(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "\"NaN\"";
  } else if (std::isinf(number)) {
    out += number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    const double size = std::fabs(number);
    const bool is_fixed = size == 0 || (size >= 1e-4 && size < 1e16);
    append_number(out, number, is_fixed ? std::chars_format::fixed : std::chars_format::scientific);
  }
}

void append_compact_double(std::string& out, double number) {
  if (std::isfinite(number)) append_number(out, number);
  else out += "null";
}

}  // namespace

void JsonWriter::begin_item() {
  if (is_behind_) out_ += style_ == JsonStyle::Spaced ? ", " : ",";
  is_behind_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  begin_item();
  out_ += bracket;
  ++depth_;
  is_behind_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  --depth_;
  is_behind_ = true;
  if (depth_ == 0 && style_ == JsonStyle::Spaced) out_ += '\n';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  begin_item();
  append_string(out_, name, style_ == JsonStyle::Message);
  out_ += style_ == JsonStyle::Spaced ? ": " : ":";
  is_behind_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  begin_item();
  append_string(out_, text, style_ == JsonStyle::Message);
  return *this;
}

JsonWriter& JsonWriter::exact(std::string_view text) {
  begin_item();
  append_string(out_, text, false);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  begin_item();
  if (style_ == JsonStyle::Spaced) append_spaced_double(out_, number);
  else append_compact_double(out_, number);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  begin_item();
  out_ += json;
  return *this;
}

JsonWriter& JsonWriter::integer(int64_t number) {
  begin_item();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_integer(uint64_t number) {
  begin_item();
  append_number(out_, number);
  return *this;
}

}  // namespace etlens
