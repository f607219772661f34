// SPDX-License-Identifier: Apache-2.0
// Do 95 % intervals contain the truth in 95 of 100 cases? Those of core/measure/interval.h, and next
// to them those of 200 bootstrap draws, in per cent.
//
//   etlens_interval_bench [--halves] [FOLDER…]     default: $ETLENS_CORPUS; without it the tests' own
//                                                  data. --halves: no simulations
//
// Simulations: executions of kinds of noise, of which the truth is known.
// Halves: the executions of every dump of at least 20, in two halves. Nobody knows the truth, but
// the two numbers differ by more than both intervals together in 5 of 100 cases, if the intervals
// are right. Neighbours go into one half, or are dealt at random: only the first asks whether
// executions that follow each other are alike. Places are lines and parts with at least 0.5 % of the
// time.
//
// Fails where the intervals contain the truth less often than the bounds below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "bench/corpus_dumps.h"
#include "core/measure/interval.h"
#include "core/measure/time.h"
#include "tests/support/noise.h"

namespace {

using namespace etlens;
using test::executions_of;
using test::Noise;

constexpr size_t kTrials = 1000;
constexpr size_t kDraws = 200;
constexpr size_t kLeastExecutions = 20;
constexpr size_t kDeals = 8;  // of the executions of a dump at random
constexpr double kLeastShare = 0.005;
constexpr std::array<size_t, 5> kExecutions{5, 10, 20, 50, 100};

using Ids = std::vector<ContributionId>;

// The interval from draws with replacement, as percentiles.
std::optional<Interval> bootstrap_interval(const Measure& measure, const Ids& ids) {
  const std::vector<uint32_t>& used = measure.samples.used;
  std::mt19937 random(static_cast<uint32_t>(used.size()));
  std::uniform_real_distribution<double> either(-1, 1);
  std::vector<double> sums;
  std::vector<int64_t> values;
  for (size_t d = 0; d < kDraws; ++d) {
    std::vector<uint32_t> drawn(used.size());
    for (uint32_t& sample : drawn) sample = used[random() % used.size()];
    double& sum = sums.emplace_back(0);
    for (const ContributionId id : ids) {
      values.clear();
      for (const uint32_t sample : drawn) {
        const int64_t value = measure.series.at(id.value, sample);
        if (value != Series::kAbsent) values.push_back(value);
      }
      sum += measure.shown(summarize(values, measure.statistic, measure.slack[id.value]));
      if (!measure.unsure.empty()) sum += either(random) * measure.unsure[id.value];
    }
  }
  std::sort(sums.begin(), sums.end());
  return Interval{sums[kDraws / 40], sums[kDraws - 1 - kDraws / 40]};
}

std::optional<Interval> own_interval(const Measure& measure, const Ids& ids) {
  return interval_of(uncertainty_of(measure, ids));
}

// ---- simulations

constexpr Noise kNoises[]{
    {.name = "calm, 3 %"},
    {.name = "10 %", .spread = 0.1},
    {.name = "20 %", .spread = 0.2, .least = 91},
    {.name = "40 %", .spread = 0.4, .least = 90},
    {.name = "5 % of them interrupted", .interrupted = 0.05},
    {.name = "20 % of them interrupted", .interrupted = 0.2},
    {.name = "30 % take 1.1 times as long", .spread = 0.02, .slow = 0.3, .times = 1.1},
    {.name = "10 % take 1.2 times as long", .spread = 0.02, .slow = 0.1, .times = 1.2, .least = 75},
    {.name = "30 % take 1.5 times as long", .spread = 0.02, .slow = 0.3, .times = 1.5},
    {.name = "cut to whole µs, 3.3 µs", .spread = 0.05, .step = 1000, .mean = 3300},
    {.name = "like the one before, 0.3", .spread = 0.05, .follows = 0.3, .least = 90},
    {.name = "like the one before, 0.6", .spread = 0.05, .follows = 0.6, .least = 82},
    {.name = "like the one before, 0.8", .spread = 0.05, .follows = 0.8, .least = 70},
};

// Of one contribution.
Measure measure_of(const std::vector<int64_t>& values, int64_t slack) {
  auto landings = std::make_shared<Landings>();
  landings->code = std::make_shared<Code>();
  landings->rows.resize(1);
  Measure measure;
  measure.landings = landings;
  measure.statistic = Statistic::Typical;
  measure.series = Series(1, values.size());
  for (uint32_t s = 0; s < values.size(); ++s) {
    measure.series.sample(s)[0] = values[s];
    measure.samples.totals.emplace_back(values[s]);
    measure.samples.used.push_back(s);
  }
  measure.slack = {slack};
  measure.occurrences = {values.size()};
  sum_up(measure, {});
  return measure;
}

// In per cent of cases.
struct Held {
  double draws = 0;
  double own = 0;
};

Held coverage(const Noise& noise, size_t executions) {
  const int64_t slack = std::max<int64_t>(200, 2 * noise.step);
  std::mt19937 many(1);
  constexpr size_t kMany = 400'000;
  const double truth =
      static_cast<double>(
          summarize(executions_of(noise, kMany, many), Statistic::Typical, slack).value) /
      static_cast<double>(kMany);
  const Ids only{ContributionId(0)};
  std::mt19937 random(static_cast<uint32_t>(executions));
  Held held;
  const auto holds = [&](const std::optional<Interval>& interval) {
    return interval && interval->low <= truth && truth <= interval->high ? 100.0 / kTrials : 0;
  };
  for (size_t trial = 0; trial < kTrials; ++trial) {
    const Measure measure = measure_of(executions_of(noise, executions, random), slack);
    held.own += holds(own_interval(measure, only));
    held.draws += holds(bootstrap_interval(measure, only));
  }
  return held;
}

bool print_simulations() {
  fmt::print("{:<32}", "executions: draws, closed form");
  for (const size_t executions : kExecutions) fmt::print("{:>14}", executions);
  bool is_well = true;
  for (const Noise& noise : kNoises) {
    fmt::print("\n{:<32}", noise.name);
    for (const size_t executions : kExecutions) {
      const Held held = coverage(noise, executions);
      fmt::print("{:>8.1f}{:>6.1f}", held.draws, held.own);
      is_well = is_well && (executions < 10 || held.own >= noise.least);
    }
  }
  fmt::print("\n\n");
  return is_well;
}

// ---- halves of dumps

// One place, in the two halves of a dump.
struct Pair {
  std::array<double, 2> value{};
  std::array<double, 2> own{};    // half the width of the interval
  std::array<double, 2> draws{};  // likewise
  bool is_drawn = false;
  double follows = 0;  // correlation of an execution's influence with the one before
};

double half_of(const std::optional<Interval>& interval) {
  return interval ? (interval->high - interval->low) / 2 : 0;
}

std::vector<Ids> places_of(const Measure& measure) {
  std::vector<Ids> places;
  for (const LineLandings& line : measure.landings->lines) places.push_back(line.own);
  std::vector<Ids> parts(kParts);
  for (size_t c = 0; c < measure.landings->rows.size(); ++c)
    parts[static_cast<size_t>(measure.landings->rows[c].part)].emplace_back(c);
  for (size_t p = 0; p < kParts; ++p) {
    if (static_cast<Part>(p) != Part::Line) places.push_back(parts[p]);
  }
  return places;
}

double correlation_of(const std::vector<double>& influences) {
  const double squares =
      std::inner_product(influences.begin(), influences.end(), influences.begin(), 0.0);
  const double products =
      std::inner_product(influences.begin() + 1, influences.end(), influences.begin(), 0.0);
  return squares > 0 ? products / squares : 0;
}

std::string list_of(std::vector<size_t> executions) {
  std::sort(executions.begin(), executions.end());
  std::string list;
  for (const size_t i : executions) list += fmt::format("{}{}", list.empty() ? "" : ",", i + 1);
  return list;
}

// `order`: of the executions; the first half of them against the rest.
void add_pairs(const Join& join, const std::vector<size_t>& order, bool draws,
               std::vector<Pair>& pairs) {
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  std::vector<TimeMeasure> halves;
  for (const std::string& list :
       {list_of({order.begin(), middle}), list_of({middle, order.end()})}) {
    Result<TimeMeasure> half = measure_time(join, {Statistic::Typical, list, false, ""});
    if (!half) return;
    halves.push_back(std::move(*half));
  }
  for (const Ids& place : places_of(halves[0].measure)) {
    Pair pair;
    pair.is_drawn = draws;
    for (size_t h = 0; h < 2; ++h) {
      const Measure& measure = halves[h].measure;
      const std::optional<Uncertainty> known = uncertainty_of(measure, place);
      if (!known) return;
      pair.value[h] = known->amount;
      pair.own[h] = half_width(*known);
      pair.follows += correlation_of(known->influences) / 2;
      if (measure.share(sum_of(measure, place).total.amount) < kLeastShare) pair.value[0] = -1;
      if (draws && pair.value[0] >= 0) pair.draws[h] = half_of(bootstrap_interval(measure, place));
    }
    if (pair.value[0] >= 0) pairs.push_back(pair);
  }
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1))];
}

