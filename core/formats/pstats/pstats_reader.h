// SPDX-License-Identifier: Apache-2.0
// Reads `.prof` files: a marshalled dict of
//   (file, line, name): (primitive calls, calls, own, cumulative, callers)
// where callers is a dict of
//   (file, line, name): (calls, primitive calls, own, cumulative)      all calls come first here
// or, of Python's pure profiler, of call counts alone. Source: Lib/cProfile.py, Lib/profile.py,
// Lib/pstats.py of CPython; torch/_dynamo/dynamo_profiler.py writes the same.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

// True for a dict whose first key is a tuple of three that starts with a text. `front`: the first
// bytes of the file.
bool looks_like_python_profile(std::span<const uint8_t> front);

// Errors are sentences about "it": Corrupt; Unsupported for a profile without functions.
//
// Counts beyond 2^53 in all, and times beyond kMaxProfileSeconds, are refused: no run has them, and
// what they add up to would not fit.
Result<PythonProfile> read_python_profile(std::span<const uint8_t> bytes);

inline constexpr int64_t kMaxProfileCalls = int64_t{1} << 53;
inline constexpr double kMaxProfileSeconds = 4e9;  // 127 years

}  // namespace etlens
