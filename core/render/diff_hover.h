// SPDX-License-Identifier: Apache-2.0
// What a hover says of the baseline: before, now, how sure, and why.
#pragma once

#include "core/compare/compare.h"
#include "core/render/hover.h"

namespace etlens {

// Of a line; its own time, or with what it calls where that is what its hint shows. Empty (no time)
// for lines that took none on either side. What is the same, or cannot be told, is said too.
HoverInfo line_change_hover(const Comparison& comparison, const LineChange& line, bool is_inclusive,
                            const HoverOptions& options);
// Of a class of modules, an attribute, or another place.
HoverInfo change_hover(const Comparison& comparison, const Change& change,
                       const HoverOptions& options);
// A line that is gone, on its own: "gone: layers.py:41 `x = repeat_kv(x)`, 3.10 ms".
HoverText gone_words(const Comparison& comparison, const LineChange& line,
                     const HoverOptions& options);

}  // namespace etlens
