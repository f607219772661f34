// SPDX-License-Identifier: Apache-2.0
// PreparedProfile: a snapshot with what its presentation needs beyond the tables. Computed once, in
// the background, so that an answer is a look-up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/facts/rollup.h"
#include "core/workspace/snapshot.h"

namespace etlens {

enum class SymbolKind : uint8_t { Operator, Kernel, DelegateEvent, Module };

// Something with a name and a time that stands on a line.
struct ProfileSymbol {
  SymbolKind kind = SymbolKind::Operator;
  std::string name;
  LineId line;                // the line, or one of several (in_partition)
  ModuleId module;            // of Module
  uint64_t ticks = 0;         // self time; of a module, inclusive
  bool in_partition = false;  // known only for the whole delegate call
};

struct PreparedProfile {
  std::shared_ptr<const ProfileSnapshot> snapshot;
  std::vector<PerfData> statistics;        // one per Profile::events
  std::vector<std::string_view> metadata;  // likewise, see event_metadata; may be empty
  ClassTable classes;
  std::vector<FallbackRow> fallbacks;  // ascending by line
  std::vector<LineId> hot_lines;       // lines with time of their own, the most costly first
  std::vector<std::vector<LineId>> fused_from;  // per line: the lines whose work its events did
  std::vector<LineId> line_of_module;  // where a module's time is spent; invalid if nowhere
  std::vector<ProfileSymbol> symbols;  // the most costly first

  const Profile& profile() const { return snapshot->profile; }
  // Null if the line did not fall back.
  const FallbackRow* fallback_of(LineId line) const;
};

PreparedProfile prepare(std::shared_ptr<const ProfileSnapshot> snapshot);

}  // namespace etlens
