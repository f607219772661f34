// SPDX-License-Identifier: Apache-2.0
// Intervals hold the truth as often as they say, and are the same every time.
#include "core/measure/interval.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/noise.h"

namespace etlens::interval_test {

using test::executions_of;
using test::Noise;

namespace {

constexpr ContributionId kOnly(0);

// A measure with the given samples of each contribution; nothing of it has a place.
Measure measure_of(const std::vector<std::vector<int64_t>>& contributions,
                   Statistic statistic = Statistic::Typical, int64_t slack = 200) {
  auto landings = std::make_shared<Landings>();
  landings->code = std::make_shared<Code>();
  landings->rows.resize(contributions.size());
  const size_t samples = contributions.front().size();
  Measure measure;
  measure.landings = landings;
  measure.statistic = statistic;
  measure.series = Series(contributions.size(), samples);
  for (uint32_t s = 0; s < samples; ++s) {
    Amount total;
    for (size_t c = 0; c < contributions.size(); ++c) {
      measure.series.sample(s)[c] = contributions[c][s];
      total += Amount(std::max<int64_t>(contributions[c][s], 0));
    }
    measure.samples.totals.push_back(total);
    measure.samples.used.push_back(s);
  }
  measure.slack.assign(contributions.size(), slack);
  measure.occurrences.assign(contributions.size(), samples);
  sum_up(measure, {});
  return measure;
}

std::vector<int64_t> noisy(std::mt19937& random, size_t samples, double mean, double spread) {
  std::normal_distribution<double> noise(mean, spread);
  std::vector<int64_t> values;
  for (size_t i = 0; i < samples; ++i)
    values.push_back(static_cast<int64_t>(std::max(0.0, noise(random))));
  return values;
}

std::optional<Uncertainty> uncertainty_in(const Measure& measure, ContributionId id = kOnly) {
  return uncertainty_of(measure, std::span(&id, 1));
}

std::optional<Interval> interval_in(const Measure& measure, ContributionId id = kOnly) {
  return interval_of(uncertainty_in(measure, id));
}

// What so many executions amount to that nothing is left to chance.
double truth_of(const Noise& noise, Statistic statistic, int64_t slack) {
  constexpr size_t kMany = 200'000;
  std::mt19937 random(1);
  const std::vector<int64_t> values = executions_of(noise, kMany, random);
  return static_cast<double>(summarize(values, statistic, slack).value) /
         static_cast<double>(kMany);
}

// In percent of simulations.
double coverage(const Noise& noise, size_t executions, Statistic statistic, int64_t slack = 200) {
  const double truth = truth_of(noise, statistic, slack);
  constexpr size_t kTrials = 1000;
  std::mt19937 random(static_cast<uint32_t>(executions));
  size_t held = 0;
  for (size_t trial = 0; trial < kTrials; ++trial) {
    const auto interval =
        interval_in(measure_of({executions_of(noise, executions, random)}, statistic, slack));
    REQUIRE(interval);
    held += interval->low <= truth && truth <= interval->high ? 1 : 0;
  }
  return 100.0 * static_cast<double>(held) / static_cast<double>(kTrials);
}

constexpr Noise kCalm{"calm"};
constexpr Noise kSkewed{"skewed", 0.1};
constexpr Noise kInterrupted{.name = "interrupted", .interrupted = 0.1};
constexpr Noise kTwoSpeeds{.name = "two speeds", .spread = 0.02, .slow = 0.3, .times = 1.5};

}  // namespace

TEST_CASE("interval: contains the truth in 95 of 100 simulations", "[interval][simulation]") {
  for (const Noise& noise : {kCalm, kSkewed, kInterrupted, kTwoSpeeds}) {
    for (const size_t executions : {5, 10, 20, 50, 100}) {
      const double held = coverage(noise, executions, Statistic::Typical);
      CAPTURE(noise.name, executions, held);
      CHECK(held >= 93.5);
      CHECK(held <= 97.5);
    }
  }
}

TEST_CASE("interval: contains the truth of mean and median too", "[interval][simulation]") {
  for (const size_t executions : {5, 10, 20, 50, 100}) {
    CAPTURE(executions);
    CHECK(coverage(kCalm, executions, Statistic::Mean) >= 93.5);
    CHECK(coverage(kCalm, executions, Statistic::Mean) <= 97.5);
    CHECK(coverage(kInterrupted, executions, Statistic::Median) >= 93);
    CHECK(coverage(kInterrupted, executions, Statistic::Median) <= 98.5);
  }
}

TEST_CASE("interval: executions that follow each other count for fewer", "[interval][simulation]") {
  const Noise alike{.name = "alike", .spread = 0.05, .follows = 0.3};
  const Noise very_alike{.name = "very alike", .spread = 0.05, .follows = 0.6};
  for (const size_t executions : {20, 50, 100})
    CHECK(coverage(alike, executions, Statistic::Typical) >= 90);
  for (const size_t executions : {50, 100})
    CHECK(coverage(very_alike, executions, Statistic::Typical) >= 91);
}

TEST_CASE("interval: durations that a clock cuts", "[interval][simulation]") {
  const Noise cut{.name = "cut", .spread = 0.05, .step = 1000, .mean = 3300};
  for (const size_t executions : {10, 20, 50, 100}) {
    const double held = coverage(cut, executions, Statistic::Typical, 2000);
    CAPTURE(executions, held);
    CHECK(held >= 93);
    CHECK(held <= 98);
  }
}

TEST_CASE("interval: around the number that is shown", "[interval]") {
  std::mt19937 random(22);
  const Measure measure =
      measure_of({noisy(random, 50, 50'000, 900), noisy(random, 50, 9'000, 300)});
  const std::vector<ContributionId> both{ContributionId(0), ContributionId(1)};
  const auto interval = interval_of(uncertainty_of(measure, both));
  REQUIRE(interval);
  const double shown = measure.shown(sum_of(measure, both).total.amount);
  CHECK(interval->low < shown);
  CHECK(interval->high > shown);
  CHECK(interval->high - shown == Approx(shown - interval->low));
}

TEST_CASE("interval: the same to the last digit in whatever order its parts are given",
          "[interval]") {
  std::mt19937 random(29);
  std::vector<std::vector<int64_t>> rows;
  for (int c = 0; c < 24; ++c) rows.push_back(noisy(random, 17, 50'000 + 777 * c, 900));
  const Measure measure = measure_of(rows);
  std::vector<ContributionId> ids;
  for (size_t c = 0; c < rows.size(); ++c) ids.emplace_back(c);
  const auto ascending = interval_of(uncertainty_of(measure, ids));
  REQUIRE(ascending);
  for (int n = 0; n < 20; ++n) {
    std::shuffle(ids.begin(), ids.end(), random);
    const auto shuffled = interval_of(uncertainty_of(measure, ids));
    CHECK(shuffled->low == ascending->low);
    CHECK(shuffled->high == ascending->high);
  }
}

TEST_CASE("interval: what a coarse clock leaves open adds up like random steps", "[interval]") {
  std::vector<std::vector<int64_t>> steady(16, std::vector<int64_t>(50, 9'000));
  Measure measure = measure_of(steady);
  std::vector<ContributionId> all;
  for (size_t c = 0; c < steady.size(); ++c) all.emplace_back(c);
  CHECK(interval_of(uncertainty_of(measure, all))->high == Approx(16 * 9'000));
  measure.unsure.assign(steady.size(), 500);
  const auto one = interval_of(uncertainty_of(measure, std::span(all).first(1)));
  CHECK(one->low == Approx(8'500));  // no more than the clock can be wrong
  CHECK(one->high == Approx(9'500));
  const auto sum = interval_of(uncertainty_of(measure, all));
  CHECK(sum->high == Approx(16 * 9'000 + 1.96 * 500 / std::sqrt(3) * std::sqrt(16)).epsilon(1e-4));
}

TEST_CASE("interval: an interruption does not widen what is typical", "[interval]") {
  std::mt19937 random(23);
  std::vector<int64_t> values = noisy(random, 50, 50'000, 900);
  const auto calm = interval_in(measure_of({values}));
  values[30] += 3'000'000;
  const auto interrupted = interval_in(measure_of({values}));
  CHECK(interrupted->high - interrupted->low < 2 * (calm->high - calm->low));
  const auto mean = interval_in(measure_of({values}, Statistic::Mean));
  CHECK(mean->high - mean->low > 20 * (calm->high - calm->low));
}

TEST_CASE("interval: nothing is told of too few samples, of minimum and of maximum", "[interval]") {
  std::mt19937 random(25);
  const std::vector<int64_t> few = noisy(random, kMinForInterval - 1, 50'000, 900);
  CHECK_FALSE(interval_in(measure_of({few})));
  CHECK_FALSE(interval_of(std::nullopt));
  const std::vector<int64_t> many = noisy(random, 20, 50'000, 900);
  CHECK_FALSE(interval_in(measure_of({many}, Statistic::Minimum)));
  CHECK_FALSE(interval_in(measure_of({many}, Statistic::Maximum)));
  CHECK(interval_in(measure_of({many}, Statistic::Median)));
}

TEST_CASE("interval: samples without the contribution count as none of it", "[interval]") {
  std::vector<int64_t> values(40, 1000);
  for (size_t s = 0; s < values.size(); s += 2) values[s] = Series::kAbsent;
  const Measure measure = measure_of({values});
  CHECK(measure.self[0].amount == Amount(20'000));
  const auto interval = interval_in(measure);
  CHECK(interval->low == Approx(500));  // half of the executions have it
  CHECK(interval->high == Approx(500));
}

TEST_CASE("interval: which of two is larger, where that can be told", "[interval]") {
  std::mt19937 random(26);
  const auto tied = [&](double a, double b) {
    const Measure measure = measure_of({noisy(random, 50, a, 2000), noisy(random, 50, b, 2000)});
    return are_tied(uncertainty_in(measure, ContributionId(0)),
                    uncertainty_in(measure, ContributionId(1)));
  };
  CHECK(tied(50'000, 50'050));
  CHECK_FALSE(tied(50'000, 60'000));
  CHECK_FALSE(tied(60'000, 50'000));
  CHECK_FALSE(are_tied({}, {}));
}

TEST_CASE("interval: what is slow together does not blur which is larger", "[interval]") {
  std::mt19937 random(27);
  const std::vector<int64_t> smaller = noisy(random, 50, 50'000, 4000);
  std::vector<int64_t> larger = smaller;
  for (int64_t& value : larger) value += 300;
  const Measure together = measure_of({smaller, larger});
  CHECK_FALSE(are_tied(uncertainty_in(together, ContributionId(0)),
                       uncertainty_in(together, ContributionId(1))));
  std::shuffle(larger.begin(), larger.end(), random);
  const Measure apart = measure_of({smaller, larger});
  CHECK(
      are_tied(uncertainty_in(apart, ContributionId(0)), uncertainty_in(apart, ContributionId(1))));
}

TEST_CASE("interval: the sum of what is slow together varies more", "[interval]") {
  std::mt19937 random(28);
  const std::vector<int64_t> values = noisy(random, 50, 50'000, 1000);
  std::vector<int64_t> opposite;
  for (const int64_t value : values) opposite.push_back(100'000 - value);
  const std::vector<ContributionId> both{ContributionId(0), ContributionId(1)};
  const auto half = [&](const std::vector<int64_t>& other) {
    return half_width(*uncertainty_of(measure_of({values, other}), both));
  };
  CHECK(half(values) == Approx(2 * half_width(*uncertainty_in(measure_of({values})))));
  CHECK(half(opposite) < half(values) / 50);
}

}  // namespace etlens::interval_test
