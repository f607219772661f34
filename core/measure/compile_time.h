// SPDX-License-Identifier: Apache-2.0
// The measure of compile time: what a Python profile (of Dynamo's profiler, or of cProfile) says of
// its functions. A contribution is a function; its amount is its own time in whole nanoseconds, so
// that all of them add up to the total. Inclusive is pstats' cumulative time: that of primitive
// calls, so that recursion counts once; occurrences are all calls.
#pragma once

#include <memory>

#include "core/formats/pstats/python_profile.h"
#include "core/measure/measure.h"

namespace etlens {

inline constexpr std::string_view kCompileTimeId = "compile_time";

struct CompileTime {
  Measure measure;      // one contribution per function of the profile, in its order
  size_t negative = 0;  // own times below 0 (a clock that was set back), which count as 0
};

CompileTime measure_compile_time(std::shared_ptr<const PythonProfile> profile);

}  // namespace etlens
