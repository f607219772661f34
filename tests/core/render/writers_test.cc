// SPDX-License-Identifier: Apache-2.0
// JSON, tables and formatted numbers.
#include <limits>

#include "core/render/format.h"
#include "core/render/json_writer.h"
#include "core/render/table.h"

using namespace etlens;

TEST_CASE("json writer: nesting, escapes, hostile strings", "[json]") {
  JsonWriter json;
  json.begin_object()
      .field("a", 1)
      .key("b")
      .begin_array()
      .value("x\"\\\n\t\x01")
      .value(true)
      .null()
      .end_array();
  json.field("bad", std::string_view("a\xFF\xC3z"))
      .field("neg", int64_t{-5})
      .field("big", UINT64_MAX);
  json.key("o").begin_object().end_object().end_object();
  const auto parsed = nlohmann::json::parse(json.text());
  CHECK(parsed["b"][0] == "x\"\\\n\t\x01");
  CHECK(parsed["bad"] == "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  CHECK(parsed["big"] == UINT64_MAX);
  CHECK(parsed["o"].empty());
}

TEST_CASE("json writer: numbers survive the way back", "[json]") {
  for (const double value : {0.1, 1e-9, 123456789.125, 5e-324, 1.7976931348623157e308, -0.0}) {
    JsonWriter json;
    json.begin_array().value(value).end_array();
    CHECK(nlohmann::json::parse(json.text())[0].get<double>() == value);
  }
  JsonWriter json;
  json.begin_array().value(std::numeric_limits<double>::quiet_NaN()).end_array();
  CHECK(nlohmann::json::parse(json.text())[0] == "NaN");
}

TEST_CASE("json writer: Python's floats", "[json]") {
  CHECK(python_float(1) == "1.0");
  CHECK(python_float(0.1) == "0.1");
  CHECK(python_float(1e-5) == "1e-05");
  CHECK(python_float(0.0001) == "0.0001");
  CHECK(python_float(1e16) == "1e+16");
  CHECK(python_float(123456.789) == "123456.789");
}

TEST_CASE("tables: forms", "[table]") {
  const Table table{{{"name"}, {"n", Align::Right}},
                    {{"größe", "1"}, {"a,b \"c\"", "20"}, {"x\ty\nz|*", "3"}}};
  CHECK(to_text(table) == "name      n\ngröße     1\na,b \"c\"  20\nx y z|*   3\n");
  CHECK(to_csv(table) == "name,n\ngröße,1\n\"a,b \"\"c\"\"\",20\n\"x\ty\nz|*\",3\n");
  CHECK(to_tsv(table).find("\"x\ty\nz|*\"\t3") != std::string::npos);
  CHECK(to_markdown(table).find("| x y z\\|\\* | 3 |") != std::string::npos);
}

TEST_CASE("tables: nothing of an artifact becomes Markdown", "[table]") {
  CHECK(escape_markdown("[a](command:x) <b> `c` https://d") ==
        "\\[a\\](command\\:x) \\<b\\> \\`c\\` https\\://d");
}

TEST_CASE("format: times", "[format]") {
  const auto ns = [](double ticks) { return format_time(ticks, TimeScale::Nanoseconds); };
  CHECK(ns(0) == "0 ns");
  CHECK(ns(1) == "1.00 ns");
  CHECK(ns(999.4) == "999 ns");
  CHECK(ns(999.6) == "1.00 µs");
  CHECK(ns(12'345) == "12.3 µs");
  CHECK(ns(904'000) == "904 µs");
  CHECK(ns(3.1e6) == "3.10 ms");
  CHECK(ns(12.4e6) == "12.4 ms");
  CHECK(ns(5e9) == "5.00 s");
  CHECK(ns(-400'000) == "-400 µs");
  CHECK(format_time(2, TimeScale::Microseconds) == "2.00 µs");
  CHECK(format_time(6.5e6, TimeScale::Cycles) == "6.50 Mcyc");
}

TEST_CASE("format: shares, backends, heat", "[format]") {
  CHECK(format_share(0) == "0%");
  CHECK(format_share(0.0004) == "<0.1%");
  CHECK(format_share(0.0441) == "4.4%");
  CHECK(format_share(0.61) == "61%");
  CHECK(format_share(0.998) == "99.8%");
  CHECK(format_share(0.99999) == "99.9%");
  CHECK(format_share(1) == "100%");
  CHECK(heat_level(0) == 0);
  CHECK(heat_level(0.006) == 1);
  CHECK(heat_level(0.5) == 4);
}
