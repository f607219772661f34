// SPDX-License-Identifier: Apache-2.0
// Intervals hold the truth as often as they say, and are the same every time.
#include "core/measure/interval.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace etlens::interval_test {

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

std::vector<double> draws_of(const Measure& measure, ContributionId id = kOnly) {
  return Bootstrap(measure).draw(std::span(&id, 1));
}

}  // namespace

TEST_CASE("interval: holds the truth in about 95 of 100 simulations", "[interval][simulation]") {
  for (const Statistic statistic : {Statistic::Typical, Statistic::Mean, Statistic::Median}) {
    std::mt19937 random(21);
    size_t held = 0;
    constexpr size_t kTrials = 400;
    for (size_t trial = 0; trial < kTrials; ++trial) {
      const Measure measure = measure_of({noisy(random, 50, 50'000, 1500)}, statistic);
      const auto interval = interval_of(draws_of(measure));
      REQUIRE(interval);
      held += interval->low <= 50'000 && 50'000 <= interval->high ? 1 : 0;
    }
    CAPTURE(name_of(statistic), held);
    CHECK(held >= kTrials * 90 / 100);
    CHECK(held < kTrials);
  }
}

TEST_CASE("interval: around the number that is shown", "[interval]") {
  std::mt19937 random(22);
  const Measure measure =
      measure_of({noisy(random, 50, 50'000, 900), noisy(random, 50, 9'000, 300)});
  const std::vector<ContributionId> both{ContributionId(0), ContributionId(1)};
  const auto interval = interval_of(Bootstrap(measure).draw(both));
  REQUIRE(interval);
  const double shown = measure.shown(sum_of(measure, both).total.amount);
  CHECK(interval->low < shown);
  CHECK(interval->high > shown);
}

TEST_CASE("interval: what a coarse clock leaves open adds up like random steps", "[interval]") {
  std::vector<std::vector<int64_t>> steady(16, std::vector<int64_t>(50, 9'000));
  Measure measure = measure_of(steady);
  std::vector<ContributionId> all;
  for (size_t c = 0; c < steady.size(); ++c) all.emplace_back(c);
  CHECK(interval_of(Bootstrap(measure).draw(all))->high == Approx(16 * 9'000));
  measure.unsure.assign(steady.size(), 500);
  const auto one = interval_of(Bootstrap(measure).draw(std::span(all).first(1)));
  CHECK(one->low >= 8'500);
  CHECK(one->high <= 9'500);
  CHECK(one->high > 9'400);
  const auto sum = interval_of(Bootstrap(measure).draw(all));
  CHECK(sum->high > 16 * 9'000 + 1'500);  // 1.96 * 500 / sqrt(3) * sqrt(16) = 2263
  CHECK(sum->high < 16 * 9'000 + 3'500);
}

TEST_CASE("interval: an interruption does not widen what is typical", "[interval]") {
  std::mt19937 random(23);
  std::vector<int64_t> values = noisy(random, 50, 50'000, 900);
  const auto calm = interval_of(draws_of(measure_of({values})));
  values[30] += 3'000'000;
  const auto interrupted = interval_of(draws_of(measure_of({values})));
  CHECK(interrupted->high - interrupted->low < 2 * (calm->high - calm->low));
  const auto mean = interval_of(draws_of(measure_of({values}, Statistic::Mean)));
  CHECK(mean->high - mean->low > 20 * (calm->high - calm->low));
}

TEST_CASE("interval: the same every time", "[interval]") {
  std::mt19937 random(24);
  const Measure measure = measure_of({noisy(random, 12, 50'000, 900)});
  CHECK(draws_of(measure) == draws_of(measure));
}

TEST_CASE("interval: nothing is told of too few samples, of minimum and of maximum", "[interval]") {
  std::mt19937 random(25);
  const std::vector<int64_t> few = noisy(random, kMinForInterval - 1, 50'000, 900);
  CHECK(draws_of(measure_of({few})).empty());
  CHECK_FALSE(interval_of({}));
  const std::vector<int64_t> many = noisy(random, 20, 50'000, 900);
  CHECK(draws_of(measure_of({many}, Statistic::Minimum)).empty());
  CHECK(draws_of(measure_of({many}, Statistic::Maximum)).empty());
  CHECK_FALSE(draws_of(measure_of({many}, Statistic::Median)).empty());
}

TEST_CASE("interval: samples without the contribution count as none of it", "[interval]") {
  std::vector<int64_t> values(40, 1000);
  for (size_t s = 0; s < values.size(); s += 2) values[s] = Series::kAbsent;
  const Measure measure = measure_of({values});
  CHECK(measure.self[0].amount == Amount(20'000));
  const auto interval = interval_of(draws_of(measure));
  CHECK(interval->low == Approx(500));  // half of the executions have it
  CHECK(interval->high == Approx(500));
}

TEST_CASE("interval: which of two is larger, where that can be told", "[interval]") {
  std::mt19937 random(26);
  const auto tied = [&](double a, double b) {
    const Measure measure = measure_of({noisy(random, 50, a, 2000), noisy(random, 50, b, 2000)});
    return are_tied(draws_of(measure, ContributionId(0)), draws_of(measure, ContributionId(1)));
  };
  CHECK(tied(50'000, 50'050));
  CHECK_FALSE(tied(50'000, 60'000));
  CHECK_FALSE(tied(60'000, 50'000));
  CHECK_FALSE(are_tied({}, {}));
}

}  // namespace etlens::interval_test
