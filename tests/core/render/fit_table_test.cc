// SPDX-License-Identifier: Apache-2.0
// Tables that are too wide for their terminal.
#include "core/render/fit_table.h"

#include "core/base/text.h"
#include "core/render/display_width.h"

namespace etlens::fit_table_test {

namespace {

size_t widest_line(const Table& table) {
  const std::string text = to_text(table);
  size_t widest = 0;
  for (const std::string_view line : split_lines(text))
    widest = std::max(widest, display_width(line));
  return widest;
}

const std::string kLong(80, 'x');

}  // namespace

TEST_CASE("fit table: the widest text gives way first", "[table]") {
  Table table{{{"event"}, {"time", Align::Right}, {"module"}},
              {{kLong, "1.00 ms", "layers.0"}, {"short", "2.00 µs", "layers.1.attention"}}};
  fit_table(table, 60);
  CHECK(widest_line(table) == 60);
  CHECK(table.rows[0][0].find("x…x") != std::string::npos);
  CHECK(table.rows[1][0] == "short");
  CHECK(table.rows[0][1] == "1.00 ms");
  CHECK(table.rows[1][2] == "layers.1.attention");
}

TEST_CASE("fit table: what fits stays as it is", "[table]") {
  Table table{{{"event"}, {"module"}}, {{"a", "深度"}}};
  fit_table(table, 12);
  CHECK(table.rows[0] == std::vector<std::string>{"a", "深度"});
  fit_table(table, 0);  // nothing is longer than the least column
  CHECK(table.rows[0] == std::vector<std::string>{"a", "深度"});
}

TEST_CASE("fit table: numbers never give way, and wide characters are not halved", "[table]") {
  Table table{{{"n", Align::Right}, {.name = "text", .is_prose = true}},
              {{kLong, "深度深度深度深度深度"}}};
  fit_table(table, 40);
  CHECK(table.rows[0][0] == kLong);
  CHECK(table.rows[0][1] == "深度深…");
  CHECK(display_width(table.rows[0][1]) <= kLeastOfAll);
}

TEST_CASE("fit table: of a name both ends stay, of prose its beginning", "[table]") {
  Table table{{{"line"}, {.name = "text", .is_prose = true}},
              {{"models/decoder/attention.py:112", "return self.wo(out.transpose(1, 2))"}}};
  fit_table(table, 34);
  CHECK(widest_line(table) == 34);
  CHECK(table.rows[0][0].ends_with(".py:112"));
  CHECK(table.rows[0][0].starts_with("models"));
  CHECK(table.rows[0][1].starts_with("return self."));
  CHECK(table.rows[0][1].ends_with("…"));
}

TEST_CASE("fit table: a place is read when everything else is cut", "[table]") {
  Table table{{kLineColumn, {"self", Align::Right}, {"where"}, {.name = "text", .is_prose = true}},
              {{"layers.py:43", "7.69 ms", "XNNPACK+CPU", "return weights @ v"}}};
  fit_table(table, 46);
  CHECK(widest_line(table) == 46);
  CHECK(table.rows[0] ==
        std::vector<std::string>{"layers.py:43", "7.69 ms", "XNNPACK+CPU", "return we…"});
  fit_table(table, 33);
  CHECK(table.rows[0] == std::vector<std::string>{"layers.py:43", "7.69 ms", "XNNP…K+CPU"});
}

}  // namespace etlens::fit_table_test
