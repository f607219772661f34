// SPDX-License-Identifier: Apache-2.0
#include "core/facts/delegation_advice.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/facts/graph_advice.h"
#include "core/facts/reasons.h"

namespace etlens {
namespace {

struct Group {
  std::vector<ContributionId> operators;
  std::set<std::string> names;
  std::set<std::string> reasons;
};

// Operators of an export have no time: they are counted.
Advice row_of(const Facts& facts, std::vector<ContributionId> operators) {
  if (facts.has_events())
    return advice_about(facts, AdviceKind::NotDelegated, std::move(operators));
  Advice row;
  row.kind = AdviceKind::NotDelegated;
  row.count = static_cast<uint32_t>(operators.size());
  row.lines = distinct_lines(facts, operators);
  row.events = std::move(operators);
  return row;
}

bool comes_first(const Advice& a, const Advice& b) {
  return a.at_most.amount != b.at_most.amount ? a.at_most.amount > b.at_most.amount
                                              : a.count > b.count;
}

}  // namespace

std::vector<Advice> delegation_advice(const Facts& facts, const std::set<ContributionId>& told) {
  std::map<std::pair<std::string_view, std::string>, Group> groups;  // by kind of reason, remedy
  for (size_t c = 0; c < facts.contribution_count(); ++c) {
    go_on();
    const ContributionId id(c);
    const DelegationReason* reason = reason_of(facts, id);
    if (reason == nullptr || reason->is_of_sizes() || told.contains(id)) continue;
    Group& group = groups[{reason->id, reason->remedy}];
    group.reasons.insert(reason->text);
    group.operators.push_back(id);
    group.names.emplace(base_operator_of_target(facts.contribution(id).op));
  }
  std::vector<Advice> found;
  for (auto& [kind, group] : groups) {
    Advice& row = found.emplace_back(row_of(facts, std::move(group.operators)));
    row.subject = join(std::vector<std::string>(group.names.begin(), group.names.end()), ", ");
    row.reason = with_other_reasons(*group.reasons.begin(), group.reasons.size() - 1);
    row.remedy = kind.second;
  }
  std::stable_sort(found.begin(), found.end(), comes_first);
  found.resize(std::min(found.size(), kMostAdvice));
  return found;
}

void add_reason(const Facts& facts, Advice& row) {
  const std::vector<OperatorReason> found = reasons_of(facts, row.events);
  if (found.empty()) return;
  std::set<std::string> reasons;
  for (const OperatorReason& each : found) reasons.insert(each.reason->text);
  row.reason = with_other_reasons(found.front().reason->text, reasons.size() - 1);
  row.remedy = found.front().reason->remedy;
}

}  // namespace etlens
