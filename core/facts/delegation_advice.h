// SPDX-License-Identifier: Apache-2.0
// Findings about what the partitioner left to the CPU: of an export that has not run by the number
// of operators, of a dump by their time.
#pragma once

#include <set>
#include <vector>

#include "core/facts/advice.h"

namespace etlens {

// One per kind of reason and remedy, those about the most operators, or the most time, first; at most
// kMostAdvice. Arithmetic on sizes, which no delegate takes, is no finding, nor is what is among
// `told`. None without Study::delegation.
std::vector<Advice> delegation_advice(const Facts& facts, const std::set<ContributionId>& told);

// Why those about the most time are not delegated, and what one can do, into the row; nothing where
// that is not known.
void add_reason(const Facts& facts, Advice& row);

}  // namespace etlens