// Returns in how many per cent they hold.
Held print_pairs(std::string_view name, const std::vector<Pair>& pairs) {
  Held held;
  std::vector<double> own;
  std::vector<double> draws;
  std::vector<double> follows;
  for (const Pair& pair : pairs) {
    const double apart = std::abs(pair.value[0] - pair.value[1]);
    held.own += apart <= std::hypot(pair.own[0], pair.own[1]) ? 1 : 0;
    own.push_back(100 * pair.own[0] / pair.value[0]);
    follows.push_back(pair.follows);
    if (!pair.is_drawn) continue;
    held.draws += apart <= std::hypot(pair.draws[0], pair.draws[1]) ? 1 : 0;
    draws.push_back(100 * pair.draws[0] / pair.value[0]);
  }
  held.own *= 100.0 / static_cast<double>(std::max<size_t>(1, own.size()));
  held.draws *= 100.0 / static_cast<double>(std::max<size_t>(1, draws.size()));
  fmt::print("{:<32}{:>8}{:>8.1f}{:>8.1f}{:>10.2f}{:>8.2f}   {:.2f} {:.2f} {:.2f}\n", name,
             pairs.size(), held.draws, held.own, quantile(draws, 0.5), quantile(own, 0.5),
             quantile(follows, 0.25), quantile(follows, 0.5), quantile(follows, 0.75));
  return held;
}

