// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/distribution.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace etlens::distribution_test {

namespace {

// As the definition says.
double by_rank(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(q * static_cast<double>(values.size()));
  return values[std::min(rank, values.size() - 1)];
}

// From evenly spread over heavy tails to values that a broken file may hold.
std::vector<std::vector<double>> many_shapes() {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> shapes(4);
  std::lognormal_distribution<double> mild(10, 0.1);
  std::lognormal_distribution<double> wild(8, 4);
  for (int i = 0; i < 5000; ++i) {
    shapes[0].push_back(mild(random));
    shapes[1].push_back(wild(random));
    shapes[2].push_back(i % 2 == 0 ? 1000 : 9e18);
    shapes[3].push_back(i % 3 == 0 ? 0 : static_cast<double>(i));
  }
  return shapes;
}

constexpr double kAsked[]{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1};

}  // namespace

TEST_CASE("distribution: exact quantiles are values of a rank", "[fleet]") {
  for (const std::vector<double>& values : many_shapes()) {
    Distribution distribution;
    for (const double value : values) distribution.add(value);
    for (const double q : kAsked) CHECK(distribution.quantile(q) == by_rank(values, q));
  }
  CHECK(Distribution().quantile(0.5) == 0);
}

TEST_CASE("distribution: a sketch is within its bound, whatever the values are", "[fleet]") {
  for (std::vector<double> values : many_shapes()) {
    Distribution late;  // becomes a sketch half way
    for (size_t i = 0; i < values.size(); ++i) {
      if (i == values.size() / 2) late.make_sketch();
      late.add(values[i]);
    }
    std::reverse(values.begin(), values.end());
    Distribution early;
    early.make_sketch();
    for (const double value : values) early.add(value);
    for (const double q : kAsked) {
      const double truth = by_rank(values, q);
      CAPTURE(q, truth);
      CHECK(std::abs(late.quantile(q) - truth) <= truth * kSketchError * (1 + 1e-9));
      CHECK(early.quantile(q) == late.quantile(q));  // the order does not matter
    }
  }
}

TEST_CASE("distribution: counts are of distinct values, ascending", "[fleet]") {
  Distribution distribution;
  for (const double value : {3.0, 1.0, 3.0, -5.0}) distribution.add(value);
  const Distribution::Counts expected{{0, 1}, {1, 1}, {3, 2}};
  CHECK(distribution.counts() == expected);
  distribution.make_sketch();
  uint64_t all = 0;
  for (const auto& [value, times] : distribution.counts()) all += times;
  CHECK(all == 4);
}

}  // namespace etlens::distribution_test
