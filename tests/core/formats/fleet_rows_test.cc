// SPDX-License-Identifier: Apache-2.0
// Rows of dumps: written, read back, and what others may give instead.
#include "core/formats/fleet/dump_rows.h"

#include "core/base/text.h"
#include "core/formats/fleet/fleet_answer.h"

namespace etlens::fleet_rows_test {

namespace {

DumpRows sample() {
  DumpRows rows;
  rows.head.id = "0123";
  rows.head.name = "a b/run\t1.etdp";
  rows.head.facts = {{"device", "pixel \"9\""}, {"date", "2026-11-02T10:00"}, {"lab", "no'rth"}};
  rows.head.program = "forward m.Net";
  rows.head.block = "Execute";
  rows.head.executions = 30;
  DumpRow& row = rows.rows.emplace_back();
  row.place = {PlaceKind::Line, "m.py:forward:0:x\\y", "m.py", 12, "forward", "x\\y\n\t"};
  row.self_ticks = 1234567890123;
  row.inclusive_ticks = 2234567890123;
  row.is_hottest = true;
  return rows;
}

}  // namespace

TEST_CASE("rows: what was written is read back", "[fleet]") {
  const DumpRows rows = sample();
  const std::string text = dump_rows_text(rows, RowForm::Ndjson);
  CHECK(split_lines(text).size() == 1);
  CHECK(schema_of_row(text) == kDumpRowsSchema);
  CHECK(nlohmann::json::parse(text)["day"] == "2026-11-02");
  const Result<ReadRow> read = read_dump_row(text);
  REQUIRE(read);
  CHECK(read->head.id == rows.head.id);
  CHECK(read->head.name == rows.head.name);
  CHECK(read->head.facts == rows.head.facts);
  CHECK(read->head.program == rows.head.program);
  CHECK(read->head.executions == 30);
  CHECK(read->row.place.kind == PlaceKind::Line);
  CHECK(read->row.place.key == rows.rows[0].place.key);
  CHECK(read->row.place.text == rows.rows[0].place.text);
  CHECK(read->row.self_ticks == rows.rows[0].self_ticks);
  CHECK(read->row.inclusive_ticks == rows.rows[0].inclusive_ticks);
  CHECK(read->row.is_hottest);
}

TEST_CASE("rows: TSV has the columns of NDJSON, and nothing ends a cell early", "[fleet]") {
  const DumpRows rows = sample();
  const std::string header = dump_rows_header(RowForm::Tsv);
  const std::string text = dump_rows_text(rows, RowForm::Tsv);
  const std::vector<std::string_view> names = split(trim(header), '\t');
  const std::vector<std::string_view> cells =
      split(std::string_view(text).substr(0, text.size() - 1), '\t');
  const auto json = nlohmann::json::parse(dump_rows_text(rows, RowForm::Ndjson));
  REQUIRE(names.size() == json.size());
  REQUIRE(cells.size() == names.size());
  for (const std::string_view name : names) CHECK(json.contains(std::string(name)));
  const auto cell = [&](std::string_view name) {
    return cells[static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  CHECK(cell("name") == "a b/run\\t1.etdp");
  CHECK(cell("fact_values") == "['no\\'rth']");
  CHECK(cell("place") == "m.py:forward:0:x\\\\y");
}

TEST_CASE("rows: engines quote integers and add fields", "[fleet]") {
  const Result<ReadRow> read = read_dump_row(
      R"({"dump":"a","executions":"3","kind":"module","place":"","self_ticks":"-7","new":{"x":[]},)"
      R"("inclusive_ticks":"9223372036854775807","hottest":"0","fact_names":["a"],"fact_values":[]})");
  REQUIRE(read);
  CHECK(read->row.self_ticks == -7);
  CHECK(read->row.inclusive_ticks == INT64_MAX);
  CHECK(read->head.facts.empty());
}

TEST_CASE("rows: what is none is refused", "[fleet]") {
  for (const char* line :
       {"", "[]", "7", "{", R"({"dump":"a"})", R"({"dump":"a","executions":0})",
        R"({"dump":"a","executions":1})", R"({"dump":"a","executions":1,"kind":"planet"})",
        R"({"dump":"a","executions":1,"kind":"line","tick":"hours"})",
        R"({"dump":"a","executions":1,"kind":"line","line":-1})",
        R"({"dump":"a","executions":1,"kind":"line","self_ticks":1e99})",
        R"({"dump":7,"executions":1,"kind":"line"})",
        R"({"dump":"a","executions":1,"kind":"line"}{)"}) {
    CAPTURE(line);
    CHECK_FALSE(read_dump_row(line));
  }
}

TEST_CASE("rows: an engine's answer", "[fleet]") {
  const Result<FleetAnswer> answer = read_fleet_answer(
      R"({"schema":"etlens\/fleet-places@1","program":"forward m.Net","kind":"line","place":"k",)"
      R"("line":3,"group_by":"device","group":"d","dumps":"12","hottest":"5",)"
      R"("quantiles":[1,2.5,3,4],"exact":1})");
  REQUIRE(answer);
  CHECK(answer->dumps == 12);
  CHECK(answer->group == "d");
  CHECK(answer->quantiles[1] == 2.5);
  CHECK(answer->is_exact);
  CHECK_FALSE(read_fleet_answer(R"({"kind":"line","dumps":1,"quantiles":[1,2]})"));
  CHECK_FALSE(read_fleet_answer(R"({"kind":"line","dumps":0,"quantiles":[1,2,3,4]})"));
  CHECK_FALSE(read_fleet_answer(R"({"kind":"line","dumps":1,"quantiles":[1,2,"nan",4]})"));
}

}  // namespace etlens::fleet_rows_test
