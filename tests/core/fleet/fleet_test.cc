// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet.h"

#include <fmt/format.h>
#include <cmath>

namespace etlens::fleet_test {

namespace {

// A dump with two lines, of which the first takes `ticks` and the other 100.
DumpRows dump(size_t i, int64_t ticks, const std::string& device = "a") {
  DumpRows rows;
  rows.head.id = fmt::format("{:040}", i);
  rows.head.name = fmt::format("run-{:03}.etdp", i);
  rows.head.facts = {{"device", device}};
  rows.head.program = "forward m.Net";
  rows.head.executions = 2;
  const auto add = [&](PlaceKind kind, const std::string& key, int64_t self, bool hottest) {
    DumpRow& row = rows.rows.emplace_back();
    row.place.kind = kind;
    row.place.key = key;
    row.self_ticks = 2 * self;
    row.inclusive_ticks = 2 * self;
    row.is_hottest = hottest;
  };
  add(PlaceKind::Total, "total", ticks + 100, false);
  add(PlaceKind::Line, "first", ticks, ticks > 100);
  add(PlaceKind::Line, "second", 100, ticks <= 100);
  return rows;
}

Fleet fleet_of(const std::vector<DumpRows>& dumps, FleetOptions options = {}) {
  FleetBuilder builder(options);
  for (const DumpRows& rows : dumps) REQUIRE(builder.add(rows));
  return std::move(builder).finish();
}

std::vector<DumpRows> hundred() {
  std::vector<DumpRows> dumps;
  for (size_t i = 0; i < 100; ++i)
    dumps.push_back(dump(i, static_cast<int64_t>(51 + i), i < 60 ? "a" : "b"));
  return dumps;
}

const FleetPlace& place(const Fleet& fleet, std::string_view key) {
  for (const FleetPlace& row : fleet.places) {
    if (row.place.key == key) return row;
  }
  FAIL("no place " << key);
  return fleet.places.front();
}

}  // namespace

TEST_CASE("fleet: quantiles, groups and the hottest line", "[fleet]") {
  FleetOptions options;
  options.group_by = {"device"};
  const Fleet fleet = fleet_of(hundred(), options);
  CHECK(fleet.dumps == 100);
  REQUIRE(fleet.total() != nullptr);
  CHECK(fleet.total()->all.quantiles[0] == 201);
  const FleetPlace& first = place(fleet, "first");
  CHECK(first.all.quantiles == std::array<double, 4>{101, 141, 146, 150});
  CHECK(first.all.hottest == 50);
  CHECK(fleet.share(first.all.quantiles[0]) == Approx(101.0 / 201));
  REQUIRE(fleet.groups.size() == 2);
  CHECK(first.groups[0].dumps == 60);
  CHECK(first.groups[0].quantiles[0] == 81);
  CHECK(first.groups[1].hottest == 40);
  CHECK(place(fleet, "second").all.quantiles[3] == 100);
  CHECK(first.all.outliers == 0);
  CHECK(fleet.quantile_error == 0);
}

TEST_CASE("fleet: a dump and a row count once", "[fleet]") {
  std::vector<DumpRows> dumps = hundred();
  const std::vector<DumpRows> again(dumps.begin(), dumps.begin() + 40);
  dumps.insert(dumps.end(), again.begin(), again.end());
  const Fleet twice = fleet_of(dumps);
  CHECK(twice.dumps == 100);
  CHECK(twice.repeated == 40);
  CHECK(twice.total()->all.quantiles == fleet_of(hundred()).total()->all.quantiles);

  // Rows of a dump of which the first try ended in the middle, and one of a single execution.
  FleetBuilder builder({});
  for (const DumpRows& rows : dumps) {
    for (const DumpRow& row : rows.rows) REQUIRE(builder.add(ReadRow{rows.head, row}));
    DumpRow one = rows.rows.front();
    one.execution = 1;
    REQUIRE(builder.add(ReadRow{rows.head, one}));
  }
  const Fleet by_rows = std::move(builder).finish();
  CHECK(by_rows.dumps == 100);
  CHECK(by_rows.repeated == 120);
  for (size_t i = 0; i < by_rows.places.size(); ++i)
    CHECK(by_rows.places[i].all.quantiles == twice.places[i].all.quantiles);
}

TEST_CASE("fleet: more values than fit become sketches, all of them", "[fleet]") {
  FleetOptions options;
  options.group_by = {"device"};
  const Fleet exact = fleet_of(hundred(), options);
  options.exact_values = 50;
  const Fleet sketched = fleet_of(hundred(), options);
  CHECK(sketched.quantile_error == kSketchError);
  for (size_t p = 0; p < exact.places.size(); ++p) {
    for (size_t q = 0; q < 4; ++q) {
      const double truth = exact.places[p].all.quantiles[q];
      CHECK(std::abs(sketched.places[p].all.quantiles[q] - truth) <= truth * kSketchError * 1.0001);
    }
  }
}

TEST_CASE("fleet: outliers are named, the farthest first", "[fleet]") {
  std::vector<DumpRows> dumps = hundred();
  for (size_t i = 0; i < 7; ++i) dumps.push_back(dump(200 + i, static_cast<int64_t>(1000 + i)));
  const Fleet fleet = fleet_of(dumps);
  const FleetCell& total = fleet.total()->all;
  CHECK(total.outliers == 7);
  REQUIRE(total.slow.size() == kNamedOutliers);
  CHECK(total.slow[0].dump == "run-206.etdp");
  CHECK(total.slow[0].value == 1106);
  CHECK(total.fast.empty());
  // Among a few dumps nothing is far off.
  CHECK(fleet_of({dump(1, 10), dump(2, 11), dump(3, 5000)}).total()->all.outliers == 0);
}

TEST_CASE("fleet: another program is left out and named, other units are an error", "[fleet]") {
  FleetBuilder builder({});
  REQUIRE(builder.add(dump(1, 10)));
  DumpRows other = dump(2, 10);
  other.head.program = "forward m.Other";
  REQUIRE(builder.add(other));
  DumpRows cycles = dump(3, 10);
  cycles.head.tick = "cycles";
  CHECK(builder.add(cycles).error().code == ErrorCode::Unsupported);
  const Fleet fleet = std::move(builder).finish();
  CHECK(fleet.dumps == 1);
  CHECK(fleet.broken_count() == 1);
  const BrokenDumps& broken = fleet.broken[static_cast<size_t>(BrokenReason::OtherProgram)];
  REQUIRE(broken.named.size() == 1);
  CHECK(broken.named[0].name == "run-002.etdp");
}

TEST_CASE("fleet: an engine's answer is shown as it is", "[fleet]") {
  FleetAnswer answer;
  answer.place = {PlaceKind::Total, "total", "", 0, "", ""};
  answer.program = "forward m.Net";
  answer.dumps = 12;
  answer.quantiles = {1, 2, 3, 4};
  answer.is_exact = true;
  FleetBuilder builder({{"device"}, 0});
  REQUIRE(builder.add(answer));
  answer.group_by = "device";
  answer.group = "d";
  answer.dumps = 5;
  REQUIRE(builder.add(answer));
  answer.group_by = "build";  // nobody asked for it
  REQUIRE(builder.add(answer));
  const Fleet fleet = std::move(builder).finish();
  CHECK(fleet.dumps == 12);
  REQUIRE(fleet.groups.size() == 1);
  CHECK(fleet.total()->all.quantiles[2] == 3);
  CHECK(fleet.total()->groups[0].dumps == 5);
}

// Every group is one dump with places of its own: in the end each place has a cell for each group.
TEST_CASE("fleet: places that few groups share are counted for all of them", "[fleet][hostile]") {
  FleetOptions options;
  options.group_by = {"device"};
  options.most_bytes = 1'000'000;
  FleetBuilder builder(options);
  Result<void> added;
  size_t dumps = 0;
  for (; added && dumps < 1000; ++dumps) {
    DumpRows rows = dump(dumps, 100, fmt::format("device {}", dumps));
    for (DumpRow& row : rows.rows) {
      if (row.place.kind == PlaceKind::Line) row.place.key += fmt::format(" {}", dumps);
    }
    added = builder.add(rows);
  }
  REQUIRE_FALSE(added);
  CHECK(added.error().message.find("fewer values") != std::string::npos);
  CHECK(dumps < 100);
}

}  // namespace etlens::fleet_test
