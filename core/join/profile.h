// SPDX-License-Identifier: Apache-2.0
// Profile: one block of one dump, joined with one method of a record. Immutable once built; every
// number on every surface comes from here (invariant I11: surfaces format, they never sum).
//
// Times are integer ticks summed over the block's executions; averages divide by executions().
// Strings belong to two pools: those of events to the log's, those of nodes to the record's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/code/node_placement.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/join/block.h"
#include "core/join/delegate_events.h"
#include "core/join/event_tree.h"
#include "core/measure/histogram.h"
#include "core/measure/perf_data.h"

namespace etlens {

using EventId = Id<struct EventTag>;
using FileId = Id<struct FileTag>;
using LineId = Id<struct LineTag>;
using PartitionId = Id<struct PartitionTag>;
using ModuleId = Id<struct ModuleTag>;

// The parts that an execution's time falls into. Every tick is in exactly one.
enum class TimePart : uint8_t {
  Line,              // on a source line
  OpaquePartition,   // inside a delegate call, explained by no operator event
  DelegateOverhead,  // inside a delegate call, not measured by the delegate
  Dispatch,          // the runtime around a kernel; jumps and moves
  Framework,         // Method::execute outside instructions
  Unattributed,      // an operator event whose nodes have no usable stack trace
  kCount,
};

// "line", "opaque_partition", "delegate_overhead", "dispatch_overhead", "framework",
// "unattributed".
std::string_view name_of(TimePart part);

struct Reconciliation {
  uint64_t total = 0;  // Method::execute
  uint64_t parts[static_cast<size_t>(TimePart::kCount)] = {};

  uint64_t& operator[](TimePart part) { return parts[static_cast<size_t>(part)]; }
  uint64_t operator[](TimePart part) const { return parts[static_cast<size_t>(part)]; }
  uint64_t sum() const;
};

// An event of the block: all occurrences of one signature that go to the same place.
struct EventRow {
  EventKey key;  // strings of the log
  EventRole role = EventRole::None;
  TimePart part = TimePart::Framework;
  Confidence confidence = Confidence::Exact;
  bool rescaled = false;  // in some execution its time is a share of its delegate call
  DelegateUnit unit = DelegateUnit::Ticks;  // in which its backend counted
  Conversion conversion = Conversion::Ticks;
  uint64_t reported = 0;    // sum of the values that its backend logged, in `unit`; 0 for ticks
  bool layout = false;      // moves or converts data for `node`: no operator of the user's
  uint32_t candidates = 1;  // possible lines, if inferred
  NodeId node;              // the node that carries it
  LineId line;              // if part is Line
  ModuleId module;          // deepest module that owns it; invalid for overheads
  PartitionId partition;    // of a delegate call and its events
  uint64_t self_ticks = 0;  // without what its children cover
  uint64_t total_ticks = 0;
  uint64_t occurrences = 0;  // over all executions
  uint32_t first_fused = 0;  // nodes whose work it also did, into Profile::fused_nodes
  uint32_t fused_count = 0;
};

struct FileRow {
  StringId recorded_path;
  uint32_t first_line = 0;  // into Profile::lines
  uint32_t line_count = 0;
};

struct LineRow {
  FileId file;
  uint32_t line = 0;  // 1-based, as recorded
  FrameId frame;      // its function and text
  uint64_t self_ticks = 0;
  uint64_t inclusive_ticks = 0;
  uint64_t occurrences = 0;  // of events whose self time is here, over all executions
  uint32_t calls = 0;        // how often the line runs in one execution, told by module instances
  std::vector<StringId> owner_types;  // of the modules whose forward was running; in no order
  Confidence confidence = Confidence::Exact;  // the weakest of its events
  PerfData self;                              // of the per-execution sums, in ticks
  Histogram spread;                           // likewise
  std::vector<EventId> events;                // whose self time is here, the most costly first
  std::vector<EventId> inclusive_events;      // that pass through here without self time here
  std::vector<LineId> fused_into;
  std::vector<PartitionId> partitions;  // delegate calls that hold nodes of this line
};

struct PartitionRow {
  uint32_t number = 0;  // 1-based, in instruction order
  int32_t instruction = 0;
  StringId backend;  // of the record; invalid without one
  EventId call;      // invalid if the delegate reported events without a call around them
  ModuleId module;
  uint64_t total_ticks = 0;      // of the call
  uint64_t explained_ticks = 0;  // on lines, or of a known node without a line
  uint64_t opaque_ticks = 0;
  uint64_t overhead_ticks = 0;
  uint64_t occurrences = 0;
  std::vector<NodeId> nodes;
  std::vector<NodeId> unreported_nodes;  // of those that no event ran, nor had fused into it
  std::vector<LineId> lines;
  std::vector<EventId> events;
};

struct ModuleRow {
  std::string path;  // "" is the root
  StringId type;     // invalid if no stack names the module itself
  ModuleId parent;   // invalid for the root
  uint32_t depth = 0;
  uint64_t self_ticks = 0;
  uint64_t inclusive_ticks = 0;
  uint32_t calls = 0;  // distinct calls in one execution
};

struct Profile {
  std::shared_ptr<const EventLog> log;
  std::shared_ptr<const EtRecord> record;  // null: events only
  std::vector<EventTree> trees;            // one per sequence of the log
  std::vector<Block> blocks;
  BlockId block;                       // the one that is attributed
  std::optional<RecordMethod> method;  // of the record; none without a record
  Backends backends = built_in_backends();

  std::vector<EventRow> events;
  std::vector<NodeId> fused_nodes;
  std::vector<FileRow> files;
  std::vector<LineRow> lines;              // file after file, ascending
  std::vector<PartitionRow> partitions;    // in instruction order
  std::vector<ModuleRow> modules;          // parents before children; row 0 is the root
  std::vector<Reconciliation> executions;  // one per run of the block
  Reconciliation total;                    // over all executions
  std::vector<uint32_t> far_off;           // executions far from the others
  uint64_t load_ticks = 0;                 // Program::load_method, shown beside the total
  uint64_t in_modules_ticks = 0;           // of leaves whose module is known
  uint64_t delegated_ticks = 0;            // inside delegate calls
  LoadReport report;

  // Per sequence of the block, in the order of Block::sequences: the event of each position, and
  // how its value becomes ticks.
  std::vector<std::vector<EventId>> event_of_position;
  std::vector<SequenceConversions> conversions;

  const Block& selected() const { return blocks[block.value]; }
  size_t execution_count() const { return executions.size(); }
  std::span<const NodeId> fused_of(const EventRow& row) const {
    return std::span(fused_nodes).subspan(row.first_fused, row.fused_count);
  }
  // What a person calls the event: its name, or the delegate's id for it.
  std::string event_name(const EventRow& row) const;
  // The same for people to read, where the delegate's id is a machine's (JSON).
  std::string readable_name(const EventRow& row) const {
    return backends.readable_name(backend_of(row), event_name(row));
  }
  std::string_view backend_of(const EventRow& row) const;  // "" if it ran on no delegate
  // The debug handles that tie the event to its nodes: the map's for an instruction, the node's for
  // a delegate event.
  std::vector<DebugHandle> handles_of(const EventRow& row) const;
  // Fraction of Method::execute.
  double share(uint64_t ticks) const {
    return total.total == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(total.total);
  }
};

// By whole components: conv1 never includes conv10. The root "" includes everything.
bool is_module_below(std::string_view root, std::string_view path);

// Per-execution sums of the event's durations, in ticks.
std::vector<uint64_t> durations_of(const Profile& profile, EventId event);

}  // namespace etlens
