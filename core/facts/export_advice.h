// SPDX-License-Identifier: Apache-2.0
// Findings about an export that has not run: which operators its partitioner left to the CPU.
#pragma once

#include <vector>

#include "core/facts/advice.h"

namespace etlens {

// One per kind of reason and remedy, those about the most operators first; at most kMostAdvice.
// Arithmetic on sizes, which no delegate takes, is no finding.
std::vector<Advice> export_advice(const Facts& facts);

}  // namespace etlens
