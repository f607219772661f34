// SPDX-License-Identifier: Apache-2.0
// Student's quantiles, against printed tables.
#include "core/measure/student.h"

#include <utility>

namespace etlens {

TEST_CASE("student: the quantiles of tables", "[interval]") {
  for (const auto& [freedom, quantile] : {std::pair{1.0, 12.7062},
                                          {2.0, 4.30265},
                                          {3.0, 3.18245},
                                          {4.0, 2.77645},
                                          {5.0, 2.57058},
                                          {7.0, 2.36462},
                                          {9.0, 2.26216},
                                          {14.0, 2.14479},
                                          {19.0, 2.09302},
                                          {49.0, 2.00958},
                                          {99.0, 1.98422},
                                          {1e6, 1.95996}}) {
    CAPTURE(freedom);
    CHECK(student_quantile(freedom) == Approx(quantile).epsilon(1e-3));
  }
}

TEST_CASE("student: degrees need not be whole, and fewer are never surer", "[interval]") {
  for (double freedom = 1; freedom < 30; freedom += 0.01)
    CHECK(student_quantile(freedom) > student_quantile(freedom + 0.01));
  CHECK(student_quantile(0.5) == student_quantile(1));
  CHECK(student_quantile(1.2) == Approx(8.6488).epsilon(0.03));
  CHECK(student_quantile(1.5) == Approx(6.0167).epsilon(0.03));
}

}  // namespace etlens
