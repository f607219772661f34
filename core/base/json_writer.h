// SPDX-License-Identifier: Apache-2.0
// Writes JSON front to back into one string. It is our own because answers with thousands of hints
// are written once, without a tree in between. Strings may hold anything: control characters and
// those that nobody sees (core/base/shown_text.h) are escaped, and every byte that is no UTF-8
// becomes U+FFFD.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlens {

enum class JsonStyle {
  // For files: blanks behind commas and colons and a line feed at the end. Doubles have the digits
  // and the exponent that Python gives them (100000, 0.0001, 1e-05); NaN and the infinities are the
  // strings "NaN", "Infinity" and "-Infinity".
  Spaced,
  // For rows of data: nothing between the tokens. Doubles are as short as they can be (1e+05);
  // those that are not finite are null.
  Compact,
  // For messages and traces, whose readers show strings as they are: as Compact, but for characters
  // that must not be shown stands in strings what is shown in their place.
  Message,
};

// The caller keeps the grammar: keys only in objects, one value behind each.
class JsonWriter {
 public:
  explicit JsonWriter(JsonStyle style = JsonStyle::Spaced) : style_(style) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  // As it is, in every style: addresses and ids, which come back.
  JsonWriter& exact(std::string_view text);
  JsonWriter& value(double number);
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(std::integral auto number) {
    if constexpr (std::is_signed_v<decltype(number)>) return integer(number);
    else return unsigned_integer(number);
  }
  JsonWriter& null() { return raw("null"); }
  // A value that is JSON text already.
  JsonWriter& raw(std::string_view json);

  template <typename T>
  JsonWriter& field(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }

  void reserve(size_t bytes) { out_.reserve(bytes); }
  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& integer(int64_t number);
  JsonWriter& unsigned_integer(uint64_t number);
  void begin_item();

  JsonStyle style_;
  std::string out_;
  size_t depth_ = 0;        // open brackets
  bool is_behind_ = false;  // the next item has one in front of it in its object or array
};

}  // namespace etlens
