// SPDX-License-Identifier: Apache-2.0
#include "core/measure/histogram.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

namespace etlens::histogram_test {

TEST_CASE("histogram: every value is counted once, the ends in the first and the last step",
          "[histogram]") {
  const std::vector<double> values{10, 11, 12, 33.9, 34, 10.5};
  const Histogram spread = histogram(values);
  CHECK(spread.min == 10);
  CHECK(spread.max == 34);
  CHECK(spread.counts.front() == 2);
  CHECK(spread.counts[1] == 1);
  CHECK(spread.counts[2] == 1);
  CHECK(spread.counts.back() == 2);
  CHECK(std::accumulate(spread.counts.begin(), spread.counts.end(), 0U) == values.size());
}

TEST_CASE("histogram: equal values, one value, none", "[histogram]") {
  CHECK(histogram(std::vector<double>{5, 5, 5}).counts.front() == 3);
  CHECK(histogram(std::vector<double>{5}).max == 5);
  CHECK(histogram({}).counts.front() == 0);
}

}  // namespace etlens::histogram_test
