// SPDX-License-Identifier: Apache-2.0
#include "core/delegate/xnnpack_entries.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "core/delegate/xnnpack_names.h"

namespace etlens {
namespace {

// Events of operators that the exporter or the library added stand between the others.
constexpr uint8_t kAddedEvent = 3;
// Entries that usually leave no event: what is folded, and getitem nodes.
constexpr uint8_t kLightFold = 1;
// Entries whose event should be there.
constexpr uint8_t kHeavyFold = 4;
constexpr uint32_t kSlack = 0;

uint8_t cost_of_node(std::string_view base_operator, const EventName& name) {
  uint8_t best = kImpossible;
  for (const XnnpackKind kind : kinds_of_node(base_operator)) {
    // Without the payload there are no types and windows to contradict the name.
    const bool is_pointwise = name.kernel == "GEMM" || name.base == "Fully Connected";
    best = std::min(best, xnnpack_name_cost(kind, XnnpackNames::OfKind, XnnpackTypeRule::Any, is_pointwise, name));
  }
  return best;
}

// Light: nodes whose work another operator does more often than not.
bool is_light(const std::vector<std::string_view>& operators) {
  return std::all_of(operators.begin(), operators.end(), [](std::string_view base) {
    return is_folded_backward(base) || is_folded_forward(base) || kinds_of_node(base).empty();
  });
}

}  // namespace

std::vector<XnnpackEntryMatch> align_xnnpack_entries(
    std::span<const std::vector<std::string_view>> entries, std::span<const std::string_view> names) {
  std::vector<XnnpackEntryMatch> matches(names.size());
  AlignmentProblem problem;
  problem.insertion_cost = kAddedEvent;
  std::vector<EventName> distinct;
  std::map<std::string_view, uint32_t> number_of_name;
  for (const std::string_view text : names) {
    const EventName name = parse_event_name(text);
    const auto [at, is_new] = number_of_name.try_emplace(name.full, static_cast<uint32_t>(distinct.size()));
    if (is_new) distinct.push_back(name);
    problem.events.push_back(at->second);
  }
  std::map<std::vector<std::string_view>, uint32_t> families;
  for (const std::vector<std::string_view>& entry : entries) {
    OperatorToAlign op;
    op.family = families.try_emplace(entry, static_cast<uint32_t>(families.size())).first->second;
    op.fold_cost = is_light(entry) ? kLightFold : kHeavyFold;
    problem.operators.push_back(op);
  }
  problem.costs = NameCosts(families.size(), distinct.size());
  for (const auto& [operators, family] : families) {
    for (size_t n = 0; n < distinct.size(); ++n) {
      for (const std::string_view base : operators) {
        uint8_t& cost = problem.costs.at(family, n);
        cost = std::min(cost, cost_of_node(base, distinct[n]));
      }
    }
  }
  const std::optional<OrderedAlignment> aligned = align_in_order(problem, kSlack);
  if (!aligned) return matches;
  for (size_t e = 0; e < names.size(); ++e) {
    if (aligned->best[e].op == kNone) continue;
    std::vector<uint32_t>& found = matches[e].entries;
    found.push_back(aligned->best[e].op);
    for (const Candidate& candidate : aligned->sets[e]) {
      if (candidate.op != kNone && candidate.op != found.front()) found.push_back(candidate.op);
    }
  }
  return matches;
}

bool may_report_as(std::string_view base_operator, std::string_view event_name) {
  return cost_of_node(base_operator, parse_event_name(event_name)) < kViolation;
}

bool is_xnnpack_layout_name(std::string_view event_name) {
  const std::string_view base = parse_event_name(event_name).base;
  return base == "Transpose" || base == "Convert" || base == "Static Reshape" || base == "Copy";
}

}  // namespace etlens
