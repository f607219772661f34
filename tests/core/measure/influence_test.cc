// SPDX-License-Identifier: Apache-2.0
// Influences are what a statistic loses without one of its values.
#include "core/measure/influence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace etlens::influence_test {

namespace {

Influences influences_of(const std::vector<int64_t>& values, Statistic statistic,
                         int64_t slack = 200) {
  Influences found;
  find_influences(values, statistic, slack, found);
  REQUIRE(found.of_value.size() == values.size());
  return found;
}

double sum_of(const Influences& found) {
  return std::accumulate(found.of_value.begin(), found.of_value.end(), 0.0);
}

double squares_of(const Influences& found) {
  return std::inner_product(found.of_value.begin(), found.of_value.end(), found.of_value.begin(),
                            0.0);
}

double value_of(const std::vector<int64_t>& values, Statistic statistic, int64_t slack) {
  return static_cast<double>(summarize(values, statistic, slack).value) /
         static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("influence: of the mean, the distances to it", "[interval]") {
  const Influences found = influences_of({10, 20, 60}, Statistic::Mean);
  CHECK(found.of_value == std::vector<double>{-20, -10, 30});
  CHECK(found.kept == 3);
}

TEST_CASE("influence: an interruption has none on what is typical", "[interval]") {
  const Influences found = influences_of({10'000, 10'400, 10'200, 95'000}, Statistic::Typical);
  CHECK(found.kept == 3);
  CHECK(found.of_value[3] == 0);
  CHECK(found.of_value[1] == Approx(200 * 4.0 / 3));
  CHECK(sum_of(found) == Approx(0).margin(1e-9));
}

TEST_CASE("influence: of what is typical, nearly what is lost without the value", "[interval]") {
  std::mt19937 random(31);
  std::lognormal_distribution<double> noise(std::log(50'000), 0.03);
  std::vector<int64_t> values;
  for (size_t i = 0; i < 40; ++i) values.push_back(static_cast<int64_t>(noise(random)));
  values[7] *= 9;
  const Influences found = influences_of(values, Statistic::Typical);
  const double all = value_of(values, Statistic::Typical, 200);
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<int64_t> others = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const double lost = 39 * (all - value_of(others, Statistic::Typical, 200));
    CHECK(found.of_value[i] == Approx(lost).epsilon(0.05).margin(60));  // amounts are whole ticks
  }
}

TEST_CASE("influence: values at the limit make what is typical less sure", "[interval]") {
  std::mt19937 random(32);
  std::lognormal_distribution<double> noise(std::log(50'000), 0.25);
  std::vector<int64_t> values;
  for (size_t i = 0; i < 200; ++i) values.push_back(static_cast<int64_t>(noise(random)));
  const Influences found = influences_of(values, Statistic::Typical);
  std::vector<int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double limit =
      kTypicalSpread * std::accumulate(sorted.begin(), sorted.begin() + 100, 0.0) / 100;
  const double typical = value_of(values, Statistic::Typical, 200);
  double kept_alone = 0;  // as if the limit did not move
  for (const int64_t value : values) {
    if (static_cast<double>(value) <= limit)
      kept_alone += std::pow(200 / found.kept * (static_cast<double>(value) - typical), 2);
  }
  CHECK(found.kept < 190);
  CHECK(squares_of(found) > 1.2 * kept_alone);
  CHECK(sum_of(found) == Approx(0).margin(1e-3));
}

TEST_CASE("influence: of the median, how wide its order statistics are apart", "[interval]") {
  std::mt19937 random(33);
  std::normal_distribution<double> noise(50'000, 1000);
  double ratio = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < 50; ++i) values.push_back(static_cast<int64_t>(noise(random)));
    // The variance of a median of many normal values is pi / 2 of that of their mean.
    ratio += squares_of(influences_of(values, Statistic::Median)) / 50 / 1e6 / 200;
  }
  CHECK(ratio == Approx(1.571).epsilon(0.1));
}

TEST_CASE("influence: of the least and the greatest, what is lost without it", "[interval]") {
  CHECK(influences_of({30, 10, 14}, Statistic::Minimum).of_value == std::vector<double>{0, -12, 0});
  CHECK(influences_of({30, 10, 14}, Statistic::Maximum).of_value == std::vector<double>{48, 0, 0});
}

TEST_CASE("influence: of values that are all the same, none", "[interval]") {
  for (const Statistic statistic : {Statistic::Typical, Statistic::Mean, Statistic::Median,
                                    Statistic::Minimum, Statistic::Maximum}) {
    CHECK(squares_of(influences_of({7, 7, 7, 7, 7, 7}, statistic)) == 0);
    CHECK(squares_of(influences_of({7}, statistic)) == 0);
    CHECK(squares_of(influences_of({0, 0}, statistic)) == 0);
  }
}

}  // namespace etlens::influence_test
