// SPDX-License-Identifier: Apache-2.0
#include "core/join/branch_placement.h"

#include <algorithm>

namespace etlens {
namespace {

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

}  // namespace

BranchPlacer::BranchPlacer(const MethodContext& context, const ProgramMethod& program)
    : context_(context) {
  const std::vector<Region> regions = regions_of(program);
  if (regions.empty() || !context.edge_graph().valid()) return;
  const ControlGraphs graphs(context.record());
  std::vector<NodeId> nodes;
  for (const NodeId node : context.record().graphs[context.edge_graph().value].nodes) {
    if (graphs.contains(node)) nodes.push_back(node);
  }
  if (nodes.size() != regions.size()) return;
  for (size_t r = 0; r < regions.size(); ++r) {
    ControlMatch match =
        match_control(context, program, graphs, nodes[r], regions[r].first, regions[r].end);
    rows_.insert(rows_.end(), match.rows.begin(), match.rows.end());
    bodies_.insert(bodies_.end(), match.bodies.begin(), match.bodies.end());
  }
}

const ControlStep* BranchPlacer::find(Instruction instruction) const {
  const auto at = std::ranges::lower_bound(rows_, instruction, {}, &ControlStep::instruction);
  return at == rows_.end() || at->instruction != instruction ? nullptr : &*at;
}

NodeId BranchPlacer::node_of(Instruction instruction) const {
  const ControlStep* row = find(instruction);
  return row == nullptr ? NodeId() : row->node;
}

std::string BranchPlacer::title_of(Instruction instruction) const {
  const ControlStep* row = find(instruction);
  if (row == nullptr || row->purpose.empty()) return {};
  return std::string(row->purpose) + " of " +
         std::string(control_name(context_.operator_of(row->node)));
}

}  // namespace etlens
