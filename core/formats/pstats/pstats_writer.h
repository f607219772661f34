// SPDX-License-Identifier: Apache-2.0
// Writes `.prof` files: what pstats_reader reads, in the part of marshal that Python 2.7 and every
// Python 3 read (version 2, no references).
#pragma once

#include <functional>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

// The bytes of the profile, handed out piece by piece; `write` says whether it could take them.
// Every function has a row, those that only call others too: snakeviz looks each caller up.
//
// Errors: Io if `write` failed; InvalidParams for a profile without functions, which Python
// refuses.
Result<void> write_python_profile(const PythonProfile& profile,
                                  const std::function<bool(std::string_view)>& write);

}  // namespace etlens
