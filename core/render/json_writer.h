// SPDX-License-Identifier: Apache-2.0
// Writes JSON front to back into a string. Strings may hold anything: what is not UTF-8 becomes
// U+FFFD. Numbers that JSON has no word for (NaN, infinities) become strings.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool flag);
  JsonWriter& value(std::integral auto number) {
    if constexpr (std::is_signed_v<decltype(number)>) return integer(number);
    else return unsigned_integer(number);
  }
  JsonWriter& null();

  template <typename T>
  JsonWriter& field(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& integer(int64_t number);
  JsonWriter& unsigned_integer(uint64_t number);
  void comma();
  void escape(std::string_view text);

  std::string out_;
  std::vector<bool> has_items_;  // per open bracket
  bool after_key_ = false;
};

// A double in Python's shortest form: "0.1", "1.0", "1e-05", "1e+16", "nan", "inf".
std::string python_float(double value);

}  // namespace etlens
