// SPDX-License-Identifier: Apache-2.0
// Executions that did the same work: against dumps of known sizes, and on dumps of static shapes,
// which no noise may split.
#include "core/measure/groups.h"

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "core/measure/group_split.h"
#include "core/measure/robust.h"
#include "core/measure/symbolic_work.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/times.h"

namespace etlens::groups_test {

using namespace etlens::test;

namespace {

using json = nlohmann::json;
using Numbers = std::vector<uint32_t>;

std::vector<JoinedFiles> joined(const std::string& etdump, const std::string& etrecord) {
  return joins_of(unpacked(etdump), etrecord, "");
}

// Executions of one size, one set for each size.
std::set<Numbers> of_sizes(const std::vector<int64_t>& sizes) {
  std::map<int64_t, Numbers> by_size;
  for (uint32_t s = 0; s < sizes.size(); ++s) by_size[sizes[s]].push_back(s);
  std::set<Numbers> sets;
  for (const auto& [size, samples] : by_size) sets.insert(samples);
  return sets;
}

std::set<Numbers> found_in(const Measure& measure) {
  std::set<Numbers> sets;
  for (const SampleGroup& group : measure.samples.groups) sets.insert(group.samples);
  if (sets.empty()) {
    Numbers all(measure.samples.totals.size());
    for (uint32_t s = 0; s < all.size(); ++s) all[s] = s;
    sets.insert(all);
  }
  return sets;
}

// Kernels of 5 to 80 µs in 40 executions; `factor`, per row and execution.
template <typename Factor>
LogRows rows_of(size_t rows, Factor factor) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(1, 1.08);
  LogRows result;
  for (size_t r = 0; r < rows; ++r) {
    std::vector<double>& row = result.emplace_back();
    for (size_t s = 0; s < 40; ++s)
      row.push_back(std::log(5.0 * std::pow(1.2, r) * noise(random) * factor(r, s)));
  }
  return result;
}

// Times in microseconds of three kernels of the runtime's own thread that repeat within a few percent,
// as GroupSignals has them; `micros`, per kernel and execution.
template <typename Micros>
LogRows kernels_of(Micros micros) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> noise(1, 1.03);
  LogRows result(3);
  for (size_t r = 0; r < result.size(); ++r)
    for (size_t s = 0; s < 40; ++s)
      result[r].push_back(std::log(kKernelOffset + noise(random) * micros(r, s)));
  return result;
}

// What one execution of such a kernel takes.
double micros_of(size_t row) { return std::array{12.0, 6.4, 3.2}[row]; }

double alike(size_t, size_t) { return 1; }
size_t groups_in(const GroupSignals& signals) {
  const std::vector<uint32_t> groups = split_executions(signals);
  return std::set<uint32_t>(groups.begin(), groups.end()).size();
}

}  // namespace

TEST_CASE("groups: every execution of dumps with known sizes", "[groups]") {
  const json cases = json::parse(read_file(ETLENS_TEST_DATA "/groups/groups.json"));
  REQUIRE(cases.size() >= 5);
  for (const json& row : cases) {
    const std::string folder = ETLENS_TEST_DATA "/groups/" + row["case"].get<std::string>() + "/";
    CAPTURE(folder, row["dump"]);
    const auto blocks =
        joined(folder + row["dump"].get<std::string>() + ".etdp.gz", folder + "model.etrecord");
    REQUIRE(blocks.size() == 1);
    const Result<TimeMeasure> time = measure_time(blocks[0].join, {});
    REQUIRE(time);
    CHECK(found_in(time->measure) == of_sizes(row["sizes"]));
    Amount least(INT64_MAX);
    for (const SampleGroup& group : time->measure.samples.groups) {
      CHECK(group.total <= least);
      least = group.total;
      // What the times tell is a lower bound.
      if (group.name.starts_with("prefill"))
        CHECK(group.work <= row["sizes"][group.samples.front()].get<double>());
    }
  }
}