// Returns whether the bounds hold.
bool print_halves(const std::vector<fs::path>& roots) {
  std::vector<Pair> neighbours;
  std::vector<Pair> dealt;
  std::mt19937 random(1);
  for (const fs::path& root : roots) {
    for (const fs::path& folder : folders_below(root)) {
      for (const DumpFiles& files : dumps_in(folder)) {
        const std::optional<Join> join = join_of(files);
        if (!join || join->selected().runs.size() < kLeastExecutions) continue;
        std::vector<size_t> order(join->selected().runs.size());
        std::iota(order.begin(), order.end(), size_t{0});
        add_pairs(*join, order, true, neighbours);
        for (size_t deal = 0; deal < kDeals; ++deal) {
          std::shuffle(order.begin(), order.end(), random);
          add_pairs(*join, order, deal == 0, dealt);
        }
      }
    }
  }
  fmt::print("{:<32}{:>8}{:>16}{:>18}   {}\n", "halves of dumps", "places", "draws, closed",
             "half width, %", "correlation, quartiles");
  const Held of_dealt = print_pairs("dealt at random", dealt);
  const Held of_neighbours = print_pairs("the first half, the second", neighbours);
  // Places of one dump are alike, so a few dumps tell little: the bounds have room.
  return !neighbours.empty() && of_dealt.own >= 94 && of_neighbours.own >= 80 &&
         of_neighbours.own >= of_neighbours.draws;
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_halves = argc > 1 && std::string_view(argv[1]) == "--halves";
  std::vector<fs::path> roots(argv + (only_halves ? 2 : 1), argv + argc);
  const char* corpus = std::getenv("ETLENS_CORPUS");
  if (roots.empty() && corpus != nullptr && *corpus != '\0') roots.emplace_back(corpus);
  if (roots.empty()) roots = {ETLENS_SOURCE_DIR "/examples", ETLENS_SOURCE_DIR "/tests/data"};
  const bool simulations = only_halves || print_simulations();
  const bool halves = print_halves(roots);
  if (!simulations || !halves)
    fmt::print(stderr, "intervals contain the truth less often than they should\n");
  return simulations && halves ? 0 : 1;
}
