// SPDX-License-Identifier: Apache-2.0
#include "core/facts/partition_groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/budget.h"
#include "core/facts/repeated_modules.h"

namespace etlens {
namespace {

// The whole path with every module that repeats as its range. Memorised: layers share their parents.
class FoldedPaths {
 public:
  explicit FoldedPaths(const Code& code)
      : code_(code), repeated_(code), paths_(code.modules.size()), is_known_(code.modules.size()) {}

  const std::string& of(ModuleId id) {
    std::vector<ModuleId> chain;
    for (ModuleId at = id; at.valid() && !is_known_[at.value]; at = called_parent(code_, at))
      chain.push_back(at);
    for (; !chain.empty(); chain.pop_back()) {
      go_on();
      const ModuleId at = chain.back();
      const ModuleId parent = called_parent(code_, at);
      is_known_[at.value] = true;
      if (!parent.valid()) continue;  // the root has no path
      const std::string& around = paths_[parent.value];
      paths_[at.value] = around.empty() ? repeated_.name(at) : around + "." + repeated_.name(at);
    }
    return paths_[id.value];
  }

 private:
  const Code& code_;
  const RepeatedModules repeated_;
  std::vector<std::string> paths_;
  std::vector<bool> is_known_;
};

// What equal calls share: the number of a call without a known node, else 0; backend, module, lines
// and operators.
using Key =
    std::tuple<uint32_t, std::string_view, std::string, std::vector<LineId>, std::vector<StringId>>;

void add(PartitionTotal& sum, const PartitionTotal& other) {
  sum.total += other.total;
  sum.explained += other.explained;
  sum.opaque += other.opaque;
  sum.overhead += other.overhead;
}

}  // namespace

std::vector<PartitionGroup> partition_groups(const Facts& facts) {
  const Code& code = facts.code();
  FoldedPaths paths(code);
  std::map<Key, size_t> index;
  std::vector<PartitionGroup> groups;
  std::vector<PartitionTotal> sums;
  for (size_t p = 0; p < code.partitions.size(); ++p) {
    const Partition& row = code.partitions[p];
    std::vector<StringId> operators;
    operators.reserve(row.nodes.size());
    for (const NodeId node : row.nodes) {
      go_on();
      operators.push_back(code.record->nodes[node.value].target);
    }
    const std::string_view backend =
        row.backend.valid() ? code.text(row.backend) : std::string_view();
    const std::string& module = paths.of(row.module);
    Key key(row.nodes.empty() ? row.number : 0, backend, module, row.lines, std::move(operators));
    const auto [at, is_new] = index.try_emplace(std::move(key), groups.size());
    if (is_new) {
      groups.push_back({{}, module, {}, {}, {}, {}});
      sums.emplace_back();
    }
    groups[at->second].calls.emplace_back(p);
    add(sums[at->second], facts.measure().partitions[p]);
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    const PartitionTotal& sum = sums[g];
    groups[g].total = facts.cost(sum.total);
    groups[g].explained = facts.cost(sum.explained);
    groups[g].opaque = facts.cost(sum.opaque);
    groups[g].overhead = facts.cost(sum.overhead);
  }
  std::ranges::stable_sort(groups, [](const PartitionGroup& a, const PartitionGroup& b) {
    return a.total.amount > b.total.amount;
  });
  return groups;
}

Cost cost_of_fallbacks(const Facts& facts) {
  Total total;
  for (const LineFallback& row : facts.line_fallbacks()) total += row.sum.total;
  return facts.cost(total);
}

}  // namespace etlens
