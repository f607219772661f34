// SPDX-License-Identifier: Apache-2.0
// Benjamini and Hochberg: of many places that are tested at once, at most a given share of those
// that are accused may be innocent.
#pragma once

#include <span>
#include <vector>

namespace etlens {

// Each p, adjusted for there being all of them: accuse where it is at most the share.
std::vector<double> adjust_for_many(std::span<const double> ps);

}  // namespace etlens
