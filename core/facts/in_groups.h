// SPDX-License-Identifier: Apache-2.0
// What a place costs in each group of executions (core/measure/groups.h), side by side.
#pragma once

#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

// Costs are of one execution of the group, and shares of everything that was measured in it.
struct CostInGroup {
  std::string_view group;  // its name
  size_t executions = 0;   // that are in it
  Cost self;
  Cost inclusive;
};

// One for each of Headline::groups, in their order; empty if all executions did the same work.
// Look-ups but for what ran for too short a time.
using CostsInGroups = std::vector<CostInGroup>;
CostsInGroups in_groups(const Facts& facts, LineId line);
CostsInGroups in_groups(const Facts& facts, ModuleId module);
CostsInGroups in_groups(const Facts& facts, ContributionId contribution);

// Of each part of the time that is not zero in all groups. Rows like those of the headline.
struct PartInGroups {
  Part part = Part::Framework;
  std::vector<Cost> costs;  // one per group
};
std::vector<PartInGroups> parts_in_groups(const Facts& facts);

// The noise of each group, per execution.
std::vector<Cost> noise_of_groups(const Facts& facts);

}  // namespace etlens