TEST_CASE("groups: prefill and decode of a language model", "[groups]") {
  const std::string folder = ETLENS_TEST_DATA "/llm-cache/";
  const auto blocks = joined(folder + "model.etdp.gz", folder + "model.etrecord");
  REQUIRE(blocks.size() == 1);
  const SymbolicWork work(blocks[0].join.code());
  CHECK(work.is_language_model());
  CHECK(work.tokens_at(7) == 7);
  CHECK_FALSE(work.tokens_at(0));
  CHECK_FALSE(work.tokens_at(INT64_MAX));
  const Result<TimeMeasure> time = measure_time(blocks[0].join, {});
  REQUIRE(time);
  const Samples& samples = time->measure.samples;
  REQUIRE(samples.groups.size() == 2);
  CHECK(samples.groups[0].name == "decode");
  CHECK(samples.groups[0].samples.size() == 30);
  CHECK(samples.groups[1].name == "prefill");
  CHECK(samples.groups[1].samples == Numbers{0});
  CHECK(samples.groups[1].work == Approx(32).epsilon(0.5));
  CHECK_FALSE(samples.groups[1].size);  // nothing in the dump knows it
  CHECK(samples.groups[0].tokens == 1);
  CHECK_FALSE(samples.groups[1].tokens);
  CHECK(samples.used == samples.groups[0].samples);
  CHECK(samples.odd.empty());
}

TEST_CASE("groups: each reconciles, tick for tick", "[groups]") {
  const std::string folder = ETLENS_TEST_DATA "/llm-cache/";
  const auto blocks = joined(folder + "model.etdp.gz", folder + "model.etrecord");
  REQUIRE(blocks.size() == 1);
  for (const char* name : {"decode", "prefill"}) {
    CAPTURE(name);
    TimeOptions options;
    options.group = name;
    const Result<TimeMeasure> time = measure_time(blocks[0].join, options);
    REQUIRE(time);
    const Measure& measure = time->measure;
    const SampleGroup* group = group_named(measure.samples.groups, name);
    REQUIRE(group != nullptr);
    CHECK(measure.samples.used == group->samples);
    CHECK(measure.total.total == group->total);
    CHECK(measure.total.typical() + measure.total.disturbance == group->total);
    CHECK(group->sums.total.parts == measure.total.parts);
    CHECK(group->sums.total.disturbance == measure.total.disturbance);
    CHECK(group->sums.total.total == group->total);
    // What stands side by side is what the group alone has.
    CHECK(group->sums.occurrences == measure.occurrences);
    CHECK(group->sums.inclusive == measure.inclusive);
    Amount on_lines;
    for (size_t l = 0; l < measure.lines.size(); ++l) {
      const LineTotal& line = group->sums.lines[l];
      CHECK(line.self.amount == measure.lines[l].self.amount);
      CHECK(line.self.disturbance == measure.lines[l].self.disturbance);
      CHECK(line.inclusive.amount == measure.lines[l].inclusive.amount);
      on_lines += line.self.amount;
    }
    CHECK(on_lines == group->sums.total[Part::Line]);
    CHECK(on_lines > Amount());
    for (size_t m = 0; m < measure.modules.size(); ++m)
      CHECK(group->sums.modules[m].inclusive.amount == measure.modules[m].inclusive.amount);
  }
  TimeOptions options;
  options.group = "chat";
  CHECK_FALSE(measure_time(blocks[0].join, options));
}

TEST_CASE("groups: nothing of static shapes is split", "[groups]") {
  size_t checked = 0;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      for (const JoinedFiles& block : joined(pair.etdump, pair.etrecord)) {
        if (!SymbolicWork(block.join.code()).empty()) continue;
        const Result<TimeMeasure> time = measure_time(block.join, {});
        REQUIRE(time);
        CHECK(time->measure.samples.groups.empty());
        ++checked;
      }
    }
  }
  CHECK(checked >= 50);
}

TEST_CASE("groups: symbols of shapes", "[groups]") {
  using Symbols = std::map<std::string, int>;
  CHECK(symbols_of_shape("[1, 64] float32").empty());
  CHECK(symbols_of_shape("[] float32").empty());
  CHECK(symbols_of_shape("[1, s27, 2*s27, s0 + 1] float32") == Symbols{{"s27", 2}, {"s0", 1}});
  CHECK(symbols_of_shape("[Max(1, s3), u0] int64") == Symbols{{"s3", 1}, {"u0", 1}});
}

