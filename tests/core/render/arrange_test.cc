// SPDX-License-Identifier: Apache-2.0
// Rows and columns as their reader asks for them.
#include "core/render/arrange.h"

#include <cmath>

#include "core/render/cell_value.h"
#include "core/render/format.h"
#include "core/render/table_printer.h"
#include "tests/support/surface_words.h"

namespace etlens::arrange_test {

namespace {

Table times() {
  return {{{"line"},
           {"#", Align::Right, "rank"},
           {"self", Align::Right},
           {.name = "p50", .align = Align::Right, .is_extra = true}},
          {{"model.py:9", "2–3", "904 µs", "1 ns"},
           {"model.py:12", "1", "12.4 ms", "2 ns"},
           {"rope.py:3", "", "<1 µs", "3 ns"},
           {"", "4", "", "4 ns"}}};
}

std::vector<std::string> first_cells(const Result<Table>& table) {
  REQUIRE(table);
  std::vector<std::string> cells;
  for (const std::vector<std::string>& row : table->rows) cells.push_back(row.front());
  return cells;
}

}  // namespace

TEST_CASE("cells: what they say as numbers", "[table]") {
  const auto [cell, value] = GENERATE(table<const char*, double>({
      {"12.4 ms", 12.4e6},  {"904 µs", 904e3},     {"0 ns", 0},
      {"6.50 Mcyc", 6.5e6}, {"3.15 MB", 3.15e6},   {"640 B", 640},
      {"61%", 0.61},        {"−12%", -0.12},       {"+3.1%", 0.031},
      {"2.4×", 1.4},        {"10–12", 10},         {"15-24", 15},
      {"≈17", 17},          {"11 dB", 11},         {"4 (count)", 4},
      {"-1.5", -1.5},       {"7.13e-09", 7.13e-9}, {"1e+16", 1e16},
      {"−28 … +32%", -28},  {"exact", INFINITY},   {"-inf dB", -INFINITY},
  }));
  CAPTURE(cell);
  REQUIRE(cell_value(cell));
  if (std::isinf(value)) CHECK(*cell_value(cell) == value);
  else CHECK(*cell_value(cell) == Approx(value));
  CHECK_FALSE(cell_value("no number"));
  CHECK_FALSE(cell_value("–"));
  CHECK(*cell_value("<1 µs") < 1000);
  CHECK(*cell_value("<1 µs") > *cell_value("999 ns"));
}

TEST_CASE("cells: times are ordered as they are worded", "[table]") {
  double before = -1;
  for (double ticks = 1; ticks < 1e12; ticks *= 1.7) {
    const std::optional<double> value = cell_value(format_time(ticks, TimeScale::Nanoseconds));
    CAPTURE(ticks);
    REQUIRE(value);
    CHECK(*value > before);
    CHECK(*value == Approx(ticks).epsilon(0.006));
    before = *value;
  }
}

TEST_CASE("arrange: numbers from the greatest, names from the first, nothing last", "[table]") {
  CHECK(first_cells(arranged(times(), {.sort = "self"})) ==
        std::vector<std::string>{"model.py:12", "model.py:9", "rope.py:3", ""});
  CHECK(first_cells(arranged(times(), {.sort = "self", .is_reversed = true})) ==
        std::vector<std::string>{"rope.py:3", "model.py:9", "model.py:12", ""});
  CHECK(first_cells(arranged(times(), {.sort = "line"})) ==
        std::vector<std::string>{"model.py:9", "model.py:12", "rope.py:3", ""});
  CHECK(first_cells(arranged(times(), {.sort = "RANK", .top = 2})) ==
        std::vector<std::string>{"", "model.py:9"});
  CHECK(first_cells(arranged(times(), {.is_reversed = true, .top = 1})) ==
        std::vector<std::string>{""});
}

TEST_CASE("arrange: sums stay first and are not counted", "[table]") {
  Table table = times();
  table.sums = 1;
  CHECK(first_cells(arranged(table, {.sort = "self", .top = 1})) ==
        std::vector<std::string>{"model.py:9", "model.py:12"});
}

TEST_CASE("arrange: columns by name, in the order asked for", "[table]") {
  const auto names = [](const Result<Table>& table) {
    REQUIRE(table);
    std::vector<std::string> out;
    for (const Column& column : table->columns) out.push_back(column.name);
    return out;
  };
  CHECK(names(arranged(times(), {})) == std::vector<std::string>{"line", "#", "self"});
  CHECK(names(arranged(times(), {.columns = {"all"}})).size() == 4);
  CHECK(names(arranged(times(), {.columns = {"p50", "rank"}})) ==
        std::vector<std::string>{"p50", "#"});
  const Table data{{{"self (ms)", Align::Right}}, {{"1.5"}}};
  CHECK(names(arranged(data, {.columns = {"self"}})) == std::vector<std::string>{"self (ms)"});
  const Result<Table> wrong = arranged(times(), {.columns = {"line", "cost"}});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code == ErrorCode::InvalidParams);
  CHECK(wrong.error().message == "there is no column cost; there are: line, rank, self, p50");
}

TEST_CASE("printer: rows that are left out are counted, and a terminal is not overrun", "[table]") {
  static constexpr ControlWords kWords =
      control_words({{Control::AllRows, " (--top 0 shows all)"}});
  const SurfaceWords words(kWords);
  TablePrinter cut({.arrangement = {.top = 1}, .width = 20});
  CHECK(cut.ranked(times()) ==
        "line        #    self\n"
        "mod…py:9  2–3  904 µs\n"
        "  and 3 more rows (--top 0 shows all)\n");
  TablePrinter all({.arrangement = {.top = 0}});
  CHECK(all.ranked(times(), 2).find("more") == std::string::npos);
  TablePrinter some({});
  CHECK(some.ranked(times(), 2).find("and 2 more rows") != std::string::npos);
  CHECK(some.legend().empty());
  TablePrinter wrong({.arrangement = {.sort = "cost"}});
  CHECK(wrong.ranked(times()).empty());
  REQUIRE(wrong.problem());
}

TEST_CASE("printer: colours change nothing but colours", "[table]") {
  const Table table{{{"line"}, {"share", Align::Right}, {"verdict"}, {"text"}},
                    {{"a.py:1", "61%", "slower", "\x1b[31mx"}, {"a.py:2", "0.1%", "", ""}}};
  TablePrinter plain({});
  TablePrinter colored({.in_color = true});
  std::string text = colored.ranked(table);
  CHECK(text.find("\x1b[1;31m61%\x1b[0m") != std::string::npos);
  CHECK(text.find("\x1b[31mslower\x1b[0m") != std::string::npos);
  CHECK(text.find("\x1b[31mx") == std::string::npos);  // of an artifact
  for (size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  CHECK(text == plain.ranked(table));
}

}  // namespace etlens::arrange_test
