// SPDX-License-Identifier: Apache-2.0
// Trends against the truth: fleets whose noise is that of real processes between which nothing
// changed, with and without a planted change.
#include "core/fleet/trend.h"

#include <fmt/format.h>
#include <cmath>
#include <map>
#include <random>

#include "core/base/path.h"
#include "core/fleet/dump_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::trend_test {

using namespace etlens::test;

namespace {

constexpr size_t kDevices = 8;
constexpr size_t kBuilds = 5;

// The rows of real processes of one program, without a change between them.
const std::vector<DumpRows>& series() {
  static const std::vector<DumpRows> all = [] {
    std::vector<DumpRows> rows;
    DumpReaderOptions options;
    options.load.etrecord = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32/model.etrecord";
    DumpReader reader(real_file_system(), options);
    for (int i = 1; i <= 6; ++i) {
      DumpOutcome outcome =
          reader.read(unpacked(ETLENS_TEST_DATA "/compare/base-" + std::to_string(i) + ".dump.gz"));
      REQUIRE(std::holds_alternative<DumpRows>(outcome));
      rows.push_back(std::get<DumpRows>(std::move(outcome)));
    }
    return rows;
  }();
  return all;
}

struct Planted {
  std::string key;  // of a line
  size_t build = 0;
  double factor = 1;
};

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// One dump: a real process, moved by what two others differ by.
DumpRows made_dump(size_t i, size_t device, size_t build, const Planted& planted,
                   std::mt19937_64& random) {
  DumpRows rows = series()[random() % series().size()];
  const DumpRows& a = series()[random() % series().size()];
  const DumpRows& b = series()[random() % series().size()];
  const double how_far = uniform(random);
  rows.head.id = fmt::format("{:040}", i);
  rows.head.facts = {{"device", std::to_string(device)}, {"build", std::to_string(build)}};
  for (size_t r = 0; r < rows.rows.size(); ++r) {
    DumpRow& row = rows.rows[r];
    const auto x = static_cast<double>(a.rows[r].self_ticks);
    const auto y = static_cast<double>(b.rows[r].self_ticks);
    double factor = 1 + static_cast<double>(device);
    if (x > 0 && y > 0) factor *= std::pow(x / y, how_far);
    if (row.place.key == planted.key && build >= planted.build) factor *= planted.factor;
    row.self_ticks = std::llround(factor * static_cast<double>(row.self_ticks));
  }
  // Modules are not what is planted here: a line is no module of its own.
  std::erase_if(rows.rows, [](const DumpRow& row) { return row.place.kind == PlaceKind::Module; });
  return rows;
}

// Devices come with every build in another mix.
Fleet made_fleet(size_t dumps, uint64_t seed, const Planted& planted = {},
                 size_t exact_values = 4'000'000) {
  std::mt19937_64 random(seed);
  FleetOptions options;
  options.group_by = {"device", "build"};
  options.keeps_dumps = true;
  options.exact_values = exact_values;
  FleetBuilder builder(options);
  for (size_t i = 0; i < dumps; ++i) {
    const size_t build = random() % kBuilds;
    const size_t device = std::min(random() % kDevices, random() % (kDevices - build));
    REQUIRE(builder.add(made_dump(i, device, build, planted, random)));
  }
  return std::move(builder).finish();
}

std::vector<const TrendPlace*> accused(const Trend& trend) {
  std::vector<const TrendPlace*> rows;
  for (const TrendPlace& row : trend.places) {
    if (row.first) rows.push_back(&row);
  }
  return rows;
}

// Lines with at least this share of the time.
std::vector<std::string> lines_above(double share) {
  std::vector<std::string> keys;
  const Fleet fleet = made_fleet(50, 1);
  for (const FleetPlace& place : fleet.places) {
    if (place.place.kind == PlaceKind::Line && fleet.share(place.all.quantiles[0]) >= share)
      keys.push_back(place.place.key);
  }
  return keys;
}

}  // namespace

