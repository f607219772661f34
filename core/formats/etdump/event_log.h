// SPDX-License-Identifier: Apache-2.0
// EventLog: an ETDump as tables, with nothing left of its file format.
//
// Executions of one program repeat the same events, so an event's identity (EventKey) is stored
// once per distinct *sequence*, and a run is only a row of times against its sequence:
//
//   sequences[s].events[i]           what the i-th event to finish is
//   runs[r].sequence, .first_row     run r's times are start[first_row + i], end[first_row + i]
//
// Times are raw ticks of the platform's clock (the format does not record the unit).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/id.h"
#include "core/base/load_report.h"
#include "core/base/string_pool.h"
#include "core/base/ticks.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

using SequenceId = Id<struct SequenceTag>;  // row of EventLog::sequences
using RunId = Id<struct RunTag>;            // row of EventLog::runs

// Empty: what a broken file has instead of an event.
enum class EventKind : uint8_t { Profile, Debug, Allocation, Empty };

// What makes an event "the same" in every run.
struct EventKey {
  EventKind kind = EventKind::Profile;
  StringId name = kEmptyString;
  int32_t chain = 0;  // -1: not inside an instruction, then `instruction` says nothing
  Instruction instruction = kNoInstruction;  // index into the chain; -1 only in foreign files
  int32_t delegate_id_int = -1;              // -1: unset
  StringId delegate_id_str = kEmptyString;   // "": unset

  bool in_instruction() const { return chain >= 0 && instruction >= 0; }
  bool has_delegate_id() const { return delegate_id_int != -1 || delegate_id_str != kEmptyString; }

  friend bool operator==(const EventKey&, const EventKey&) = default;
};

// A block registers its allocators before its events: allocator id n is the n-th of them.
// Events in the order in which they finished: nested ones stand before the event around them.
struct EventSequence {
  StringId name;  // of the block: `Default`, `Execute`, or the user's own
  int32_t bundled_input_index = -1;
  std::vector<StringId> allocators;  // names; stock runtimes register none
  std::vector<EventKey> events;
  uint32_t debug_events = 0;       // how many of them are of kind Debug
  uint32_t allocation_events = 0;  // likewise, Allocation
};

struct Run {
  SequenceId sequence;
  uint64_t first_row = 0;
  uint64_t first_debug_value = 0;
  uint64_t first_allocation = 0;
};

// An allocator gave out memory. Nothing says when, nor when it came back.
struct Allocation {
  int32_t allocator = 0;  // 1-based; any number in a broken file
  uint64_t bytes = 0;
};

enum class DebugValueKind : uint8_t { Null, Int, Bool, Float, Double, Tensor, TensorList };

struct TensorInfo {
  int8_t scalar_type = 0;  // numbers of the runtime's ScalarType, see scalar_type.h
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;  // in elements
  int64_t offset = 0;            // bytes into the debug buffer; -1: no bytes
};

struct DebugValue {
  DebugValueKind kind = DebugValueKind::Null;
  bool is_output = false;           // a program output rather than an intermediate value
  int64_t int_value = 0;            // Int, Bool
  double double_value = 0;          // Float, Double
  std::vector<TensorInfo> tensors;  // Tensor: one
};

struct EventLog {
  StringPool strings;
  std::vector<EventSequence> sequences;  // distinct, in first-seen order
  std::vector<Run> runs;                 // in the file's order
  std::vector<uint64_t> start;           // ticks, one per event of a run
  std::vector<uint64_t> end;
  std::vector<StringId> metadata;        // like `start`; empty if no event of the dump has metadata
  std::vector<DebugValue> debug_values;  // one per Debug event, run after run
  std::vector<Allocation> allocations;   // one per Allocation event, run after run
  uint64_t file_bytes = 0;
  LoadReport report;

  size_t event_count() const { return start.size(); }
  const EventSequence& sequence(SequenceId id) const { return sequences[id.value]; }
  const Run& run(RunId id) const { return runs[id.value]; }
  std::string_view text(StringId id) const { return strings[id]; }
};

// Ticks that the events of a dump may last together, so that nobody who adds them overflows: 146
// years of nanoseconds. read_etdump refuses more.
inline constexpr uint64_t kMaxTicks = uint64_t{1} << 62;

// Ticks from `start` to `end`. A 32-bit clock that wrapped in between is allowed for; any other end
// before the start gives 0. At most 2^63-1.
inline Ticks elapsed_ticks(uint64_t start, uint64_t end) {
  if (end >= start) return Ticks(static_cast<int64_t>(std::min<uint64_t>(end - start, INT64_MAX)));
  if (start <= 0xFFFFFFFFull) return Ticks(static_cast<int64_t>(end + 0x100000000ull - start));
  return Ticks();
}

}  // namespace etlens
