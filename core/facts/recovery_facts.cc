// SPDX-License-Identifier: Apache-2.0
#include "core/facts/recovery_facts.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {

std::optional<RecoveryFacts> recovery_of(const Facts& facts) {
  const RecordRecovery* recovery = facts.study().recovery.get();
  if (recovery == nullptr) return std::nullopt;
  std::unordered_map<NodeId, size_t> call_of;
  for (size_t c = 0; c < recovery->unrecovered.size(); ++c) {
    for (const NodeId node : recovery->unrecovered[c].nodes) call_of.emplace(node, c);
  }
  const Landings& landings = *facts.measure().landings;
  std::vector<ContributionId> recovered;
  std::vector<ContributionId> lost;
  std::vector<std::vector<ContributionId>> of_call(recovery->unrecovered.size());
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    if (row.part != Part::Line) continue;
    if (facts.code().lines[row.line.value].is_recovered) recovered.emplace_back(c);
    const auto call = call_of.find(row.node);
    if (call == call_of.end()) continue;
    lost.emplace_back(c);
    of_call[call->second].emplace_back(c);
  }
  RecoveryFacts result;
  result.recovered = facts.cost_of(recovered);
  result.lost = facts.cost_of(lost);
  for (size_t c = 0; c < of_call.size(); ++c) {
    const UnrecoveredCall& call = recovery->unrecovered[c];
    if (!of_call[c].empty())
      result.calls.push_back(
          {call.module, call.type, call.why, call.file, call.line, facts.cost_of(of_call[c])});
  }
  std::stable_sort(result.calls.begin(), result.calls.end(),
                   [](const UnrecoveredFacts& a, const UnrecoveredFacts& b) {
                     return a.cost.amount > b.cost.amount;
                   });
  return result;
}

}  // namespace etlens