TEST_CASE("groups: work that grows is found, a slower machine is none", "[groups]") {
  const auto in_thirds = [](size_t, size_t s) { return s % 3 == 0 ? 4.0 : 1.0; };
  CHECK(groups_in({rows_of(8, in_thirds), {}, rows_of(5, alike)}) == 2);
  // All kernels, those of fixed work as well.
  CHECK(groups_in({rows_of(8, in_thirds), {}, rows_of(5, in_thirds)}) == 1);
  CHECK(groups_in({rows_of(8, alike), {}, rows_of(5, alike)}) == 1);
  // Warm-up of the first execution, and one interruption each, wherever it is.
  const auto warm_up = [](size_t, size_t s) { return s == 0 ? 4.0 : 1.0; };
  CHECK(groups_in({rows_of(8, warm_up), {}, rows_of(5, warm_up)}) == 1);
  const auto interrupted = [](size_t r, size_t s) { return s % 8 == r ? 60.0 : 1.0; };
  CHECK(groups_in({rows_of(8, interrupted), {}, rows_of(5, alike)}) == 1);
  // One long sequence first.
  CHECK(groups_in({rows_of(8, warm_up), {}, rows_of(5, alike)}) == 2);
}

TEST_CASE("groups: a row that varies tells less than rows that do not", "[groups]") {
  // Three of eight kernels wait for threads in every fourth execution.
  const auto waiting = [](size_t r, size_t s) { return r < 3 && s % 4 == 0 ? 3.0 : 1.0; };
  CHECK(groups_in({rows_of(8, waiting), {}, rows_of(5, alike)}) == 1);
  const auto both = [](size_t r, size_t s) {
    return (r < 3 && s % 4 == 0 ? 3.0 : 1.0) * (s % 3 == 0 ? 4.0 : 1.0);
  };
  CHECK(groups_in({rows_of(8, both), {}, rows_of(5, alike)}) == 2);
}

TEST_CASE("groups: few kernels cannot tell one long execution from an interruption", "[groups]") {
  const auto long_first = [](size_t, size_t s) { return s == 0 ? 6.0 : 1.0; };
  CHECK(groups_in({rows_of(3, long_first), {}, rows_of(5, alike)}) == 1);
  CHECK(groups_in({rows_of(4, long_first), {}, rows_of(5, alike)}) == 2);
}

TEST_CASE("groups: few kernels that all wait for the same time did no more work", "[groups]") {
  const auto waiting = [](size_t r, size_t s) { return micros_of(r) + (s % 3 == 0 ? 6.0 : 0.0); };
  CHECK(groups_in({kernels_of(waiting), {}, rows_of(5, alike)}) == 1);
  const auto larger = [](size_t r, size_t s) { return micros_of(r) * (s % 3 == 0 ? 2.0 : 1.0); };
  CHECK(groups_in({kernels_of(larger), {}, rows_of(5, alike)}) == 2);
}

TEST_CASE("groups: few kernels decide, whatever the threads of a backend do", "[groups]") {
  const auto is_large = [](size_t s) { return s % 2 == 1; };
  // Every fifth execution waits; in the first ten the backend has both threads for itself.
  const auto micros = [&](size_t r, size_t s) {
    return micros_of(r) * (is_large(s) ? 2.0 : 1.0) + (s % 5 == 0 ? 5.0 : 0.0);
  };
  const auto threaded = [&](size_t, size_t s) {
    return (is_large(s) ? 2.0 : 1.0) * (s < 10 ? 0.5 : 1.0);
  };
  const std::vector<uint32_t> groups =
      split_executions({kernels_of(micros), rows_of(12, threaded), rows_of(5, alike)});
  for (size_t s = 0; s < groups.size(); ++s) CHECK(groups[s] == (is_large(s) ? 1u : 0u));
  // Only the backend: no group.
  const auto steady = [](size_t r, size_t) { return micros_of(r); };
  CHECK(groups_in({kernels_of(steady), rows_of(12, threaded), rows_of(5, alike)}) == 1);
}

