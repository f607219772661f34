// SPDX-License-Identifier: Apache-2.0
#include "core/facts/in_groups.h"

#include <algorithm>

namespace etlens {
namespace {

Cost cost_in(const Facts& facts, const SampleGroup& group, const Total& total) {
  return {total.amount, total.disturbance,
          facts.quantity().shown(total.amount, group.samples.size()),
          group.sums.share(total.amount)};
}

// `contributions`: what the total is the sum of.
Cost cost_in(const Facts& facts, const SampleGroup& group, const Total& total,
             std::span<const ContributionId> contributions) {
  Cost cost = cost_in(facts, group, total);
  if (total.amount == Amount()) cost.below = facts.clock_step(contributions);
  return cost;
}

}  // namespace

CostsInGroups in_groups(const Facts& facts, LineId line) {
  const LineLandings& landings = facts.measure().landings->lines[line.value];
  const std::vector<ContributionId>& inner =
      landings.through.empty() ? landings.own : landings.through;
  CostsInGroups costs;
  for (const SampleGroup& group : facts.measure().samples.groups) {
    const LineTotal& total = group.sums.lines[line.value];
    costs.push_back({group.name, group.samples.size(),
                     cost_in(facts, group, total.self, landings.own),
                     cost_in(facts, group, total.inclusive, inner)});
  }
  return costs;
}

CostsInGroups in_groups(const Facts& facts, ModuleId module) {
  CostsInGroups costs;
  for (const SampleGroup& group : facts.measure().samples.groups) {
    const ModuleTotal& total = group.sums.modules[module.value];
    costs.push_back({group.name, group.samples.size(), cost_in(facts, group, total.self),
                     cost_in(facts, group, total.inclusive)});
  }
  return costs;
}

CostsInGroups in_groups(const Facts& facts, ContributionId id) {
  const std::span<const ContributionId> one(&id, 1);
  CostsInGroups costs;
  for (const SampleGroup& group : facts.measure().samples.groups) {
    const Total inclusive{group.sums.inclusive[id.value], {}};
    costs.push_back({group.name, group.samples.size(),
                     cost_in(facts, group, group.sums.self[id.value], one),
                     cost_in(facts, group, inclusive, one)});
  }
  return costs;
}

std::vector<PartInGroups> parts_in_groups(const Facts& facts) {
  const std::vector<SampleGroup>& groups = facts.measure().samples.groups;
  std::vector<PartInGroups> rows;
  for (size_t p = 0; p < kParts; ++p) {
    PartInGroups row{static_cast<Part>(p), {}};
    for (const SampleGroup& group : groups)
      row.costs.push_back(cost_in(facts, group, Total{group.sums.total[row.part], {}}));
    const bool is_nothing =
        std::ranges::all_of(row.costs, [](const Cost& cost) { return cost.amount == Amount(); });
    if (!is_nothing || (row.part == Part::Line && !groups.empty())) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Cost> noise_of_groups(const Facts& facts) {
  std::vector<Cost> noise;
  for (const SampleGroup& group : facts.measure().samples.groups)
    noise.push_back(cost_in(facts, group, Total{group.sums.total.disturbance, {}}));
  return noise;
}

}  // namespace etlens
