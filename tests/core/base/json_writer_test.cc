// SPDX-License-Identifier: Apache-2.0
// JSON in both styles: nesting, strings from anywhere, numbers.
#include "core/base/json_writer.h"

#include <limits>

namespace etlens::json_writer_test {

namespace {

std::string spaced(auto value) {
  JsonWriter json;
  return json.value(value).take();
}

std::string compact(auto value) {
  JsonWriter json(JsonStyle::Compact);
  return json.value(value).take();
}

std::string message(std::string_view text) {
  JsonWriter json(JsonStyle::Message);
  return json.value(text).take();
}

std::string exact_in_message(std::string_view text) {
  JsonWriter json(JsonStyle::Message);
  return json.exact(text).take();
}

std::string nested(JsonStyle style) {
  JsonWriter json(style);
  json.begin_object().field("a", 1).key("b").begin_array().value("x").value(true).null();
  json.begin_object().end_object().begin_array().end_array().end_array();
  json.key("raw").raw("[1]").field("c", "y").end_object();
  return json.take();
}

}  // namespace

TEST_CASE("json writer: styles", "[json]") {
  CHECK(nested(JsonStyle::Spaced) ==
        "{\"a\": 1, \"b\": [\"x\", true, null, {}, []], \"raw\": [1], \"c\": \"y\"}\n");
  CHECK(nested(JsonStyle::Compact) == R"({"a":1,"b":["x",true,null,{},[]],"raw":[1],"c":"y"})");
}

TEST_CASE("json writer: strings from anywhere", "[json]") {
  CHECK(spaced("\"\\\n\t\r\x01\x1f\x7f") == R"("\"\\\n\t\r\u0001\u001f\u007f")");
  CHECK(spaced(std::string_view("a\0b", 3)) == R"("a\u0000b")");
  CHECK(spaced("\u0085\u202e\u2069\u202f") == "\"\\u0085\\u202e\\u2069\u202f\"");
  // What a message says is shown by who reads it.
  CHECK(message("\"\\\n\t\r\x1b\x7f\u009b\u202e") ==
        "\"\\\"\\\\\\n\\t\\r\uFFFD\uFFFD\uFFFD<U+202E>\"");
  CHECK(compact("größe 深度 😀") == "\"größe 深度 😀\"");
  CHECK(compact("a\xFF\xC3z\xE2\x82") == "\"a\uFFFD\uFFFDz\uFFFD\uFFFD\"");
  CHECK(compact("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");  // a surrogate
  JsonWriter json(JsonStyle::Compact);
  CHECK(json.begin_object().field("a\"\n", 1).end_object().text() == R"({"a\"\n":1})");
}

TEST_CASE("json writer: what nobody sees is escaped in data, and shown in messages", "[json]") {
  struct Row {
    const char* text;
    const char* in_data;
    const char* in_message;
  };
  constexpr Row kRows[] = {
      {"a\u200Bb", R"("a\u200bb")", R"("a<U+200B>b")"},
      {"\u00AD", R"("\u00ad")", R"("<U+00AD>")"},
      {"\u2028\u2029", R"("\u2028\u2029")", R"("<U+2028><U+2029>")"},
      {"\uFEFF", R"("\ufeff")", R"("<U+FEFF>")"},
      {"\uFFF9", R"("\ufff9")", R"("<U+FFF9>")"},
      {"\U0001D173", R"("\ud834\udd73")", R"("<U+1D173>")"},
      {"\U000E0041", R"("\udb40\udc41")", R"("<U+E0041>")"},
      {"\U000E01EF", R"("\udb40\uddef")", R"("<U+E01EF>")"},
  };
  for (const Row& row : kRows) {
    CHECK(spaced(row.text) == row.in_data);
    CHECK(compact(row.text) == row.in_data);
    CHECK(exact_in_message(row.text) == row.in_data);
    CHECK(nlohmann::json::parse(row.in_data) == row.text);  // the same string
    CHECK(message(row.text) == row.in_message);
  }
}

TEST_CASE("json writer: integers", "[json]") {
  CHECK(compact(int64_t{-5}) == "-5");
  CHECK(compact(INT64_MIN) == "-9223372036854775808");
  CHECK(compact(UINT64_MAX) == "18446744073709551615");
  CHECK(compact(uint8_t{200}) == "200");
}

TEST_CASE("json writer: doubles in the digits of each style", "[json]") {
  const auto [value, in_spaced, in_compact] = GENERATE(table<double, const char*, const char*>({
      {0.0, "0", "0"},
      {-0.0, "-0", "-0"},
      {1.0, "1", "1"},
      {0.1, "0.1", "0.1"},
      {-2.5, "-2.5", "-2.5"},
      {100000.0, "100000", "1e+05"},
      {0.0001, "0.0001", "1e-04"},
      {0.00001, "1e-05", "1e-05"},
      {9007199254740994.0, "9007199254740994", "9007199254740994"},
      {1e16, "1e+16", "1e+16"},
      {std::numeric_limits<double>::quiet_NaN(), "\"NaN\"", "null"},
      {std::numeric_limits<double>::infinity(), "\"Infinity\"", "null"},
      {-std::numeric_limits<double>::infinity(), "\"-Infinity\"", "null"},
  }));
  CHECK(spaced(value) == in_spaced);
  CHECK(compact(value) == in_compact);
}

TEST_CASE("json writer: doubles survive the way back", "[json]") {
  for (const double value : {0.1, 1e-9, 123456789.125, 5e-324, 1.7976931348623157e308, -0.0}) {
    CHECK(nlohmann::json::parse(spaced(value)).get<double>() == value);
    CHECK(nlohmann::json::parse(compact(value)).get<double>() == value);
  }
}

}  // namespace etlens::json_writer_test
