// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_events.h"

#include <algorithm>
#include <optional>

#include "core/base/budget.h"
#include "core/code/method_context.h"

namespace etlens {
namespace {

// Ticks of the runtime's clock per nanosecond, as numerator and denominator; nothing if nobody
// knows.
std::optional<std::pair<uint64_t, uint64_t>> ticks_per_nanosecond(TimeScale clock) {
  switch (clock) {
    case TimeScale::Nanoseconds:
      return std::pair<uint64_t, uint64_t>{1, 1};
    case TimeScale::Microseconds:
      return std::pair<uint64_t, uint64_t>{1, 1'000};
    case TimeScale::Milliseconds:
      return std::pair<uint64_t, uint64_t>{1, 1'000'000};
    case TimeScale::Seconds:
      return std::pair<uint64_t, uint64_t>{1, 1'000'000'000};
    case TimeScale::Cycles:
      break;
  }
  return std::nullopt;
}

Instruction instruction_of(const EventKey& key) {
  return key.in_instruction() ? key.instruction : kNoInstruction;
}

class Settler {
 public:
  Settler(const EventLog& log, const EventSequence& sequence, EventTree& tree,
          BackendEvents& backends, TimeScale clock)
      : log_(log),
        events_(sequence.events),
        tree_(tree),
        backends_(backends),
        per_nanosecond_(ticks_per_nanosecond(clock)) {}

  SequenceConversions run() {
    if (std::find(tree_.roles.begin(), tree_.roles.end(), EventRole::DelegateEvent) ==
        tree_.roles.end())
      return {};
    conversions_.resize(events_.size());
    find_calls();
    for (const auto& [call, positions] : calls_) settle_call(call, positions);
    move_into_phases();
    const bool is_all_ticks =
        std::all_of(conversions_.begin(), conversions_.end(),
                    [](const EventConversion& c) { return c.kind == Conversion::Ticks; });
    return is_all_ticks ? SequenceConversions() : std::move(conversions_);
  }

 private:
  struct Call {
    uint32_t around;  // position of the call; kNone if the events have none
    std::vector<uint32_t> positions;
  };

  const BackendEvent& meaning(uint32_t position) { return backends_.of(events_[position]); }

  void find_calls() {
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (tree_.roles[i] != EventRole::DelegateEvent) continue;
      const bool is_next = !calls_.empty() && calls_.back().around == tree_.parents[i];
      if (!is_next) calls_.push_back({tree_.parents[i], {}});
      calls_.back().positions.push_back(i);
    }
  }

  void settle_call(uint32_t call, const std::vector<uint32_t>& positions) {
    const uint32_t tail = host_tail(positions);
    uint32_t parent_total = kNone;  // the total that the nodes behind it are part of
    for (const uint32_t i : positions) {
      const BackendEvent& event = meaning(i);
      if (event.kind == DelegateEventKind::Total || i == tail) {
        conversions_[i] = {Conversion::None, event.unit};
        detach(i);
        parent_total = i;
        continue;
      }
      conversions_[i] = conversion_of(event, call);
      if (event.unit == DelegateUnit::Cycles && parent_total != kNone) {
        measure(conversions_[i], parent_total, positions);
      }
    }
  }

  EventConversion conversion_of(const BackendEvent& event, uint32_t call) const {
    EventConversion conversion;
    conversion.unit = event.unit;
    if (event.unit == DelegateUnit::Ticks) return conversion;
    const bool is_known_time =
        event.unit == DelegateUnit::Nanoseconds || event.unit == DelegateUnit::Microseconds;
    if (is_known_time && per_nanosecond_) {
      conversion.kind = Conversion::Constant;
      conversion.numerator =
          per_nanosecond_->first * (event.unit == DelegateUnit::Microseconds ? 1000 : 1);
      conversion.denominator = per_nanosecond_->second;
      return conversion;
    }
    // Without a call around them there is nothing that they could be a share of.
    conversion.kind = call == kNone ? Conversion::None : Conversion::Share;
    return conversion;
  }

  // Nodes follow the total that they are parts of. If the same total is there in microseconds as
  // well, the pair says how long a cycle took.
  void measure(EventConversion& conversion, uint32_t total,
               const std::vector<uint32_t>& positions) {
    if (!per_nanosecond_) return;
    const std::string_view name = log_.text(events_[total].delegate_id_str);
    const std::optional<NamedUnit> cycles = split_unit(name);
    if (!cycles || cycles->unit != DelegateUnit::Cycles) return;
    for (const uint32_t i : positions) {
      go_on();
      const std::optional<NamedUnit> time = split_unit(log_.text(events_[i].delegate_id_str));
      if (!time || time->unit != DelegateUnit::Microseconds || time->name != cycles->name) continue;
      conversion.kind = Conversion::Measured;
      conversion.numerator = per_nanosecond_->first * 1000;
      conversion.denominator = per_nanosecond_->second;
      conversion.time_total = i;
      conversion.cycle_total = total;
      return;
    }
  }

  // The record of what the host did at the end, where the backend logs one more than it ran
  // kernels; kNone otherwise.
  uint32_t host_tail(const std::vector<uint32_t>& positions) const {
    uint32_t last = kNone;
    for (const uint32_t i : positions) {
      go_on();
      if (events_[i].delegate_id_int == -1 || !has_host_tail(events_[i])) continue;
      if (last == kNone || events_[i].delegate_id_int > events_[last].delegate_id_int) last = i;
    }
    return last;
  }

  bool has_host_tail(const EventKey& key) const {
    return backends_.backends().find(backends_.backend_of(instruction_of(key))).has_host_tail;
  }

  void detach(uint32_t position) {
    if (tree_.parents[position] != kNone) --tree_.children[tree_.parents[position]];
    tree_.parents[position] = kNone;
    tree_.roles[position] = EventRole::DelegateTotal;
  }

  uint32_t call_around(uint32_t position) const {
    while (position != kNone && tree_.roles[position] != EventRole::DelegateCall) {
      go_on();
      position = tree_.parents[position];
    }
    return position;
  }

  // A device's clock is another one than the host's, so intervals cannot tell. Where a call waits
  // several times, a dispatch belongs to the phase that was logged last before it.
  void move_into_phases() {
    std::unordered_map<uint32_t, uint32_t> phase_of_call;  // the first one, then the last so far
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (const uint32_t call = waiting_call(i); call != kNone) phase_of_call.emplace(call, i);
    }
    if (phase_of_call.empty()) return;
    for (uint32_t i = 0; i < events_.size(); ++i) {
      if (const uint32_t call = waiting_call(i); call != kNone) phase_of_call[call] = i;
      if (tree_.roles[i] != EventRole::DelegateEvent || conversions_[i].kind == Conversion::Ticks)
        continue;
      const auto phase = phase_of_call.find(tree_.parents[i]);
      if (phase == phase_of_call.end()) continue;
      --tree_.children[tree_.parents[i]];
      tree_.parents[i] = phase->second;
      ++tree_.children[phase->second];
    }
  }

  // Of a phase in which the host waits for dispatches: the call around it; kNone for others.
  uint32_t waiting_call(uint32_t position) const {
    const bool is_waiting =
        tree_.roles[position] == EventRole::HostPhase &&
        backends_.backends().is_dispatch_phase(log_.text(events_[position].delegate_id_str));
    return is_waiting ? call_around(position) : kNone;
  }

  const EventLog& log_;
  const std::vector<EventKey>& events_;
  EventTree& tree_;
  BackendEvents& backends_;
  std::optional<std::pair<uint64_t, uint64_t>> per_nanosecond_;
  std::vector<Call> calls_;
  SequenceConversions conversions_;
};

}  // namespace

BackendEvents::BackendEvents(const EventLog& log, const MethodContext* context,
                             const Backends& backends)
    : log_(log),
      context_(context),
      backends_(backends),
      last_(kNoInstruction),
      last_backend_(find_backend(kNoInstruction)) {}

size_t BackendEvents::IdHash::operator()(const Id& id) const {
  uint64_t hash = uint64_t{id.backend.value} << 32 | static_cast<uint32_t>(id.number);
  hash = hash * 0x9E3779B97F4A7C15ull ^ id.text.value;
  return (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9ull;
}

StringId BackendEvents::find_backend(Instruction instruction) const {
  const DelegateEntry* entry =
      context_ == nullptr ? nullptr : context_->map().find_delegate(instruction);
  return entry == nullptr ? StringId() : entry->backend;
}

std::string_view BackendEvents::backend_of(Instruction instruction) const {
  const StringId backend = find_backend(instruction);
  return backend.valid() ? context_->record().text(backend) : std::string_view();
}

const BackendEvent& BackendEvents::of(const EventKey& key) {
  const Instruction instruction = instruction_of(key);
  if (instruction != last_) {
    last_ = instruction;
    last_backend_ = find_backend(instruction);
  }
  const auto [at, is_new] =
      known_.try_emplace({last_backend_, key.delegate_id_int, key.delegate_id_str});
  if (is_new) {
    at->second = backends_.describe(backend_of(instruction), delegate_id_of(log_, key),
                                    key.delegate_id_int != -1);
  }
  return at->second;
}

std::string delegate_id_of(const EventLog& log, const EventKey& key) {
  if (key.delegate_id_int != -1) return std::to_string(key.delegate_id_int);
  return std::string(log.text(key.delegate_id_str));
}

SequenceConversions settle_delegate_events(const EventLog& log, const EventSequence& sequence,
                                           EventTree& tree, BackendEvents& backends,
                                           TimeScale clock) {
  return Settler(log, sequence, tree, backends, clock).run();
}

}  // namespace etlens
