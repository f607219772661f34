// SPDX-License-Identifier: Apache-2.0
// The values that a line logged, for its hover: what each is like, how far it is from its reference
// and in which elements, and how the elements of both spread.
#pragma once

#include <vector>

#include "core/facts/value_facts.h"
#include "core/render/hover.h"

namespace etlens {

// Bytes that one hover may read of a dump's values: some tens of milliseconds. Values that would be
// more are listed without numbers.
inline constexpr uint64_t kMostHoverBytes = 32'000'000;

// Paragraphs to append to a line's hover, each with a table; none if the line logged nothing. Reads
// values that were not looked at before.
std::vector<HoverInfo> values_hover(const ValuesFacts& facts, LineId line,
                                    const HoverOptions& options);

}  // namespace etlens
