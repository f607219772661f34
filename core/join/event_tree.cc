// SPDX-License-Identifier: Apache-2.0
#include "core/join/event_tree.h"

#include <algorithm>
#include <tuple>

#include "core/base/budget.h"
#include "core/base/id.h"
#include "core/join/event_names.h"

namespace etlens {
namespace {

// An event of a higher rank can contain those of a lower one, whatever the clock says.
int rank_of(EventRole role) {
  switch (role) {
    case EventRole::Execute:
      return 4;
    case EventRole::Framework:
      return 3;
    case EventRole::OperatorCall:
    case EventRole::DelegateCall:
    case EventRole::Control:
      return 2;
    case EventRole::HostPhase:
      return 1;
    default:
      return 0;
  }
}

struct Interval {
  uint64_t start;
  uint64_t end;
};

bool lies_inside(Interval inner, Interval outer) {
  if (outer.end < outer.start) {  // a clock that wrapped: measure from the outer start
    const Ticks start = elapsed_ticks(outer.start, inner.start);
    const Ticks end = elapsed_ticks(outer.start, inner.end);
    return start <= end && end <= elapsed_ticks(outer.start, outer.end);
  }
  return outer.start <= inner.start && inner.end <= outer.end;
}

class TreeBuilder {
 public:
  TreeBuilder(const EventLog& log, const EventSequence& sequence, const Run& run,
              const Backends& backends)
      : sequence_(sequence),
        start_(log.start.data() + run.first_row),
        end_(log.end.data() + run.first_row) {
    tree_.roles.reserve(sequence.events.size());
    for (const EventKey& key : sequence.events) {
      go_on();
      tree_.roles.push_back(
          role_of(key, log.text(key.name), log.text(key.delegate_id_str), backends));
    }
    tree_.parents.assign(sequence.events.size(), kNone);
    tree_.children.assign(sequence.events.size(), 0);
  }

  EventTree build() {
    for (uint32_t i = 0; i < sequence_.events.size(); ++i) {
      go_on();
      if (tree_.roles[i] == EventRole::None) continue;
      const bool is_phase =
          tree_.roles[i] == EventRole::HostPhase && sequence_.events[i].in_instruction();
      if (is_phase) claim_phases(i);
      if (tree_.roles[i] == EventRole::DelegateCall) nest_phases(i);
      claim(i);
      open_.push_back(i);
      if (is_phase) phases_.push_back(i);
    }
    return std::move(tree_);
  }

 private:
  // Events finish before what contains them: the children of `outer` are the last ones without a
  // parent. Those behind the first that does not fit are left to an event still to come.
  void claim(uint32_t outer) {
    for (; !open_.empty(); open_.pop_back()) {
      const uint32_t inner = open_.back();
      if (tree_.parents[inner] != kNone) continue;  // in a phase
      if (!contains(outer, inner)) break;
      adopt(outer, inner);
    }
  }

  // Phases of the host nest among themselves, whatever the device logs between them: its clock is
  // another one.
  void claim_phases(uint32_t outer) {
    if (!phases_.empty() && !is_same_instruction(phases_.back(), outer)) phases_.clear();
    for (; !phases_.empty() && lies_inside(time_of(phases_.back()), time_of(outer));
         phases_.pop_back())
      adopt(outer, phases_.back());
  }

