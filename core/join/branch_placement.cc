// SPDX-License-Identifier: Apache-2.0
#include "core/join/branch_placement.h"

#include <algorithm>
#include <unordered_map>

#include "core/code/operator_name.h"

namespace etlens {
namespace {

constexpr int kMaxDepth = 24;  // as graphs nest

struct Region {
  size_t first = 0;  // instructions [first, end)
  size_t end = 0;
};

// The instructions that jumps make conditional or repeated. A jump forward spans what it skips, one
// backward what it repeats; spans that overlap are one region. The jumps of one control-flow node
// overlap, because a branch ends in a jump over the next.
std::vector<Region> regions_of(const ProgramMethod& program) {
  std::vector<Region> spans;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    if (program.instructions[i].kind != InstructionKind::JumpFalse) continue;
    const size_t target = program.instructions[i].target;
    spans.push_back(target > i ? Region{i, target} : Region{target, i + 1});
  }
  std::sort(spans.begin(), spans.end(),
            [](const Region& a, const Region& b) { return a.first < b.first; });
  std::vector<Region> regions;
  for (const Region& span : spans) {
    if (!regions.empty() && span.first < regions.back().end) {
      regions.back().end = std::max(regions.back().end, span.end);
    } else {
      regions.push_back(span);
    }
  }
  return regions;
}

// Control-flow nodes of a method and the nodes inside them.
class Branches {
 public:
  Branches(const EtRecord& record, GraphId edge) : record_(record) {
    for (size_t g = 0; g < record.graphs.size(); ++g) {
      const Graph& graph = record.graphs[g];
      if (graph.kind == GraphKind::Branch && graph.parent_node.valid()) {
        graphs_[graph.parent_node].push_back(GraphId(g));
      }
    }
    if (!edge.valid()) return;
    for (const NodeId node : record.graphs[edge.value].nodes) {
      if (graphs_.contains(node)) control_flow_.push_back(node);
    }
  }

  const std::vector<NodeId>& control_flow() const { return control_flow_; }

  // Every node below `node` in the order in which the program has their instructions.
  std::vector<NodeId> inside(NodeId node) const {
    std::vector<NodeId> nodes;
    collect(node, 0, nodes);
    return nodes;
  }

 private:
  void collect(NodeId node, int depth, std::vector<NodeId>& nodes) const {
    const auto graphs = graphs_.find(node);
    if (graphs == graphs_.end() || depth > kMaxDepth) return;
    for (const GraphId graph : graphs->second) {
      for (const NodeId inner : record_.graphs[graph.value].nodes) {
        if (graphs_.contains(inner)) collect(inner, depth + 1, nodes);
        else nodes.push_back(inner);
      }
    }
  }

  const EtRecord& record_;
  // Of control-flow nodes, in argument order.
  std::unordered_map<NodeId, std::vector<GraphId>> graphs_;
  std::vector<NodeId> control_flow_;
};

bool is_view(std::string_view base) {
  return base == "view_copy" || base == "view" || base == "et_view";
}

bool runs(const MethodContext& context, NodeId node, const ProgramMethod& program,
          const ProgramInstruction& instruction) {
  const Node& row = context.record().nodes[node.value];
  if (instruction.kind == InstructionKind::Delegate) return row.lowered.valid();
  if (row.lowered.valid()) return false;
  const std::string_view kernel = base_operator_of_kernel(program.operator_of(instruction));
  const std::string_view base = context.operator_of(node);
  return kernel == base || (is_view(kernel) && is_view(base));
}

}  // namespace

BranchPlacer::BranchPlacer(const MethodContext& context, const ProgramMethod& program) {
  const std::vector<Region> regions = regions_of(program);
  if (regions.empty()) return;
  const Branches branches(context.record(), context.edge_graph());
  if (branches.control_flow().size() != regions.size()) return;
  for (size_t r = 0; r < regions.size(); ++r) {
    const std::vector<NodeId> nodes = branches.inside(branches.control_flow()[r]);
    std::vector<Row> rows;
    size_t next = 0;
    bool fits = true;
    for (size_t i = regions[r].first; i < regions[r].end && fits; ++i) {
      const ProgramInstruction& instruction = program.instructions[i];
      const bool is_work = instruction.kind == InstructionKind::Kernel ||
                           instruction.kind == InstructionKind::Delegate;
      if (!is_work) continue;
      // Views may have been planned away.
      while (next < nodes.size() && is_view(context.operator_of(nodes[next])) &&
             !runs(context, nodes[next], program, instruction)) {
        ++next;
      }
      fits = next < nodes.size() && runs(context, nodes[next], program, instruction);
      if (fits) rows.push_back({static_cast<int32_t>(i), nodes[next++]});
    }
    while (next < nodes.size() && is_view(context.operator_of(nodes[next]))) ++next;
    if (fits && next == nodes.size()) rows_.insert(rows_.end(), rows.begin(), rows.end());
  }
}

NodeId BranchPlacer::node_of(Instruction instruction) const {
  const auto at =
      std::lower_bound(rows_.begin(), rows_.end(), instruction,
                       [](const Row& row, Instruction i) { return row.instruction < i; });
  return at == rows_.end() || at->instruction != instruction ? NodeId() : at->node;
}

}  // namespace etlens
