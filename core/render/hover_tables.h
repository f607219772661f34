// SPDX-License-Identifier: Apache-2.0
// The tables of hovers, at most five columns wide: what a line does, what it calls, and the
// modules of a class.
#pragma once

#include <vector>

#include "core/facts/in_groups.h"
#include "core/render/hover.h"
#include "core/render/hover_words.h"

namespace etlens {

// Of an export that has not run: operators of one kind together, with where they will run and why.
void add_operators(const Facts& facts, const std::vector<ContributionId>& operators,
                   HoverInfo& info);

// What the line itself does: the same work in many layers is one row. Rows say where they ran and
// how sure their line is, unless all say the same, which the headline says.
void add_work(const Facts& facts, const LineFacts& line, const HoverOptions& options,
              HoverInfo& info);
// The functions that the line calls, and how much each costs.
void add_callees(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                 HoverInfo& info);
// The same in a line: "calls `forward` of `layers.*.attn` L70 946 µs, …"; empty for none.
HoverWords callees_words(const Facts& facts, const LineFacts& line, const HoverOptions& options);
// Contributions that are no events.
void add_contributions(const Facts& facts, const std::vector<ContributionId>& ranked,
                       const HoverOptions& options, HoverInfo& info);
// What a line or a module costs in each group of executions; nothing without groups.
// `is_inclusive`: people see what it calls, since it has no cost of its own.
void add_groups(const Facts& facts, const CostsInGroups& costs, bool is_inclusive,
                const HoverOptions& options, HoverInfo& info);
// Instances of a class, the most costly first.
void add_instances(const Facts& facts, const std::vector<ModuleId>& modules,
                   const HoverOptions& options, HoverInfo& info);

}  // namespace etlens
