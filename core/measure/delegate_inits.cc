// SPDX-License-Identifier: Apache-2.0
#include "core/measure/delegate_inits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/budget.h"
#include "core/join/event_names.h"

namespace etlens {
namespace {

// A step of setting up that no other is around.
struct InitStep {
  std::string name;
  Amount took;
};

// Delegates in the order in which they are set up.
struct InitOrder {
  std::vector<std::string_view> backends;
  std::vector<size_t> of_call;  // one per Code::partitions
};

// The method behind the name: "Method::init::forward" has one, "Method::init" none.
std::string_view method_in(std::string_view name) {
  constexpr std::string_view kAround = ":/#( )";
  name.remove_prefix(kInitEvent.size());
  name.remove_prefix(std::min(name.find_first_not_of(kAround), name.size()));
  return name.substr(0, name.find_last_not_of(kAround) + 1);
}

// Of one sequence, worked out once.
struct SequenceInits {
  struct Step {
    uint32_t position = 0;
    uint32_t init = 0;  // into `inits`
    std::string name;
  };
  std::vector<uint32_t> inits;  // positions of Method::init
  std::vector<Step> steps;      // inside one of them
};

class InitReader {
 public:
  explicit InitReader(const Join& join) : join_(join), log_(*join.log) {}

  void read(DelegateInits& inits) {
    std::unordered_map<SequenceId, SequenceInits> sequences;  // few
    for (size_t s = 0; s < log_.sequences.size(); ++s) {
      SequenceInits sequence = inits_in(SequenceId(s));
      if (!sequence.inits.empty()) sequences.emplace(SequenceId(s), std::move(sequence));
    }
    for (const Run& run : log_.runs) {
      go_on();
      const auto at = sequences.find(run.sequence);
      if (at == sequences.end()) continue;
      const SequenceInits& sequence = at->second;
      std::vector<std::vector<InitStep>> steps = steps_of(run, sequence);
      for (size_t i = 0; i < steps.size(); ++i) {
        for (const InitStep& step : steps[i]) inits.total += step.took;
        const std::string_view method = method_in(name_at(run.sequence, sequence.inits[i]));
        if (!method.empty() && method != join_.code().method_name()) continue;
        ++loads_;
        steps_ = std::move(steps[i]);
      }
    }
  }

  // Of the only load that may be of the method that is joined.
  const std::vector<InitStep>* only() const { return loads_ == 1 ? &steps_ : nullptr; }

 private:
  std::string_view name_at(SequenceId sequence, uint32_t position) const {
    return log_.text(log_.sequence(sequence).events[position].name);
  }

  SequenceInits inits_in(SequenceId id) const {
    SequenceInits sequence;
    const EventTree& tree = join_.trees[id.value];
    const auto is_init = [&](uint32_t i) {
      return tree.roles[i] == EventRole::Framework && is_named(name_at(id, i), kInitEvent);
    };
    std::vector<uint32_t> around;  // into sequence.inits, per position
    for (const uint32_t i : top_down(tree)) {
      go_on();
      const bool is_own = is_init(i);
      if (is_own && around.empty()) around.assign(tree.roles.size(), kNone);
      if (around.empty()) continue;
      if (tree.parents[i] != kNone) around[i] = around[tree.parents[i]];
      if (is_own) {
        around[i] = static_cast<uint32_t>(sequence.inits.size());
        sequence.inits.push_back(i);
      } else if (around[i] != kNone) {
        std::string name = step_name(log_.sequence(id).events[i]);
        if (!name.empty()) sequence.steps.push_back({i, around[i], std::move(name)});
      }
    }
    return sequence;
  }

  // "" if the event is no step of a backend, or its value no time.
  std::string step_name(const EventKey& key) const {
    if (key.kind != EventKind::Profile || key.in_instruction()) return "";
    if (!key.has_delegate_id()) {
      const std::string_view name = log_.text(key.name);
      return join_.backends->is_host_phase(name) ? std::string(name) : "";
    }
    std::string id = delegate_id_of(log_, key);
    const BackendEvent event = join_.backends->describe("", id, key.delegate_id_int != -1);
    const bool is_time =
        event.unit == DelegateUnit::Ticks && event.kind != DelegateEventKind::Total;
    return is_time ? id : "";
  }

  // Of each Method::init those that no other step is around, in the order of time.
  std::vector<std::vector<InitStep>> steps_of(const Run& run, const SequenceInits& sequence) const {
    using Found = std::tuple<int64_t, int64_t, const SequenceInits::Step*>;  // start, minus length
    std::vector<std::vector<Found>> found(sequence.inits.size());
    for (const SequenceInits::Step& step : sequence.steps) {
      go_on();
      const uint64_t origin = log_.start[run.first_row + sequence.inits[step.init]];
      const uint64_t at = run.first_row + step.position;
      found[step.init].emplace_back(elapsed_ticks(origin, log_.start[at]).value,
                                    -elapsed_ticks(log_.start[at], log_.end[at]).value, &step);
    }
    std::vector<std::vector<InitStep>> steps(found.size());
    for (size_t i = 0; i < found.size(); ++i) {
      std::sort(found[i].begin(), found[i].end());
      int64_t end = -1;  // of what is taken so far
      for (const auto& [start, minus_length, step] : found[i]) {
        if (start - minus_length <= end) continue;
        steps[i].push_back({step->name, Amount(start - minus_length - std::max(start, end))});
        end = start - minus_length;
      }
    }
    return steps;
  }

