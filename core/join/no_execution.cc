// SPDX-License-Identifier: Apache-2.0
#include "core/join/no_execution.h"

#include <set>
#include <string>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/join/event_names.h"

namespace etlens {
namespace {

constexpr std::string_view kExecuteBlock = "Execute";
constexpr size_t kMaxNames = 3;  // of blocks and events in a sentence
constexpr size_t kMaxNameBytes = 60;

bool is_of_instruction(EventRole role) {
  switch (role) {
    case EventRole::OperatorCall:
    case EventRole::DelegateCall:
    case EventRole::Control:
    case EventRole::Kernel:
    case EventRole::DelegateEvent:
    case EventRole::HostPhase:
      return true;
    default:
      return false;
  }
}

// What a sequence without Method::execute holds.
struct Remains {
  bool has_instructions = false;
  bool has_steps = false;
  bool has_events = false;
  Instruction last = kNoInstruction;  // that an event finished in

  bool broke_off(std::string_view block) const {
    if (has_steps) return false;
    return has_instructions || (!has_events && is_named(block, kExecuteBlock));
  }
};

Remains remains_of(const EventLog& log, const EventSequence& sequence, const EventTree& tree) {
  Remains remains;
  for (size_t i = 0; i < sequence.events.size(); ++i) {
    go_on();
    const EventKey& key = sequence.events[i];
    remains.has_events |= key.kind == EventKind::Profile || key.kind == EventKind::Debug;
    remains.has_steps |=
        tree.roles[i] == EventRole::Framework && is_named(log.text(key.name), kStepEvent);
    if (!key.in_instruction() || !is_of_instruction(tree.roles[i])) continue;
    remains.has_instructions = true;
    remains.last = key.instruction;
  }
  return remains;
}

std::string place_of(const Remains& remains) {
  if (remains.last == kNoInstruction) return "before its first instruction";
  return "in or after instruction " + std::to_string(remains.last.value);
}

// Names of the blocks, and of the events that nothing is around.
std::string names_text(const EventLog& log, const EventTrees& trees) {
  std::set<std::string_view> blocks;
  std::set<std::string_view> events;
  for (size_t s = 0; s < log.sequences.size() && events.size() <= kMaxNames; ++s) {
    blocks.insert(log.text(log.sequences[s].name));
    const EventTree& tree = trees[s];
    for (size_t i = 0; i < tree.roles.size() && events.size() <= kMaxNames; ++i) {
      go_on();
      const bool is_outermost = tree.roles[i] != EventRole::None && tree.parents[i] == kNone;
      if (is_outermost) events.insert(log.text(log.sequences[s].events[i].name));
    }
  }
  events.erase("");
  const auto listed = [](const std::set<std::string_view>& names) {
    std::vector<std::string> some;
    for (const std::string_view name : names) {
      if (some.size() == kMaxNames) break;
      some.emplace_back(name.substr(0, kMaxNameBytes));
      if (name.size() > kMaxNameBytes) some.back() += "…";
    }
    return join(some, ", ") + (names.size() > kMaxNames ? ", …" : "");
  };
  return "its blocks are " + listed(blocks) + ", their outermost events " +
         (events.empty() ? std::string("have no name") : "are " + listed(events));
}

}  // namespace

BrokenRuns find_broken_runs(const EventLog& log, const EventTrees& trees,
                            const std::vector<Block>& blocks) {
  std::unordered_map<SequenceId, Remains> broken_sequences;  // few, or all there are
  for (const Block& block : blocks) {
    go_on();
    if (block.is_execution) continue;
    for (const SequenceId s : block.sequences) {
      const EventSequence& sequence = log.sequence(s);
      const Remains remains = remains_of(log, sequence, trees[s.value]);
      if (remains.broke_off(log.text(sequence.name))) broken_sequences.emplace(s, remains);
    }
  }
  BrokenRuns broken;
  if (broken_sequences.empty()) return broken;
  for (size_t r = 0; r < log.runs.size(); ++r) {
    go_on();
    const auto at = broken_sequences.find(log.runs[r].sequence);
    if (at != broken_sequences.end() && broken.count++ == 0)
      broken.first = "block " + std::to_string(r + 1) + " of the dump, " + place_of(at->second);
  }
  return broken;
}

std::string why_no_execution(const EventLog& log, const EventTrees& trees,
                             const std::vector<Block>& blocks) {
  if (log.runs.empty()) {
    return "holds no events, so nothing was timed; build the runtime with "
           "EXECUTORCH_BUILD_DEVTOOLS=ON and EXECUTORCH_ENABLE_EVENT_TRACER=ON, run the method "
           "once and record again";
  }
  const BrokenRuns broken = find_broken_runs(log, trees, blocks);
  if (broken.count > 0) {
    return "holds no whole execution: " + counted(broken.count, "execution") + " broke off (" +
           (broken.count > 1 ? "the first: " : "") + broken.first +
           "), so the time of a whole one is unknown; look in the log of the run for the error "
           "that execute() returned, and record again";
  }
  bool has_steps = false;
  bool is_loading = true;  // and nothing else
  for (const EventSequence& sequence : log.sequences) {
    for (const EventKey& key : sequence.events) {
      go_on();
      const std::string_view name = log.text(key.name);
      has_steps |= is_named(name, kStepEvent);
      is_loading &= is_named(name, kLoadEvent) || is_named(name, kInitEvent) ||
                    key.has_delegate_id() || key.kind != EventKind::Profile;
    }
  }
  if (has_steps) {
    return "holds no whole execution: the method ran step by step (Method::step), and etlens reads "
           "whole executions; run the method with execute() and record again";
  }
  if (is_loading) {
    return "holds no execution: only the loading of a program was logged; run the method with the "
           "same event tracer, then save its ETDump";
  }
  return "holds no execution that etlens knows: no event is named " + std::string(kExecuteEvent) +
         " (" + names_text(log, trees) + "); run the method with execute() and record again";
}

}  // namespace etlens
