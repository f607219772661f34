// SPDX-License-Identifier: Apache-2.0
// The code of a Python profile: its functions, each on the line of its definition. No nodes, no
// delegate calls, and of modules only the root.
#pragma once

#include <memory>
#include <vector>

#include "core/code/landing.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

// One contribution per function of the profile, in its order. Functions without a line (built-in
// ones) are in Part::Framework. Two functions that are defined on one line share it; the line has
// the name of the first.
//
// Lines have no text, only the name of what they define (Code::has_definitions).
std::shared_ptr<const Landings> land_profile(std::shared_ptr<const PythonProfile> profile);

}  // namespace etlens