  const Join& join_;
  const EventLog& log_;
  uint32_t loads_ = 0;           // that may be of the method
  std::vector<InitStep> steps_;  // of the last of these
};

std::optional<InitOrder> order_of(const Code& code, const ProgramMethod* program) {
  InitOrder order;
  if (program == nullptr) {
    if (!code.record || !code.method) return std::nullopt;
    for (const Partition& call : code.partitions) {
      order.of_call.push_back(order.backends.size());
      order.backends.push_back(call.backend.valid() ? code.text(call.backend) : "");
    }
    return order;
  }
  for (const ProgramDelegate& delegate : program->delegates)
    order.backends.push_back(delegate.backend);
  for (const Partition& call : code.partitions) {
    go_on();
    const ProgramInstruction* row = program->find(call.instruction);
    if (row == nullptr || row->kind != InstructionKind::Delegate) return std::nullopt;
    order.of_call.push_back(row->target);
  }
  return order;
}

bool names_all(const InitOrder& order) {
  return std::none_of(order.backends.begin(), order.backends.end(),
                      [](std::string_view backend) { return backend.empty(); });
}

// Another method of the dump may be the one whose loading was logged.
bool runs_other_calls(const Join& join) {
  std::set<Instruction> own;
  for (const Partition& call : join.code().partitions) own.insert(call.instruction);
  for (const Block& block : join.blocks) {
    if (!block.is_execution) continue;
    for (const SequenceId s : block.sequences) {
      const std::vector<EventKey>& events = join.log->sequence(s).events;
      for (size_t i = 0; i < events.size(); ++i) {
        go_on();
        const bool is_call = join.trees[s.value].roles[i] == EventRole::DelegateCall;
        if (is_call && !own.contains(events[i].instruction)) return true;
      }
    }
  }
  return false;
}

using BackendIds = std::set<std::string_view>;

// The backends that log steps of that name; empty: any may.
BackendIds backends_of(const Backends& backends, std::string_view step) {
  BackendIds ids;
  for (const Backend& row : backends.rows()) {
    if (std::any_of(row.host_phases.begin(), row.host_phases.end(),
                    [&](std::string_view phase) { return step.starts_with(phase); }))
      ids.insert(row.id);
  }
  return ids;
}

// The delegates that log such steps; none where that cannot be told.
std::vector<size_t> loggers_of(const InitOrder& order, const BackendIds& backends) {
  const BackendIds all(order.backends.begin(), order.backends.end());
  if (backends.empty() && all.size() != 1) return {};
  std::vector<size_t> delegates;
  for (size_t d = 0; d < order.backends.size(); ++d) {
    go_on();
    if (backends.empty() || backends.contains(order.backends[d])) delegates.push_back(d);
  }
  return delegates;
}

// Every one of `delegates` has the same steps, in its turn.
bool repeat(const std::vector<const InitStep*>& steps, size_t delegates) {
  if (delegates == 0 || steps.size() % delegates != 0) return false;
  const size_t each = steps.size() / delegates;
  for (size_t i = each; i < steps.size(); ++i) {
    go_on();
    if (steps[i]->name != steps[i - each]->name) return false;
  }
  return true;
}

}  // namespace

DelegateInits delegate_inits(const Join& join, const ProgramMethod* program) {
  DelegateInits inits;
  InitReader reader(join);
  reader.read(inits);
  const std::vector<InitStep>* steps = reader.only();
  if (inits.total == Amount() || steps == nullptr || steps->empty()) return inits;
  const std::optional<InitOrder> order = order_of(join.code(), program);
  if (!order || !names_all(*order) || runs_other_calls(join)) return inits;
  std::map<BackendIds, std::vector<const InitStep*>> logged;  // by who may log them
  for (const InitStep& step : *steps) {
    go_on();
    logged[backends_of(*join.backends, step.name)].push_back(&step);
  }
  std::vector<std::optional<Amount>> of_delegate(order->backends.size());
  for (const auto& [backends, own] : logged) {
    const std::vector<size_t> delegates = loggers_of(*order, backends);
    if (!repeat(own, delegates.size())) return inits;
    const size_t each = own.size() / delegates.size();
    for (size_t i = 0; i < own.size(); ++i) {
      std::optional<Amount>& took = of_delegate[delegates[i / each]];
      took = took.value_or(Amount()) + own[i]->took;
    }
  }
  for (const size_t delegate : order->of_call) inits.of_call.push_back(of_delegate[delegate]);
  return inits;
}

}  // namespace etlens
