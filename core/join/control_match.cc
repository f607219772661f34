// SPDX-License-Identifier: Apache-2.0
#include "core/join/control_match.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/code/operator_name.h"
#include "core/join/graph_index.h"
#include "core/join/inserted_operators.h"

namespace etlens {
namespace {

constexpr int kMaxDepth = 24;  // as graphs nest

class ControlMatcher {
 public:
  ControlMatcher(const MethodContext& context, const ProgramMethod& program,
                 const ControlGraphs& graphs)
      : context_(context), program_(program), graphs_(graphs) {}

  ControlMatch match(NodeId node, size_t first, size_t end) {
    const bool is_cond = name_of(node) == "cond";
    at_ = is_cond ? first : start_of_loop(first);
    // What follows a loop's jump resets its counter.
    const size_t last = std::min(is_cond ? end : end + 1, program_.instructions.size());
    if (!node_fits(node, last, 0) || at_ != last) return {};
    return std::move(match_);
  }

 private:
  std::string_view name_of(NodeId node) const { return control_name(context_.operator_of(node)); }

  const ProgramInstruction& now() const { return program_.instructions[at_]; }
  bool is_kind(InstructionKind kind, size_t end) const { return at_ < end && now().kind == kind; }
  std::string_view kernel(size_t at) const {
    const ProgramInstruction& row = program_.instructions[at];
    if (row.kind != InstructionKind::Kernel) return {};
    return base_operator_of_kernel(program_.operator_of(row));
  }

  // A loop begins with its size and the copies of its carries, in front of what it repeats.
  size_t start_of_loop(size_t first) const {
    while (first > 0 && is_write_back(kernel(first - 1))) --first;
    return first == 0 ? 0 : first - 1;
  }

  bool node_fits(NodeId node, size_t end, int depth) {
    const std::vector<GraphId>& graphs = graphs_.of(node);
    if (depth > kMaxDepth) return false;
    const std::string_view name = name_of(node);
    if (name == "cond") return graphs.size() == 2 && cond_fits(node, graphs, end, depth);
    if (name == "map" || name == "scan")
      return graphs.size() == 1 && loop_fits(node, graphs.front(), end, depth);
    return false;
  }

  bool cond_fits(NodeId node, const std::vector<GraphId>& graphs, size_t end, int depth) {
    if (!is_kind(InstructionKind::JumpFalse, end)) return false;
    const size_t second = now().target;
    if (second <= at_ + 1 || second > end) return false;
    ++at_;
    const size_t jump = second - 1;
    if (!body_fits(node, graphs[0], 0, jump, depth) || at_ != jump) return false;
    if (!is_kind(InstructionKind::JumpFalse, end)) return false;
    const size_t after = now().target;
    if (after < second || after > end) return false;
    at_ = second;
    return body_fits(node, graphs[1], 1, after, depth) && at_ == after;
  }

  bool loop_fits(NodeId node, GraphId graph, size_t end, int depth) {
    if (!own(node, "sym_size", "loop size", end)) return false;
    while (own(node, "copy_", "carry", end)) {
    }
    const size_t first = at_;
    const size_t jump = jump_back_to(first, end);
    if (jump < first + 3) return false;
    const std::span<const uint32_t> count = program_.arguments_of(program_.instructions[jump - 2]);
    if (kernel(jump - 2) != "add" || kernel(jump - 1) != "eq" || count.empty()) return false;
    const size_t body = match_.bodies.size();
    size_t slices = 0;
    while (is_slice(count.front(), jump) && own(node, "select_copy", "slice", jump)) ++slices;
    if (slices == 0 || !body_fits(node, graph, 0, jump, depth)) return false;
    match_.bodies[body].witness = Instruction(static_cast<int32_t>(first));
    while (own(node, "copy_", "carry", jump)) {
    }
    while (own(node, "et_copy_index", "result", jump)) {
    }
    if (!own(node, "add", "loop counter", jump) || !own(node, "eq", "loop counter", jump))
      return false;
    if (at_ != jump) return false;
    ++at_;
    return own(node, "sub", "loop counter", end);
  }

