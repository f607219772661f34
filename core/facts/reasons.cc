// SPDX-License-Identifier: Apache-2.0
#include "core/facts/reasons.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/budget.h"
#include "core/code/operator_name.h"

namespace etlens {
namespace {

// Of an event of a dump: who ran it is what the dump tells.
const NodeDelegation* row_of_event(const Facts& facts, const Delegation& delegation,
                                   ContributionId id) {
  const Landing& landing = (*facts.measure().landings)[id];
  const bool is_operator = landing.part == Part::Line || landing.part == Part::Unattributed;
  const bool is_on_cpu = is_operator && !landing.partition.valid() && landing.node.valid();
  return is_on_cpu ? delegation.find(landing.node) : nullptr;
}

}  // namespace

const DelegationReason* reason_of(const Facts& facts, ContributionId id) {
  const Delegation* delegation = facts.study().delegation.get();
  if (delegation == nullptr || delegation->lowering != Lowering::Delegated) return nullptr;
  const NodeDelegation* row = nullptr;
  if (facts.has_operators()) row = &delegation->nodes[id.value];
  else if (facts.has_events()) row = row_of_event(facts, *delegation, id);
  return row == nullptr || row->is_delegated() ? nullptr : &row->reason;
}

std::vector<OperatorReason> reasons_of(const Facts& facts,
                                       std::span<const ContributionId> contributions) {
  std::vector<OperatorReason> found;
  std::map<std::pair<std::string, std::string_view>, size_t> rows;  // by operator and sentence
  for (const ContributionId id : contributions) {
    go_on();
    const DelegationReason* reason = reason_of(facts, id);
    if (reason == nullptr) continue;
    const Landing& landing = (*facts.measure().landings)[id];
    const EtRecord& record = *facts.study().delegation->record;
    std::string op(base_operator_of_target(record.text(record.nodes[landing.node.value].target)));
    const auto [at, is_new] = rows.try_emplace({op, reason->text}, found.size());
    if (is_new) found.push_back({std::move(op), reason, {}, {}});
    found[at->second].contributions.push_back(id);
  }
  for (OperatorReason& row : found) row.cost = facts.cost_of(row.contributions);
  return found;
}

std::vector<OperatorReason> all_reasons(const Facts& facts) {
  std::vector<OperatorReason> found = reasons_of(facts, facts.ranked());
  std::erase_if(found, [](const OperatorReason& row) { return row.reason->is_of_sizes(); });
  std::ranges::stable_sort(found, [&](const OperatorReason& a, const OperatorReason& b) {
    return facts.has_operators() ? a.contributions.size() > b.contributions.size()
                                 : a.cost.amount > b.cost.amount;
  });
  return found;
}

std::vector<LineId> distinct_lines(const Facts& facts,
                                   std::span<const ContributionId> contributions) {
  std::vector<LineId> lines;
  std::set<LineId> known;
  for (const ContributionId id : contributions) {
    const LineId line = (*facts.measure().landings)[id].line;
    if (line.valid() && known.insert(line).second) lines.push_back(line);
  }
  return lines;
}

}  // namespace etlens
