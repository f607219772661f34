// SPDX-License-Identifier: Apache-2.0
#include "core/render/fallback.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr size_t kMaxNames = 3;

// What a person calls the event: topk of aten.topk.default.
std::string short_name(const EventFacts& event) {
  return event.op.empty() ? event.name : std::string(base_operator_of_target(event.op));
}

}  // namespace

std::string fallback_sentence(const Facts& facts, const GapOfLine& gap,
                              std::optional<TimeScale> unit) {
  std::vector<std::string> names;
  for (const ContributionId id : gap.events) {
    std::string name = short_name(facts.event(id));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  const bool is_one = names.size() == 1;
  if (names.size() > kMaxNames) {
    names.resize(kMaxNames);
    names.emplace_back("…");
  }
  return fmt::format("{} {} on the CPU between two {} partitions: {} + 2 delegate calls",
                     join(names, ", "), is_one ? "runs" : "run", facts.partition(gap.before).label,
                     format_cost(facts, facts.cost_of(gap.events), unit));
}

}  // namespace etlens