TEST_CASE("trend: where nothing changed, at most as many fleets accuse as is said",
          "[fleet][simulation]") {
  constexpr int kFleets = 200;
  int accusing = 0;
  for (int seed = 0; seed < kFleets; ++seed) {
    const Fleet fleet = made_fleet(400, 1000 + static_cast<uint64_t>(seed));
    const Result<Trend> trend = find_trend(fleet, {0, {}});  // any difference would count
    REQUIRE(trend);
    CHECK(trend->tested >= 3);
    accusing += accused(*trend).empty() ? 0 : 1;
  }
  // Three standard deviations above the level of kFleets tries.
  const double most =
      kTrendLevel * kFleets + 3 * std::sqrt(kTrendLevel * (1 - kTrendLevel) * kFleets);
  INFO(accusing << " of " << kFleets << " fleets accuse");
  CHECK(accusing <= most);
}

TEST_CASE("trend: a planted change is found on its line, with its build", "[fleet][simulation]") {
  const std::vector<std::string> lines = lines_above(0.05);
  REQUIRE(lines.size() >= 2);
  int tries = 0;
  int found = 0;
  int others = 0;
  for (const std::string& line : lines) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const Planted planted{line, 1 + seed % (kBuilds - 1), seed % 2 == 0 ? 1.1 : 0.9};
      const Fleet fleet = made_fleet(2000, seed, planted);
      const Result<Trend> trend = find_trend(fleet, {});
      REQUIRE(trend);
      ++tries;
      for (const TrendPlace* row : accused(*trend)) {
        const RowPlace& place = row->place->place;
        if (place.kind != PlaceKind::Line) continue;
        const bool is_it = place.key == line && *row->first == planted.build &&
                           std::abs(row->change - (planted.factor - 1)) < 0.03;
        (is_it ? found : others) += 1;
        if (!is_it) {
          UNSCOPED_INFO(seed << ": " << line << " with " << planted.build << ", accused "
                             << place.key << " with " << *row->first << ", " << row->change);
        }
      }
    }
  }
  INFO(found << " of " << tries << " found, others accused " << others << " times");
  CHECK(found >= tries * 95 / 100);
  CHECK(others <= tries * 5 / 100);
}

