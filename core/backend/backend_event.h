// SPDX-License-Identifier: Apache-2.0
// What a backend means by an event that it logs inside its call: in which unit it counts, whether
// the event is an operator at all, and by which name the delegate map or the graph knows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

enum class DelegateUnit : uint8_t {
  Ticks,        // of the runtime's clock
  Nanoseconds,  // of a clock of its own
  Microseconds,
  Cycles,   // of the accelerator
  Counter,  // of a counter whose rate nobody knows
  Count,    // no time at all
  Bytes,    // likewise
};
// "ticks", "ns", "us", "cycles", "counter", "count", "bytes".
std::string_view name_of(DelegateUnit unit);

enum class DelegateEventKind : uint8_t {
  Operator,   // work of one operator
  HostPhase,  // a step of the backend's host code
  Total,      // a value of the whole call, beside its operators; never part of a sum
};

struct BackendEvent {
  DelegateEventKind kind = DelegateEventKind::Operator;
  DelegateUnit unit = DelegateUnit::Ticks;
  std::string key;        // what the delegate map has; the id itself for most backends
  std::string node_name;  // the FX node that the id names; "" if it names none
  std::string title;      // the id for people to read; "" if it is as it stands
};

// "Accelerator (execute) time (us)" -> {"Accelerator (execute) time", Microseconds}; nothing
// without a unit behind the name.
struct NamedUnit {
  std::string_view name;
  DelegateUnit unit;
};
std::optional<NamedUnit> split_unit(std::string_view id);

// An id of a backend that nothing is known of: ticks of an operator, unless it states its unit.
BackendEvent describe_by_unit(std::string_view id);

}  // namespace etlens
