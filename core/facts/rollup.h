// SPDX-License-Identifier: Apache-2.0
// Rollups: sums over sets of events that no table row holds. They are made here, because surfaces
// format and never sum.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/join/profile.h"

namespace etlens {

// Of distinct events.
struct Rollup {
  uint64_t self_ticks = 0;
  uint64_t occurrences = 0;
  Confidence confidence = Confidence::Exact;  // the weakest
};

Rollup roll_up(const Profile& profile, std::span<const EventId> events);
// What has its self time on one of the lines.
Rollup roll_up_self(const Profile& profile, std::span<const LineId> lines);
// What runs through at least one of the lines, each event once.
Rollup roll_up_inclusive(const Profile& profile, std::span<const LineId> lines);

// The time of one line by module. Self time by the module that owns it; where the line has none,
// what runs through it by the modules that were called from there. The most costly first.
struct ModuleShare {
  ModuleId module;
  Rollup sum;
};
std::vector<ModuleShare> module_shares(const Profile& profile, LineId line);

// All instances of one class of modules together. A leaf inside two of them counts once.
struct ClassRow {
  StringId type;  // of the record, e.g. "tiny_llama.Block"
  uint64_t inclusive_ticks = 0;
  std::vector<ModuleId> instances;
};

// `self.name` of all instances of one class together.
struct AttributeRow {
  StringId type;
  std::string name;  // one component of module paths
  uint64_t inclusive_ticks = 0;
  std::vector<ModuleId> instances;
};

struct ClassTable {
  std::vector<ClassRow> classes;         // in the order of their first instance
  std::vector<AttributeRow> attributes;  // likewise
};
ClassTable class_table(const Profile& profile);

// How much of a module ran on delegates.
struct ModuleDelegation {
  uint64_t delegated_ticks = 0;         // of the module's inclusive time
  std::vector<PartitionId> partitions;  // delegate calls whose time is in there, ascending
};
std::vector<ModuleDelegation> module_delegation(
    const Profile& profile);  // one per Profile::modules

// Operators that ran on the CPU between two calls of the same backend, so that the data left the
// accelerator and came back.
struct FallbackGap {
  PartitionId before;  // the delegate calls around
  PartitionId after;
  std::vector<EventId> events;  // in the order of execution
  Rollup sum;
};
// In the order of execution. An event that runs in several gaps is in the first one.
std::vector<FallbackGap> fallback_gaps(const Profile& profile);

// The same by line.
struct FallbackRow {
  LineId line;
  PartitionId before;  // the delegate calls around the first of the events
  PartitionId after;
  std::vector<EventId> events;  // the most costly first
  Rollup sum;
};
std::vector<FallbackRow> fallbacks(const Profile& profile);  // ascending by line

}  // namespace etlens