TEST_CASE("trend: a sample of the dumps gives the same", "[fleet]") {
  const Planted planted{lines_above(0.05).front(), 2, 1.15};
  const Fleet fleet = made_fleet(4000, 3, planted, 20'000);
  CHECK(fleet.kept_one_in >= 2);
  CHECK(fleet.kept.size() < 2500);
  CHECK(fleet.kept.size() > 500);
  const Result<Trend> trend = find_trend(fleet, {});
  REQUIRE(trend);
  REQUIRE(trend->places.front().first == 2u);
  CHECK(std::abs(trend->places.front().change - 0.15) < 0.05);
}

// A program of many lines, on machines of which one is hot and another has busy neighbours: what a
// dump takes is moved by a factor of its own, and by one of its device and build.
struct Machines {
  double of_dump = 0;   // standard deviations, of logarithms
  double of_build = 0;  // of each device and build
  double last = 1;      // what the machine does from the last build on
};

Fleet fleet_on(const Machines& machines, uint64_t seed, const Planted& planted = {}) {
  constexpr size_t kLines = 12;
  constexpr size_t kDumps = 600;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  double hot[kDevices][kBuilds];
  for (auto& device : hot) {
    for (double& build : device) build = machines.of_build * noise(random);
  }
  FleetOptions options;
  options.group_by = {"device", "build"};
  options.keeps_dumps = true;
  FleetBuilder builder(options);
  for (size_t i = 0; i < kDumps; ++i) {
    const size_t build = random() % kBuilds;
    const size_t device = random() % kDevices;
    DumpRows rows;
    rows.head.id = fmt::format("{:040}", i);
    rows.head.executions = 1;
    rows.head.facts = {{"device", std::to_string(device)}, {"build", std::to_string(build)}};
    double level = hot[device][build] + machines.of_dump * noise(random);
    if (build + 1 == kBuilds) level += std::log(machines.last);
    int64_t total = 0;
    rows.rows.resize(kLines + 1);
    for (size_t l = 0; l < kLines; ++l) {
      DumpRow& row = rows.rows[l + 1];
      row.place.kind = PlaceKind::Line;
      row.place.key = std::to_string(l);
      double log = level + 0.02 * noise(random);
      if (row.place.key == planted.key && build >= planted.build) log += std::log(planted.factor);
      row.self_ticks =
          std::llround(std::exp(log) * 10'000 * static_cast<double>((l + 1) * (device + 1)));
      total += row.self_ticks;
    }
    rows.rows.front().place.key = "total";
    rows.rows.front().self_ticks = total;
    REQUIRE(builder.add(rows));
  }
  return std::move(builder).finish();
}

TEST_CASE("trend: machines that were hot with a build accuse no line", "[fleet][simulation]") {
  constexpr int kFleets = 100;
  int accusing = 0;
  for (int seed = 0; seed < kFleets; ++seed) {
    const Fleet fleet = fleet_on({0.05, 0.1, 1}, 1 + static_cast<uint64_t>(seed));
    const Result<Trend> trend = find_trend(fleet, {0, {}});
    REQUIRE(trend);
    CHECK(trend->machine.lines == 12);
    accusing += accused(*trend).empty() ? 0 : 1;
  }
  const double most =
      kTrendLevel * kFleets + 3 * std::sqrt(kTrendLevel * (1 - kTrendLevel) * kFleets);
  INFO(accusing << " of " << kFleets << " fleets accuse");
  CHECK(accusing <= most);
}

TEST_CASE("trend: what all lines do together is the machine's row", "[fleet]") {
  const Fleet fleet = fleet_on({0.05, 0, 1.2}, 7);
  const Result<Trend> trend = find_trend(fleet, {});
  REQUIRE(trend);
  CHECK(accused(*trend).empty());
  REQUIRE(trend->machine.first == kBuilds - 1);
  CHECK(std::abs(trend->machine.change - 0.2) < 0.03);
  REQUIRE(trend->machine.medians.size() == kBuilds);
  CHECK(std::abs(trend->machine.medians.back() / trend->machine.medians.front() - 1.2) < 0.03);
}

TEST_CASE("trend: a change of one line is found behind a restless machine, and no other",
          "[fleet][simulation]") {
  int found = 0;
  int others = 0;
  constexpr int kFleets = 40;
  for (uint64_t seed = 1; seed <= kFleets; ++seed) {
    const Planted planted{std::to_string(seed % 12), 1 + seed % (kBuilds - 1),
                          seed % 2 == 0 ? 1.04 : 1.5};
    const Fleet fleet = fleet_on({0.15, 0.1, 1}, 100 + seed, planted);
    const Result<Trend> trend = find_trend(fleet, {});
    REQUIRE(trend);
    for (const TrendPlace* row : accused(*trend)) {
      if (row->place->place.kind != PlaceKind::Line) continue;
      const bool is_it = row->place->place.key == planted.key && *row->first == planted.build &&
                         std::abs(row->change - (planted.factor - 1)) < 0.02;
      (is_it ? found : others) += 1;
    }
  }
  INFO(found << " of " << kFleets << " found, others accused " << others << " times");
  CHECK(found >= kFleets * 95 / 100);
  CHECK(others <= 2);
}

TEST_CASE("trend: too few lines do not tell the machine", "[fleet]") {
  const Result<Trend> trend = find_trend(made_fleet(400, 9), {});
  REQUIRE(trend);
  CHECK(trend->machine.lines == 0);
  CHECK(trend->machine.medians.empty());
}

TEST_CASE("trend: builds that there are not, and too few", "[fleet]") {
  const Fleet fleet = made_fleet(100, 5);
  CHECK(find_trend(fleet, {0.02, {"1", "9"}}).error().code == ErrorCode::InvalidParams);
  CHECK(find_trend(fleet, {0.02, {"1"}}).error().code == ErrorCode::InvalidParams);
  const Result<Trend> two = find_trend(fleet, {0.02, {"3", "1"}});
  REQUIRE(two);
  CHECK(two->builds == std::vector<std::string>{"3", "1"});
}

}  // namespace etlens::trend_test
