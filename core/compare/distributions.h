// SPDX-License-Identifier: Apache-2.0
// Distributions of the tests, worked out in double. Boost's own choice is long double: more digits
// than there are to say, and under Valgrind, which has none, the process ends before main().
#pragma once

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace etlens {

using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, InDouble>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;

}  // namespace etlens
