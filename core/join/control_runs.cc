// SPDX-License-Identifier: Apache-2.0
#include "core/join/control_runs.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/code/operator_name.h"
#include "core/join/program_fit.h"

namespace etlens {
namespace {

using Counts = std::vector<uint64_t>;  // per body

class BodyCounter {
 public:
  BodyCounter(const ControlRunsRequest& request, const std::vector<ControlBody>& bodies)
      : request_(request), bodies_(bodies) {
    for (size_t b = 0; b < bodies.size(); ++b) {
      if (bodies[b].number == 0) branches_[bodies[b].node] = {b, b};
      else branches_[bodies[b].node].second = b;
      body_of_graph_.emplace(bodies[b].graph, b);
      if (bodies[b].witness != kNoInstruction) body_of_witness_.emplace(bodies[b].witness, b);
    }
  }

  // In one run of the sequence; nullopt if the numbers contradict each other.
  std::optional<Counts> in(SequenceId sequence) const {
    Counts counts(bodies_.size());
    const std::vector<EventKey>& events = request_.log.sequence(sequence).events;
    const EventTree& tree = request_.trees[sequence.value];
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      const EventRole role = tree.roles[i];
      const bool is_instruction = role == EventRole::OperatorCall ||
                                  role == EventRole::DelegateCall || role == EventRole::Control;
      if (!is_instruction || !events[i].in_instruction()) continue;
      const auto at = body_of_witness_.find(events[i].instruction);
      if (at != body_of_witness_.end()) ++counts[at->second];
    }
    for (size_t b = 0; b < bodies_.size(); ++b) {
      if (!agrees(b, counts)) return std::nullopt;
    }
    return counts;
  }

 private:
  // How often the node of the body ran; outer bodies come first.
  uint64_t around(size_t b, const Counts& counts) const {
    const GraphId graph = request_.code.record->nodes[bodies_[b].node.value].graph;
    const auto at = body_of_graph_.find(graph);
    return at == body_of_graph_.end() ? 1 : counts[at->second];
  }

  // Of cond exactly one branch runs, a loop repeats its body at least once. A branch without an
  // instruction runs when the other one does not.
  bool agrees(size_t b, Counts& counts) const {
    const uint64_t times = around(b, counts);
    const size_t other = other_branch(b);
    if (other == b) return times == 0 ? counts[b] == 0 : counts[b] >= times;
    if (counts[b] > times || counts[other] > times) return false;
    const bool has_own = bodies_[b].witness != kNoInstruction;
    const bool has_other = bodies_[other].witness != kNoInstruction;
    if (!has_own && !has_other) return false;
    if (!has_own) counts[b] = times - counts[other];
    if (!has_other) counts[other] = times - counts[b];
    return counts[b] + counts[other] == times;
  }

  // Of the same cond; the body itself for a loop.
  size_t other_branch(size_t b) const {
    const auto& [first, second] = branches_.at(bodies_[b].node);
    return first == b ? second : first;
  }

  const ControlRunsRequest& request_;
  const std::vector<ControlBody>& bodies_;
  std::unordered_map<GraphId, size_t> body_of_graph_;
  std::unordered_map<Instruction, size_t> body_of_witness_;
  std::unordered_map<NodeId, std::pair<size_t, size_t>> branches_;
};

// Every execution of the method in the dump, and what each body did in them.
class DumpCounter {
 public:
  DumpCounter(const ControlRunsRequest& request, const std::vector<ControlBody>& bodies)
      : request_(request), counter_(request, bodies), rows_(bodies.size()) {
    for (size_t b = 0; b < bodies.size(); ++b) {
      rows_[b].node = bodies[b].node;
      rows_[b].number = bodies[b].number;
      if (const Place* place = request.code.place_of(bodies[b].node)) rows_[b].line = place->line;
    }
  }

