// SPDX-License-Identifier: Apache-2.0
// etlens/delegation: the operators on the CPU with the reasons that loading found.
#include <algorithm>

#include "core/facts/reasons.h"
#include "core/render/format.h"
#include "server/features/features.h"

namespace etlens {
namespace {

// The one reason of an export that delegates nothing; else that there is no other.
std::string why_none(const Study& study) {
  if (!study.delegation) return "The reasons need the ETRecord of the export.";
  const std::vector<NodeDelegation>& nodes = study.delegation->nodes;
  if (study.delegation->lowering != Lowering::Delegated && !nodes.empty())
    return sentences_of(nodes.front().reason);
  return "No operator is left to the CPU that a delegate could take.";
}

}  // namespace

extensions::DelegationResult list_delegation(Session& session) {
  extensions::DelegationResult result;
  result.generation = session.generation();
  const Facts* facts = session.time_facts();
  if (facts == nullptr) return result;
  const double all = static_cast<double>(std::max<size_t>(1, facts->contribution_count()));
  for (const OperatorReason& row : session.study()->reasons) {
    extensions::LeftOperators& item = result.operators.emplace_back();
    item.op = row.op;
    item.reason = row.reason->text;
    item.remedy = row.reason->remedy;
    item.count = row.contributions.size();
    item.share = static_cast<double>(item.count) / all;
    if (!facts->has_operators()) {
      item.cost = format_cost_share(*facts, row.cost, session.config.show.unit);
      item.share = row.cost.share;
    }
    for (const LineId line : distinct_lines(*facts, row.contributions))
      item.lines.push_back(source_line(session, *facts, line));
  }
  if (result.operators.empty()) result.why = why_none(facts->study());
  return result;
}

}  // namespace etlens
