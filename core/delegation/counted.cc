// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/counted.h"

#include <algorithm>
#include <array>

#include "core/code/operator_name.h"
#include "core/delegation/rule_graph.h"

namespace etlens {
namespace {

// As records name them before and after the passes of to_executorch.
constexpr std::array<std::string_view, 5> kMovesNothing{"getitem", "view_copy", "view", "et_view",
                                                        "_unsafe_view"};

}  // namespace

bool is_counted_operator(const EtRecord& record, const Node& node) {
  const std::string_view base = base_operator_of_target(record.text(node.target));
  return std::ranges::find(kMovesNothing, base) == kMovesNothing.end() && !is_quantize_node(base);
}

CountedOperators count_operators(const Delegation& delegation) {
  CountedOperators counted;
  for (const NodeDelegation& row : delegation.nodes) {
    if (!is_counted_operator(*delegation.record, delegation.record->nodes[row.node.value]))
      continue;
    ++counted.all;
    if (row.is_delegated()) ++counted.delegated;
  }
  return counted;
}

}  // namespace etlens
