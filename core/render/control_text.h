// SPDX-License-Identifier: Apache-2.0
// Branches and loops in words, and which lines write state.
#pragma once

#include <string>

#include "core/facts/facts.h"
#include "core/render/table.h"
#include "core/render/tables.h"

namespace etlens {

// "body of map: runs 8 × per execution"; "true branch of cond: taken in 3 of 4 executions".
std::string body_text(const Facts& facts, const BodyRuns& body);
// "writes layers.0.k_cache and 3 more, 262 kB in all"; "" for a line that writes no state.
std::string writes_text(const Facts& facts, LineId line);
// Of all lines with one of both, in their order in the files; without rows if there is none.
Table control_table(const Facts& facts, const TableOptions& options);

}  // namespace etlens
