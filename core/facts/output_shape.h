// SPDX-License-Identifier: Apache-2.0
// The shape of what a line computes.
#pragma once

#include <string_view>

#include "core/facts/facts.h"

namespace etlens {

// Of the output of the line's costliest operation, as the record has it ("[1, 64, s0] float32"); "" if
// that is unknown.
std::string_view output_shape(const Facts& facts, const LineFacts& line);

}  // namespace etlens