  // Empty if some block's numbers cannot be trusted.
  std::vector<BodyRuns> run() {
    for (size_t b = 0; b < request_.blocks.size(); ++b) {
      const Block& block = request_.blocks[b];
      if (!block.is_execution || block.sequences.empty()) continue;
      const bool is_joined = BlockId(b) == request_.block;
      if (!is_joined) {
        const ProgramMethod* ran =
            method_of_block(request_.program, request_.log, request_.trees, block);
        if (ran == nullptr && fits(block)) return {};
        if (ran != &request_.method) continue;
      }
      // The sequences of a block differ in what delegates report.
      const std::optional<Counts> counts = counter_.in(block.sequences.front());
      if (!counts) return {};
      add(*counts, block.runs.size(), is_joined);
    }
    return std::move(rows_);
  }

 private:
  bool fits(const Block& block) const {
    return !program_difference(request_.method, request_.log, request_.trees, block, nullptr);
  }

  void add(const Counts& counts, uint64_t executions, bool is_joined) {
    for (size_t b = 0; b < rows_.size(); ++b) {
      BodyRuns& row = rows_[b];
      row.least = row.executions == 0 ? counts[b] : std::min(row.least, counts[b]);
      row.most = std::max(row.most, counts[b]);
      row.executions += executions;
      if (counts[b] > 0) row.taken_in += executions;
      if (is_joined) row.shown = counts[b];
    }
  }

  const ControlRunsRequest& request_;
  BodyCounter counter_;
  std::vector<BodyRuns> rows_;
};

void sort_lines(std::vector<std::vector<uint32_t>>& lines) {
  for (std::vector<uint32_t>& row : lines) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
}

void find_lines(const Code& code, const std::vector<ControlBody>& bodies, ControlRuns& runs) {
  constexpr uint32_t kSeveral = kNone - 1;
  std::unordered_map<GraphId, uint32_t> body_of_graph;
  for (uint32_t b = 0; b < bodies.size(); ++b) body_of_graph.emplace(bodies[b].graph, b);
  runs.of_line.resize(code.lines.size());
  runs.around_line.assign(code.lines.size(), kNone);
  std::vector<bool> is_outside(code.lines.size());
  for (const BodyRuns& row : runs.bodies) {
    if (row.line.valid())
      runs.of_line[row.line.value].push_back(static_cast<uint32_t>(&row - runs.bodies.data()));
  }
  for (size_t n = 0; n < code.place_of_node.size(); ++n) {
    go_on();
    const Place* place = code.place_of(NodeId(n));
    if (place == nullptr || !place->line.valid()) continue;
    const uint32_t line = place->line.value;
    const auto body = body_of_graph.find(code.record->nodes[n].graph);
    if (body == body_of_graph.end()) {
      is_outside[line] = true;
      continue;
    }
    uint32_t& around = runs.around_line[line];
    around = around == kNone || around == body->second ? body->second : kSeveral;
    if (runs.of_line[line].empty() || runs.of_line[line].back() != body->second)
      runs.of_line[line].push_back(body->second);
  }
  sort_lines(runs.of_line);
  for (size_t l = 0; l < is_outside.size(); ++l) {
    if (is_outside[l] || runs.around_line[l] == kSeveral) runs.around_line[l] = kNone;
  }
}

}  // namespace

std::string_view operation_of(const Code& code, const BodyRuns& body) {
  const EtRecord& record = *code.record;
  return control_name(base_operator_of_target(record.text(record.nodes[body.node.value].target)));
}

std::string_view part_of_body(std::string_view operation, uint32_t number) {
  if (operation != "cond") return "body";
  return number == 0 ? "true branch" : "false branch";
}

ControlRuns count_control_runs(const ControlRunsRequest& request,
                               const std::vector<ControlBody>& bodies) {
  ControlRuns runs;
  if (bodies.empty()) return runs;
  runs.bodies = DumpCounter(request, bodies).run();
  if (!runs.bodies.empty()) find_lines(request.code, bodies, runs);
  return runs;
}

}  // namespace etlens
