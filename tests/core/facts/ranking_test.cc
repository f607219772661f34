// SPDX-License-Identifier: Apache-2.0
// Rankings: the places that a line may have, whichever rows are asked for.
#include "core/facts/ranking.h"

#include "tests/support/studies.h"

namespace etlens::ranking_test {

using namespace etlens::test;

namespace {

// One operator per line, the most costly first: ticks of each execution.
const std::vector<std::vector<uint64_t>> kTicks{{9000, 9100, 9050, 9080, 9020, 9060, 9010, 9090},
                                                {5000, 5400, 5100, 5300, 5050, 5350, 5150, 5250},
                                                {5150, 5250, 5000, 5300, 5200, 5100, 5350, 5050},
                                                {3000, 3010, 3005, 3008, 3002, 3006, 3001, 3009},
                                                {1000, 1010, 1005, 1008, 1002, 1006, 1001, 1009}};

Facts five_lines() {
  RecordBuilder record;
  for (int32_t i = 0; i < 5; ++i) {
    const auto handle = static_cast<uint32_t>(i + 1);
    record.node({"n" + std::to_string(i), "aten.relu.default", handle,
                 stack_trace({{"/m.py", handle + 6, "forward", "x = relu(x)"}})});
    record.map(i, {handle});
  }
  DumpBuilder dump;
  for (uint64_t e = 0; e < kTicks.front().size(); ++e) {
    const uint64_t begin = 1'000'000 * (e + 1);
    uint64_t at = begin;
    dump.block("Execute");
    for (int32_t i = 0; i < 5; ++i) {
      const uint64_t ticks = kTicks[static_cast<size_t>(i)][e];
      dump.operator_call("relu.out", i, at, at + ticks);
      at += ticks;
    }
    dump.framework("Method::execute", begin, at);
  }
  return Facts(study_of(dump, record));
}

using Places = std::vector<std::pair<size_t, size_t>>;

}  // namespace

TEST_CASE("ranking: lines that nothing tells apart share their places", "[ranking]") {
  const Facts facts = five_lines();
  REQUIRE(facts.hot_lines().size() == 5);
  Ranking ranking(facts);
  Places places;
  for (size_t row = 0; row < 5; ++row) {
    const RankRange range = ranking.places(row);
    places.emplace_back(range.first, range.last);
  }
  CHECK(places == Places{{1, 1}, {2, 3}, {2, 3}, {4, 4}, {5, 5}});
}

TEST_CASE("ranking: rows may be asked for in any order", "[ranking]") {
  const Facts facts = five_lines();
  Ranking forwards(facts);
  Ranking backwards(facts);
  for (size_t row = 5; row-- > 0;) {
    const RankRange range = backwards.places(row);
    Ranking alone(facts);
    CHECK(alone.places(row).first == range.first);
    CHECK(alone.places(row).last == range.last);
    const LineFacts line = facts.line(facts.hot_lines()[row]);
    const std::optional<Interval> interval = backwards.interval(row);
    REQUIRE(interval);
    CHECK(interval->low < line.self.value);
    CHECK(interval->high > line.self.value);
    CHECK(interval->low == facts.interval(line.own)->low);
  }
  for (size_t row = 0; row < 5; ++row)
    CHECK(forwards.places(row).last == backwards.places(row).last);
}

}  // namespace etlens::ranking_test
