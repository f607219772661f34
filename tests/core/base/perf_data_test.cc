// SPDX-License-Identifier: Apache-2.0
#include "core/base/perf_data.h"

#include <vector>

namespace etlens::perf_data_test {

TEST_CASE("perf data: percentiles as numpy computes them", "[perf_data]") {
  const std::vector<double> values{10, 1, 3, 2};
  const PerfData perf = perf_data(std::span<const double>(values));
  CHECK(perf.p10 == Approx(1.3));
  CHECK(perf.p50 == Approx(2.5));
  CHECK(perf.p90 == Approx(7.9));
  CHECK(perf.avg == 4.0);
  CHECK(perf.min == 1);
  CHECK(perf.max == 10);
}

TEST_CASE("perf data: one value and none", "[perf_data]") {
  const std::vector<double> one{7};
  CHECK(perf_data(std::span<const double>(one)).p90 == 7);
  CHECK(perf_data(std::span<const double>()).avg == 0);
}

TEST_CASE("perf data: sums in numpy's order", "[perf_data]") {
  // 0.1 added 1000 times one after the other gives 99.9999999999986; numpy adds in pairs.
  const std::vector<double> tenths(1000, 0.1);
  CHECK(std::abs(pairwise_sum(tenths) - 100) < 1e-12);
}

}  // namespace etlens::perf_data_test
