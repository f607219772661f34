// SPDX-License-Identifier: Apache-2.0
#include "core/measure/student.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace etlens {
namespace {

constexpr double kBothTails = 0.05;
constexpr double kNormal = -1.959963984540054;  // 2.5 % of the normal distribution lie below
constexpr double kAtOne = 12.706204736432095;
constexpr double kAtTwo = 4.302652729911275;

}  // namespace

// G. W. Hill, "Algorithm 396: Student's t-quantiles", Communications of the ACM 13 (1970). It takes
// a few dozen operations where a search takes thousands.
double student_quantile(double freedom) {
  if (freedom <= 1) return kAtOne;
  // Hill's is too wide here, by a sixth at 1.
  if (freedom < 2) return kAtTwo * std::pow(kAtOne / kAtTwo, 2 / freedom - 1);
  const double a = 1 / (freedom - 0.5);
  const double b = 48 / (a * a);
  double c = ((20700 * a / b - 98) * a - 16) * a + 96.36;
  const double d = ((94.5 / (b + c) - 3) / b + 1) * std::sqrt(a * std::numbers::pi / 2) * freedom;
  double y = std::pow(d * kBothTails, 2 / freedom);
  if (y > 0.05 + a) {
    const double x = kNormal;
    y = x * x;
    if (freedom < 5) c += 0.3 * (freedom - 4.5) * (x + 0.6);
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = std::expm1(a * y * y);
  } else {
    y = ((1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) +
          0.5 / (freedom + 4)) *
             y -
         1) *
            (freedom + 1) / (freedom + 2) +
        1 / y;
  }
  return std::sqrt(freedom * y);
}

}  // namespace etlens
