// SPDX-License-Identifier: Apache-2.0
#include "core/render/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/text.h"

namespace etlens {

JsonWriter& JsonWriter::open(char bracket) {
  comma();
  out_ += bracket;
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  has_items_.pop_back();
  if (has_items_.empty()) out_ += '\n';
  return *this;
}

void JsonWriter::comma() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ += ", ";
  has_items_.back() = true;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  comma();
  escape(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  comma();
  escape(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  comma();
  if (std::isfinite(number)) {
    fmt::format_to(std::back_inserter(out_), "{}", number);
  } else {
    out_ += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  }
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  comma();
  out_ += flag ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  comma();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::integer(int64_t number) {
  comma();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_integer(uint64_t number) {
  comma();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  return *this;
}

void JsonWriter::escape(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
      out_ += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (c >= 0x80) {
      const size_t length = utf8_length(text);
      out_ += length == 1 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    switch (c) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\t':
        out_ += "\\t";
        break;
      case '\r':
        out_ += "\\r";
        break;
      default:
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", c);
        break;
    }
    text.remove_prefix(1);
  }
  out_ += '"';
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace etlens