  // Phases of a call that were logged behind the phase around them.
  void nest_phases(uint32_t call) {
    if (!phases_.empty() && !is_same_instruction(phases_.back(), call)) phases_.clear();
    const Interval whole = time_of(call);
    const auto key = [&](uint32_t phase) {
      const Interval time = time_of(phase);
      const bool has_wrapped = whole.end < whole.start;
      const auto begin = has_wrapped
                             ? static_cast<uint64_t>(elapsed_ticks(whole.start, time.start).value)
                             : time.start;
      const int64_t length = elapsed_ticks(time.start, time.end).value;
      return std::tuple(begin, -length, ~phase);
    };
    std::sort(phases_.begin(), phases_.end(),
              [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    std::vector<uint32_t> around;
    for (const uint32_t phase : phases_) {
      go_on();
      while (!around.empty() && !is_around(around.back(), phase)) around.pop_back();
      if (!around.empty()) adopt(around.back(), phase);
      around.push_back(phase);
    }
    phases_.clear();
  }

  // A step that took no time and was logged later may lie behind the other as well as in it.
  bool is_around(uint32_t outer, uint32_t inner) const {
    const Interval time = time_of(inner);
    return lies_inside(time, time_of(outer)) && (inner < outer || time.start != time.end);
  }

  void adopt(uint32_t outer, uint32_t inner) {
    tree_.parents[inner] = outer;
    ++tree_.children[outer];
  }

  Interval time_of(uint32_t position) const { return {start_[position], end_[position]}; }

  bool is_same_instruction(uint32_t a, uint32_t b) const {
    const EventKey& one = sequence_.events[a];
    const EventKey& other = sequence_.events[b];
    return one.chain == other.chain && one.instruction == other.instruction;
  }

  bool contains(uint32_t outer, uint32_t inner) const {
    const EventKey& a = sequence_.events[outer];
    const EventKey& b = sequence_.events[inner];
    const EventRole outer_role = tree_.roles[outer];
    const EventRole inner_role = tree_.roles[inner];
    const bool is_backends =
        inner_role == EventRole::DelegateEvent || inner_role == EventRole::HostPhase;
    const Interval outer_time = time_of(outer);
    const Interval inner_time = time_of(inner);

    if (a.in_instruction()) {
      if (!is_same_instruction(outer, inner)) return false;
      // A backend's clock may be another one, so its events belong to the call around them by name.
      if (outer_role == EventRole::DelegateCall) return is_backends;
      if (is_backends) return false;  // claim_phases
      if (rank_of(outer_role) > rank_of(inner_role)) return lies_inside(inner_time, outer_time);
      // A kernel that calls another kernel.
      return outer_role == EventRole::Kernel && inner_role == EventRole::Kernel &&
             lies_inside(inner_time, outer_time) &&
             elapsed_ticks(inner_time.start, inner_time.end) <
                 elapsed_ticks(outer_time.start, outer_time.end);
    }
    if (rank_of(outer_role) <= rank_of(inner_role) && b.in_instruction()) return false;
    if (is_backends && outer_role == EventRole::Execute) return true;
    return lies_inside(inner_time, outer_time);
  }

  const EventSequence& sequence_;
  const uint64_t* start_;
  const uint64_t* end_;
  EventTree tree_;
  std::vector<uint32_t> open_;    // positions without a parent so far, and phases that have one
  std::vector<uint32_t> phases_;  // of one call, without a parent so far
};

}  // namespace

std::vector<uint32_t> top_down(const EventTree& tree) {
  const size_t count = tree.parents.size();
  std::vector<uint32_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = static_cast<uint32_t>(count - 1 - i);
  // Events finish before what contains them, so backwards is right unless one was moved.
  bool is_moved = false;
  for (size_t i = 0; i < count; ++i) is_moved |= tree.parents[i] < i;
  if (!is_moved) return order;
  std::vector<uint32_t> depth(count, kNone);
  std::vector<uint32_t> way;  // from an event outwards, up to one whose depth is known
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = i;
    for (; at != kNone && depth[at] == kNone; at = tree.parents[at]) way.push_back(at);
    uint32_t next = at == kNone ? 0 : depth[at] + 1;
    for (; !way.empty(); way.pop_back()) {
      go_on();
      depth[way.back()] = next++;
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return depth[a] < depth[b]; });
  return order;
}

std::vector<bool> positions_in_execution(const EventTree& tree) {
  std::vector<bool> inside(tree.roles.size());
  for (const uint32_t i : top_down(tree)) {
    const uint32_t parent = tree.parents[i];
    inside[i] = tree.roles[i] == EventRole::Execute || tree.roles[i] == EventRole::DelegateTotal ||
                (parent != kNone && inside[parent]);
  }
  return inside;
}

EventRole role_of(const EventKey& key, std::string_view name, std::string_view delegate_id,
                  const Backends& backends) {
  if (key.kind != EventKind::Profile) return EventRole::None;
  if (key.has_delegate_id()) {
    return backends.is_host_phase(delegate_id) ? EventRole::HostPhase : EventRole::DelegateEvent;
  }
  if (name == kExecuteEvent || (!key.in_instruction() && is_named(name, kExecuteEvent)))
    return EventRole::Execute;
  if (!key.in_instruction() || is_named(name, kStepEvent)) return EventRole::Framework;
  if (name == "OPERATOR_CALL") return EventRole::OperatorCall;
  if (name == "DELEGATE_CALL") return EventRole::DelegateCall;
  if (name == "JF_CALL" || name == "MOVE_CALL" || name == "FREE_CALL") return EventRole::Control;
  return backends.is_host_phase(name) ? EventRole::HostPhase : EventRole::Kernel;
}

EventTree build_event_tree(const EventLog& log, const EventSequence& sequence, const Run& run,
                           const Backends& backends) {
  return TreeBuilder(log, sequence, run, backends).build();
}

}  // namespace etlens
