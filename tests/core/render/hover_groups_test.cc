// SPDX-License-Identifier: Apache-2.0
// Hovers of lines of a dump with groups of executions.
#include "core/facts/headline.h"
#include "core/render/group_columns.h"
#include "core/render/hover_tables.h"
#include "core/render/summary.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::hover_groups_test {

using namespace etlens::test;

namespace {

std::shared_ptr<const Study> language_model(const std::string& group) {
  LoadRequest request;
  request.etdump = unpacked(ETLENS_TEST_DATA "/llm-cache/model.etdp.gz");
  request.etrecord = ETLENS_TEST_DATA "/llm-cache/model.etrecord";
  request.time.group = group;
  const auto study = load_study(real_file_system(), request);
  REQUIRE(study);
  return *study;
}

}  // namespace

TEST_CASE("hover: a line has a column for each group of executions", "[hover]") {
  const Facts decode(language_model("decode"));
  const Facts prefill(language_model("prefill"));
  REQUIRE_FALSE(decode.hot_lines().empty());
  for (const LineId line : decode.hot_lines()) {
    const HoverInfo info = line_hover(decode, line, {.unit = TimeScale::Microseconds});
    const HoverInfo other = line_hover(prefill, line, {.unit = TimeScale::Microseconds});
    REQUIRE(info.groups.columns.size() == 3);
    CHECK(info.groups.columns[1].name == "decode ×30");
    CHECK(info.groups.columns[2].name == "prefill ×1");
    // Each column is what the hover of that group begins with.
    CHECK(info.groups.rows[0] == std::vector<std::string>{"self", info.time, other.time});
    CHECK(info.groups.rows == other.groups.rows);
    CHECK(info.more_groups == 0);
  }
  const std::string text = to_markdown(line_hover(decode, decode.hot_lines().front(), {}));
  CAPTURE(text);
  CHECK(text.find(" · decode ×30") != std::string::npos);
  CHECK(text.find("\n\n| time | decode ×30 | prefill ×1 |\n| --- | ---: | ---: |\n| self | ") !=
        std::string::npos);
}

TEST_CASE("hover: at most four groups are listed", "[hover]") {
  const Facts facts(language_model(""));
  CostsInGroups costs(6);
  for (size_t g = 0; g < costs.size(); ++g) {
    costs[g].group = "group";
    costs[g].executions = g + 1;
    costs[g].inclusive.amount = Amount(1000);
    costs[g].inclusive.value = 1000.0;
  }
  HoverInfo info;
  add_groups(facts, costs, true, {}, info);
  CHECK(info.groups.columns.size() == 5);
  CHECK(info.groups.columns.back().name == "group ×4");
  CHECK(info.groups.rows[0][0] == "in what it calls");
  CHECK(to_markdown(info).ends_with("|\n\n… and 2 more\n"));
  CHECK(to_plain_text(info).ends_with("… and 2 more\n"));
  HoverInfo none;
  add_groups(facts, {}, false, {}, none);
  CHECK(none.groups.rows.empty());
}

TEST_CASE("summary: groups with tokens per second where they are known", "[summary]") {
  const Facts facts(language_model(""));
  const std::string text = groups_text(headline(facts), facts, TimeScale::Microseconds);
  CAPTURE(text);
  CHECK(text.starts_with("decode ×30: "));
  CHECK(text.find(" tokens/s · prefill ×1: ") != std::string::npos);
  CHECK(text.find("(at least ") != std::string::npos);
  CHECK(text.ends_with(" tokens); decode is shown"));
}

TEST_CASE("summary: the parts of each group add up", "[summary]") {
  const Facts facts(language_model(""));
  const Headline head = headline(facts);
  const std::vector<PartInGroups> parts = parts_in_groups(facts);
  const std::vector<Cost> noise = noise_of_groups(facts);
  REQUIRE(head.groups.size() == 2);
  for (size_t g = 0; g < 2; ++g) {
    Amount sum = noise[g].amount;
    for (const PartInGroups& part : parts) sum += part.costs[g].amount;
    CHECK(sum == head.groups[g].total.total);
  }
  const Table table = parts_by_group_table(facts, {});
  CHECK(table.columns.size() == 3);
  CHECK(table.rows.size() == parts.size() + 2);
  CHECK(table.rows.back().front() == "= Method::execute");
}

}  // namespace etlens::hover_groups_test