TEST_CASE("groups: executions that were not looked at go where all their times fit", "[groups]") {
  // The first 200 of 600 are looked at. Every third is large; of the others that are small every fifth
  // waits, in five of eight kernels, until it is as long as a large one.
  const auto is_large = [](size_t s) { return s % 3 == 0; };
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(1, 1.08);
  GroupSignals signals;
  for (size_t r = 0; r < 8; ++r) {
    std::vector<double>& row = signals.kernels.emplace_back();
    for (size_t s = 0; s < 600; ++s) {
      const bool waits = r < 5 && s >= 200 && s % 5 == 1;
      row.push_back(std::log(5.0 * noise(random) * (is_large(s) || waits ? 4.0 : 1.0)));
    }
  }
  signals.fixed.assign(3, std::vector<double>(600, 2.0));
  Numbers looked_at;
  for (uint32_t s = 0; s < 200; ++s) looked_at.push_back(s);
  const std::vector<uint32_t> groups = split_executions(signals, looked_at);
  REQUIRE(groups.size() == 600);
  for (size_t s = 0; s < groups.size(); ++s) {
    CAPTURE(s);
    CHECK(groups[s] == (is_large(s) ? 1u : 0u));
  }
  // Of one, nothing can be divided.
  CHECK(split_executions(signals, Numbers{4}) == std::vector<uint32_t>(600));
}

TEST_CASE("groups: the operators of a backend alone", "[groups]") {
  const auto groups_of = [](const LogRows& operators) {
    GroupSignals signals;
    signals.operators = operators;
    const std::vector<uint32_t> groups = split_executions(signals);
    return std::set<uint32_t>(groups.begin(), groups.end()).size();
  };
  const auto sizes = [](size_t, size_t s) { return s % 2 == 0 ? 2.5 : 1.0; };
  CHECK(groups_of(rows_of(12, sizes)) == 2);
  CHECK(groups_of(rows_of(12, alike)) == 1);
  // Too few of them.
  CHECK(groups_of(rows_of(7, sizes)) == 1);
  // Levels that do not repeat: the machine may have been slower from then on.
  const auto in_blocks = [](size_t, size_t s) { return s < 20 ? 1.0 : 2.5; };
  CHECK(groups_of(rows_of(12, in_blocks)) == 1);
  // A few executions are longer.
  const auto few = [](size_t, size_t s) { return s % 5 == 0 ? 2.5 : 1.0; };
  CHECK(groups_of(rows_of(12, few)) == 1);
  // Threads are away in every second execution, but each time another third of the operators is spared.
  const auto threads = [](size_t r, size_t s) {
    return s % 2 == 0 && r % 3 != (s / 2) % 3 ? 2.5 : 1.0;
  };
  CHECK(groups_of(rows_of(12, threads)) == 1);
  // One execution may be of either size, so that all stay one group.
  const auto between = [](size_t r, size_t s) {
    const bool is_large = s == 7 ? r % 4 != 0 : s % 2 == 0;
    return is_large ? 2.5 : 1.0;
  };
  CHECK(groups_of(rows_of(12, between)) == 1);
}

TEST_CASE("groups: what few kernels say, a backend may deny", "[groups]") {
  const auto is_large = [](size_t s) { return s % 3 == 0; };
  const auto larger = [&](size_t r, size_t s) { return micros_of(r) * (is_large(s) ? 2.2 : 1.0); };
  const auto sizes = [&](size_t, size_t s) { return is_large(s) ? 2.2 : 1.0; };
  GroupSignals signals{kernels_of(larger), {}, rows_of(5, alike), rows_of(12, sizes)};
  CHECK(groups_in(signals) == 2);
  signals.operators = rows_of(12, alike);
  CHECK(groups_in(signals) == 1);
}

