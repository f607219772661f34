// SPDX-License-Identifier: Apache-2.0
#include "core/facts/export_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/facts/export_facts.h"

namespace etlens {
namespace {

struct Group {
  std::vector<ContributionId> operators;
  std::set<std::string> names;
  std::set<std::string> reasons;
};

// Arithmetic on sizes: no delegate takes it, and it takes next to no time.
bool is_free(std::string_view reason) { return reason == "no_tensor"; }

std::vector<LineId> lines_of(const Facts& facts, const std::vector<ContributionId>& operators) {
  std::vector<LineId> lines;
  std::set<LineId> known;
  for (const ContributionId id : operators) {
    const LineId line = (*facts.measure().landings)[id].line;
    if (line.valid() && known.insert(line).second) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<Advice> export_advice(const Facts& facts) {
  std::map<std::pair<std::string_view, std::string>, Group> groups;  // by kind of reason, remedy
  for (size_t c = 0; c < facts.contribution_count(); ++c) {
    go_on();
    const ContributionId id(c);
    const DelegationReason* reason = reason_of(facts, id);
    if (reason == nullptr || is_free(reason->id)) continue;
    Group& group = groups[{reason->id, reason->remedy}];
    group.reasons.insert(reason->text);
    group.operators.push_back(id);
    group.names.emplace(base_operator_of_target(facts.contribution(id).op));
  }
  std::vector<Advice> found;
  for (auto& [kind, group] : groups) {
    Advice& row = found.emplace_back();
    row.kind = AdviceKind::NotDelegated;
    row.subject = join(std::vector<std::string>(group.names.begin(), group.names.end()), ", ");
    row.reason = *group.reasons.begin();
    if (group.reasons.size() > 1) {
      row.reason += fmt::format(" (and {} more)", group.reasons.size() - 1);
    }
    row.remedy = kind.second;
    row.count = static_cast<uint32_t>(group.operators.size());
    row.lines = lines_of(facts, group.operators);
    row.events = std::move(group.operators);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Advice& a, const Advice& b) { return a.count > b.count; });
  found.resize(std::min(found.size(), kMostAdvice));
  return found;
}

}  // namespace etlens
