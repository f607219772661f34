// SPDX-License-Identifier: Apache-2.0
// What the events of delegate calls mean, told by the backend of their call, and how their values
// become ticks: a backend may count in a unit of its own, and log totals beside its operators.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/id.h"
#include "core/base/time_scale.h"
#include "core/join/event_tree.h"

namespace etlens {

class MethodContext;

// The meaning of each delegate event of a log, worked out once per backend and distinct id.
class BackendEvents {
 public:
  // `context` names the backend of each call; null without a record, then the ids alone tell. All
  // must outlive the object.
  BackendEvents(const EventLog& log, const MethodContext* context,
                const Backends& backends = built_in_backends());

  const Backends& backends() const { return backends_; }
  std::string_view backend_of(Instruction instruction) const;  // its id; "" if nothing tells
  const BackendEvent& of(const EventKey& key);                 // of an event with a delegate id

 private:
  struct Id {
    StringId backend;  // of the record; invalid if nothing tells
    int32_t number;
    StringId text;
    friend bool operator==(const Id&, const Id&) = default;
  };
  struct IdHash {
    size_t operator()(const Id& id) const;
  };

  StringId find_backend(Instruction instruction) const;

  const EventLog& log_;
  const MethodContext* context_;
  const Backends& backends_;
  std::unordered_map<Id, BackendEvent, IdHash> known_;
  Instruction last_;       // that was asked for
  StringId last_backend_;  // of it
};

enum class Conversion : uint8_t {
  Ticks,     // the values are ticks
  Constant,  // ticks = value * numerator / denominator
  Measured,  // cycles, of which a pair of totals says how long they took in the same execution
  Share,     // its share, among its neighbours, of the time that is left of what is around them
  None,      // a total, a count, bytes: no time of an operator
};

struct EventConversion {
  Conversion kind = Conversion::Ticks;
  DelegateUnit unit = DelegateUnit::Ticks;
  uint64_t numerator = 1;
  uint64_t denominator = 1;
  uint32_t time_total = kNone;   // Measured: position of the total in time ...
  uint32_t cycle_total = kNone;  // ... and of the one in cycles
};

// One per position of a sequence; empty if every event is in ticks.
using SequenceConversions = std::vector<EventConversion>;

// A delegate event's id as text, integers in decimal.
std::string delegate_id_of(const EventLog& log, const EventKey& key);

// Settles what the intervals could not: a dispatch of a device belongs to the phase of the host
// that waited for it, and a total of the whole call is in no sum (its role becomes DelegateTotal).
// `clock` is the scale of the runtime's ticks.
SequenceConversions settle_delegate_events(const EventLog& log, const EventSequence& sequence,
                                           EventTree& tree, BackendEvents& backends,
                                           TimeScale clock);

}  // namespace etlens