TEST_CASE("groups: a slower machine explains no more than fixed work shows", "[groups]") {
  const auto longer = [](size_t, size_t s) { return s % 3 == 0 ? 1.7 : 1.0; };
  const auto slower = [](size_t, size_t s) { return s % 3 == 0 ? 1.15 : 1.0; };
  CHECK(groups_in({rows_of(8, longer), {}, rows_of(5, alike)}) == 2);
  CHECK(groups_in({rows_of(8, longer), {}, rows_of(5, slower)}) == 2);
  // Some fixed work took as much longer as the rest.
  const auto some_slower = [](size_t r, size_t s) { return s % 3 != 0 ? 1.0 : r < 2 ? 1.7 : 1.15; };
  CHECK(groups_in({rows_of(8, longer), {}, rows_of(5, some_slower)}) == 1);
  const auto some_longer = [](size_t r, size_t s) { return s % 3 != 0 ? 1.0 : r < 3 ? 1.1 : 1.8; };
  CHECK(groups_in({rows_of(8, some_longer), {}, rows_of(5, slower)}) == 1);
  // Two kernels do not show how unlike fixed work is.
  CHECK(groups_in({rows_of(8, longer), {}, rows_of(2, slower)}) == 1);
}

TEST_CASE("groups: the execution in which other programs start is not a longer sequence",
          "[groups]") {
  // Nearly all kernels of the eleventh execution wait, by about 1.75.
  const auto disturbed = [](size_t r, size_t s) { return s == 10 && r != 4 ? 1.75 : 1.0; };
  CHECK(groups_in({rows_of(10, disturbed), {}, rows_of(6, alike)}) == 1);
  const auto longer = [](size_t, size_t s) { return s == 10 ? 2.2 : 1.0; };
  CHECK(groups_in({rows_of(10, longer), {}, rows_of(6, alike)}) == 2);
}

TEST_CASE("groups: cold caches lengthen short kernels, more work the long ones", "[groups]") {
  // Kernels of one token, and what they took in the last four executions, whose caches were cold.
  constexpr std::array kWarm{4.8, 4.8, 0.84, 0.4, 0.4, 0.3, 0.3, 0.24};
  constexpr std::array kCold{5.3, 6.4, 1.2, 2.0, 0.6, 0.36, 0.36, 0.6};
  const auto rows_with = [&](double work) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> noise(1, 1.05);
    LogRows rows(kWarm.size());
    for (size_t r = 0; r < rows.size(); ++r) {
      for (size_t s = 0; s < 40; ++s) {
        const double micros = (s < 36 ? kWarm[r] : kCold[r]) * (s % 3 == 0 ? work : 1);
        rows[r].push_back(std::log(kKernelOffset + noise(random) * micros));
      }
    }
    return rows;
  };
  CHECK(groups_in({rows_with(1), {}, rows_of(5, alike)}) == 1);
  CHECK(groups_in({rows_with(4), {}, rows_of(5, alike)}) == 2);
}

TEST_CASE("groups: few kernels and a backend, each execution where all its times fit", "[groups]") {
  // Every seventh execution of the smaller size waits until it is as long as the larger one, in one
  // kernel; the backend's events are interrupted now and then.
  const auto is_large = [](size_t s) { return s % 2 == 1; };
  const auto micros = [&](size_t r, size_t s) {
    return micros_of(r) * (is_large(s) ? 2.2 : 1.0) +
           (s % 14 == 0 && r != 1 ? micros_of(r) * 1.2 : 0);
  };
  const auto interrupted = [&](size_t r, size_t s) {
    return (is_large(s) ? 2.2 : 1.0) * (s % 12 == r ? 9.0 : 1.0);
  };
  const std::vector<uint32_t> groups =
      split_executions({kernels_of(micros), rows_of(12, interrupted), rows_of(5, alike)});
  for (size_t s = 0; s < groups.size(); ++s) CHECK(groups[s] == (is_large(s) ? 1u : 0u));
}

TEST_CASE("groups: robust statistics", "[groups]") {
  CHECK(quantile_of({}, 0.5) == 0);
  CHECK(quantile_of({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile_of({4, 1, 3, 2}, 1) == 4);
  CHECK(weighted_quantile_of({1, 2, 9}, {1, 1, 3}, 0.5) == 9);
}

TEST_CASE("groups: sizes in a range are no groups", "[groups]") {
  const auto ramp = [](size_t, size_t s) { return 1.0 + 0.2 * static_cast<double>(s); };
  CHECK(groups_in({rows_of(8, ramp), {}, rows_of(5, alike)}) == 1);
}

}  // namespace etlens::groups_test
