// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens diff`, etlens/diff@1. Stable: fields may be added.
#pragma once

#include <string>

#include "core/compare/compare.h"

namespace etlens {

// Times are of one execution, typical, in `target`; ticks are summed over all executions of all
// dumps of a side. `change`, `low` and `high` are fractions of before, beyond the machine's factor.
std::string diff_json(const Comparison& comparison, TimeScale target);

}  // namespace etlens
