// SPDX-License-Identifier: Apache-2.0
// The nesting of one sequence's events: which event contains which, and what role each plays.
//
//   Method::execute
//     OPERATOR_CALL            an instruction
//       native_call_addmm.out  the kernel inside it
//     DELEGATE_CALL            an instruction
//       Convolution … #1       what the backend reported
//
// Nesting follows from the instruction identity (chain, instruction) and the order in which events
// finished; intervals decide what these leave open. The instruction id alone never does: framework
// events carry instruction 0 although they belong to none. Inside a delegate call the order is the
// backend's: the steps of its host code nest by their intervals, wherever between them it logs the
// events of its device.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/shared_list.h"
#include "core/formats/etdump/event_log.h"

namespace etlens {

enum class EventRole : uint8_t {
  None,           // debug and allocation events: no time
  Execute,        // Method::execute
  Framework,      // Method::init, Program::load_method, Method::step, events of the user's own
  OperatorCall,   // OPERATOR_CALL
  DelegateCall,   // DELEGATE_CALL
  Control,        // JF_CALL, MOVE_CALL, FREE_CALL
  Kernel,         // any other named event of an instruction
  DelegateEvent,  // reported by a backend inside its call
  HostPhase,      // a named step of a backend's host code: the backend's, but no operator
  DelegateTotal,  // a value of a whole delegate call that a backend logs beside its operators: no
                  // time of its own
};

struct EventTree {
  std::vector<EventRole> roles;    // one per event of the sequence
  std::vector<uint32_t> parents;   // position of the event around it; kNone at the top
  std::vector<uint32_t> children;  // how many events have it as parent

  bool is_leaf(size_t position) const { return children[position] == 0; }
};

// A tree per sequence of a log, kept once for all of its copies but for those that a copy changed.
class EventTrees {
 public:
  EventTrees() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): these are the trees
  EventTrees(std::vector<EventTree> trees) : trees_(std::move(trees)) {}

  const EventTree& operator[](size_t sequence) const {
    const auto own = own_.find(sequence);
    return own == own_.end() ? trees_[sequence] : own->second;
  }
  EventTree& own(size_t sequence) {
    return own_.try_emplace(sequence, trees_[sequence]).first->second;
  }

 private:
  SharedList<EventTree> trees_;
  std::unordered_map<size_t, EventTree> own_;
};

// Every position, none before what contains it.
std::vector<uint32_t> top_down(const EventTree& tree);

// Per position: it is inside Method::execute, or a total of something that is.
std::vector<bool> positions_in_execution(const EventTree& tree);

EventRole role_of(const EventKey& key, std::string_view name, std::string_view delegate_id,
                  const Backends& backends);

// `run` supplies the intervals: a run of that sequence.
EventTree build_event_tree(const EventLog& log, const EventSequence& sequence, const Run& run,
                           const Backends& backends);

}  // namespace etlens