  // The jump that goes on with `first`; 0 without one.
  size_t jump_back_to(size_t first, size_t end) const {
    for (size_t i = first; i < end; ++i) {
      go_on();
      const ProgramInstruction& row = program_.instructions[i];
      if (row.kind == InstructionKind::JumpFalse && row.target == first) return i;
    }
    return 0;
  }

  // It reads the row that `counter` names: the body's own select_copy would read another.
  bool is_slice(uint32_t counter, size_t end) const {
    if (!is_kind(InstructionKind::Kernel, end) || kernel(at_) != "select_copy") return false;
    const std::span<const uint32_t> arguments = program_.arguments_of(now());
    return arguments.size() > 2 && arguments[2] == counter;
  }

  // A kernel of the operator itself.
  bool own(NodeId node, std::string_view base, std::string_view purpose, size_t end) {
    if (!is_kind(InstructionKind::Kernel, end) || kernel(at_) != base) return false;
    add(node, purpose);
    return true;
  }

  void add(NodeId node, std::string_view purpose = {}) {
    match_.rows.push_back({Instruction(static_cast<int32_t>(at_)), node, purpose});
    ++at_;
  }

  bool body_fits(NodeId node, GraphId graph, uint32_t number, size_t end, int depth) {
    const size_t body = match_.bodies.size();
    match_.bodies.push_back({node, graph, number});
    const size_t first = at_;
    Instruction witness = kNoInstruction;
    for (const NodeId inner : context_.record().graphs[graph.value].nodes) {
      go_on();
      while (is_kind(InstructionKind::Free, end)) ++at_;
      if (graphs_.contains(inner)) {
        if (!node_fits(inner, end, depth + 1)) return false;
        continue;
      }
      if (at_ < end && runs(inner)) {
        if (witness == kNoInstruction) witness = Instruction(static_cast<int32_t>(at_));
        add(inner);
      } else if (!is_view_operator(context_.operator_of(inner))) {
        return false;
      }  // views may have been planned away
    }
    const size_t moves = at_;
    while (is_kind(InstructionKind::Free, end) || is_kind(InstructionKind::Move, end)) ++at_;
    // A branch that only passes values on moves them, or ends in its jump.
    if (witness == kNoInstruction && first == moves && moves < at_)
      witness = Instruction(static_cast<int32_t>(moves));
    match_.bodies[body].witness = witness;
    return true;
  }

  bool runs(NodeId node) const {
    const Node& row = context_.record().nodes[node.value];
    if (now().kind == InstructionKind::Delegate) return row.lowered.valid();
    if (now().kind != InstructionKind::Kernel || row.lowered.valid()) return false;
    const std::string_view base = context_.operator_of(node);
    return kernel(at_) == base || (is_view_operator(kernel(at_)) && is_view_operator(base));
  }

  const MethodContext& context_;
  const ProgramMethod& program_;
  const ControlGraphs& graphs_;
  ControlMatch match_;
  size_t at_ = 0;  // the next instruction
};

}  // namespace

ControlGraphs::ControlGraphs(const EtRecord& record) {
  for (size_t g = 0; g < record.graphs.size(); ++g) {
    const Graph& graph = record.graphs[g];
    if (graph.kind == GraphKind::Branch && graph.parent_node.valid())
      graphs_[graph.parent_node].push_back(GraphId(g));
  }
}

const std::vector<GraphId>& ControlGraphs::of(NodeId node) const {
  static const std::vector<GraphId> kNothing;
  const auto at = graphs_.find(node);
  return at == graphs_.end() ? kNothing : at->second;
}

std::string_view control_name(std::string_view base_operator) {
  return base_operator == "map_impl" ? "map" : base_operator;
}

ControlMatch match_control(const MethodContext& context, const ProgramMethod& program,
                           const ControlGraphs& graphs, NodeId node, size_t first, size_t end) {
  return ControlMatcher(context, program, graphs).match(node, first, end);
}

}  // namespace etlens
