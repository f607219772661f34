// SPDX-License-Identifier: Apache-2.0
// Student's t distribution, as far as 95 % intervals need it.
#pragma once

namespace etlens {

// What 97.5 % of the values lie below. `freedom`: degrees, need not be whole; fewer than 1 count as
// 1. Right to a thousandth from 2 degrees on; up to 3 % too much between 1 and 2.
double student_quantile(double freedom);

}  // namespace etlens
