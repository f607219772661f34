// SPDX-License-Identifier: Apache-2.0
#include "core/compare/delegation_moves.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/backend/backend.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

enum class Runner : uint8_t {
  Nobody,  // no operator of the method: another method's node, a call, getitem
  Cpu,
  Call,
  Unclear,  // it shares its debug handle with an operator on the other side
};

// Who runs each operator of a side, and which operators its lines have.
class Delegated {
 public:
  explicit Delegated(const Code& code)
      : code_(code), runners_(code.place_of_node.size()), nodes_of_line_(code.lines.size()) {}

  // "", or a clause: why it is not known who runs the operators.
  std::string read(const Side& side) {
    if (code_.record == nullptr || !code_.method || code_.has_definitions)
      return "no ETRecord is used with it";
    for (uint32_t n = 0; n < runners_.size(); ++n) {
      go_on();
      if (is_operator(NodeId(n))) runners_[n] = Runner::Cpu;
    }
    call_of_.resize(runners_.size());
    for (size_t p = 0; p < code_.partitions.size(); ++p) {
      if (code_.partitions[p].nodes.empty())
        return "its ETRecord does not name the operators inside a delegate call";
      for (const NodeId node : code_.partitions[p].nodes) {
        if (runners_[node.value] == Runner::Nobody) continue;
        runners_[node.value] = Runner::Call;
        call_of_[node.value] = PartitionId(p);
      }
    }
    leave_out_shared(side);
    for (uint32_t n = 0; n < runners_.size(); ++n) {
      const LineId line = line_of(NodeId(n));
      if (runners_[n] != Runner::Nobody && line.valid())
        nodes_of_line_[line.value].push_back(NodeId(n));
    }
    return "";
  }

  Runner runner(NodeId node) const { return runners_[node.value]; }
  const std::vector<NodeId>& nodes_of(LineId line) const { return nodes_of_line_[line.value]; }
  std::string_view op(NodeId node) const {
    return code_.record->text(code_.record->nodes[node.value].target);
  }
  LineId line_of(NodeId node) const {
    const Place* place = code_.place_of(node);
    return place == nullptr ? LineId() : place->line;
  }
  std::string backend(NodeId node) const {
    const StringId id = code_.partitions[call_of_[node.value].value].backend;
    return id.valid() ? built_in_backends().label(code_.text(id)) : std::string();
  }

 private:
  bool is_operator(NodeId id) const {
    if (code_.place_of(id) == nullptr) return false;
    const Node& node = code_.record->nodes[id.value];
    return !node.lowered.valid() && code_.record->text(node.target) != "getitem";
  }

  // A record from before lowering knows calls by debug handles. Of nodes with one handle, some may be on the CPU: a kernel
  // that ran shows it.
  void leave_out_shared(const Side& side) {
    std::unordered_set<DebugHandle> shared;
    for (const Landing& landing : side.landings.rows) {
      if (landing.partition.valid() || !landing.node.valid() ||
          runners_[landing.node.value] != Runner::Call)
        continue;
      runners_[landing.node.value] = Runner::Unclear;
      shared.insert(code_.record->nodes[landing.node.value].debug_handle);
    }
    shared.erase(kNoHandle);
    if (shared.empty()) return;
    for (uint32_t n = 0; n < runners_.size(); ++n)
      if (runners_[n] == Runner::Call && shared.contains(code_.record->nodes[n].debug_handle))
        runners_[n] = Runner::Unclear;
  }

  const Code& code_;
  std::vector<Runner> runners_;
  std::vector<PartitionId> call_of_;
  std::vector<std::vector<NodeId>> nodes_of_line_;
};

class MoveCollector {
 public:
  MoveCollector(const Delegated& before, const Delegated& after) : before_(before), after_(after) {}

  void add_pairs(const std::vector<NodePair>& pairs) {
    for (const NodePair& pair : pairs) {
      go_on();
      paired_before_.insert(pair.before.value);
      paired_after_.insert(pair.after.value);
      const Runner was = before_.runner(pair.before);
      const Runner is = after_.runner(pair.after);
      const LineId line_before = before_.line_of(pair.before);
      const LineId line_after = after_.line_of(pair.after);
      if (was == Runner::Call && is == Runner::Cpu)
        add(true, before_, pair.before, line_before, line_after);
      if (was == Runner::Cpu && is == Runner::Call)
        add(false, after_, pair.after, line_before, line_after);
    }
  }

  // Only what has no pair: the others were looked at one by one.
  void add_lines(const LineGroup& group) {
    const bool left =
        are_all(before_, group.before, Runner::Call) && are_all(after_, group.after, Runner::Cpu);
    const bool entered =
        are_all(before_, group.before, Runner::Cpu) && are_all(after_, group.after, Runner::Call);
    if (!left && !entered) return;
    const Delegated& side = left ? before_ : after_;
    const std::unordered_set<uint32_t>& paired = left ? paired_before_ : paired_after_;
    for (const LineId line : left ? group.before : group.after) {
      for (const NodeId node : side.nodes_of(line)) {
        if (paired.contains(node.value)) continue;
        add(left, side, node, left ? line : group.before.front(),
            left ? group.after.front() : line);
      }
    }
  }

  std::vector<DelegationMove> take() {
    std::vector<DelegationMove> rows;
    for (auto& [key, counts] : rows_) {
      const auto& [entered, after, before, backend] = key;
      DelegationMove& row = rows.emplace_back();
      row.is_left = !entered;
      row.backend = backend;
      row.before = before;
      row.after = after;
      for (const auto& [op, count] : counts) row.operators.push_back({op, count});
      std::ranges::stable_sort(row.operators, std::ranges::greater(), &MovedOperator::count);
    }
    return rows;
  }

 private:
  static bool are_all(const Delegated& side, std::span<const LineId> lines, Runner runner) {
    size_t count = 0;
    for (const LineId line : lines) {
      for (const NodeId node : side.nodes_of(line)) {
        go_on();
        if (side.runner(node) != runner) return false;
        ++count;
      }
    }
    return count > 0;
  }

  void add(bool left, const Delegated& side, NodeId node, LineId before, LineId after) {
    ++rows_[{!left, after, before, side.backend(node)}][side.op(node)];
  }

  // Entered, line of the new side, line of the base, backend.
  using Key = std::tuple<bool, LineId, LineId, std::string>;

  const Delegated& before_;
  const Delegated& after_;
  std::unordered_set<uint32_t> paired_before_;
  std::unordered_set<uint32_t> paired_after_;
  std::map<Key, std::map<std::string_view, uint32_t>> rows_;
};

}  // namespace

uint64_t DelegationMoves::count(bool left) const {
  uint64_t sum = 0;
  for (const DelegationMove& row : rows)
    for (const MovedOperator& moved : row.operators) sum += row.is_left == left ? moved.count : 0;
  return sum;
}

DelegationMoves delegation_moves(const Side& before, const Side& after, const CodeMatch& match) {
  DelegationMoves moves;
  Delegated base(*before.code);
  Delegated fresh(*after.code);
  if (const std::string why = base.read(before); !why.empty())
    moves.why_not = "of the base, " + why;
  else if (const std::string why_new = fresh.read(after); !why_new.empty())
    moves.why_not = "of the new side, " + why_new;
  if (!moves.is_known() || match.is_identical) return moves;
  MoveCollector collector(base, fresh);
  collector.add_pairs(match.nodes);
  for (const LineGroup& group : match.lines) collector.add_lines(group);
  moves.rows = collector.take();
  return moves;
}

}  // namespace etlens
