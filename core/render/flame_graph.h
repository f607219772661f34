// SPDX-License-Identifier: Apache-2.0
// The flame graph: all of the cost as frames. Modules hang from the whole, the lines that carry
// their time from these, and operations from lines. A frame is as wide as its cost; what executions
// had beyond the statistic stands beside the whole. Every picture of it draws these frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/cost_tree.h"
#include "core/facts/headline.h"

namespace etlens {

enum class FlameKind : uint8_t { Whole, Module, Part, Line, Operation, Disturbance };

struct FlameFrame {
  FlameKind kind = FlameKind::Whole;
  std::optional<uint32_t> parent;  // row of the frames; none of Whole and Disturbance
  uint32_t depth = 0;
  double left = 0;  // fractions of the picture
  double width = 0;
  std::string name;    // "layers.0–31 Block"
  std::string words;   // all that is known of it: "layers.0–31 (Block), 32 modules: 12.4 ms, …"
  std::string module;  // of Module: the path, of folded ones the first's
  Cost cost;
  double found = 0;  // how much of it the filter finds, 0 to 1; 1 without a filter
  int heat = 0;      // 0 to 4, of lines and operations
  LineId line;       // where it leads to; invalid if nowhere
};

struct FlameOptions {
  CostTreeOptions tree;
  std::optional<TimeScale> unit;  // of times; nullopt: chosen for each value
  double narrowest = 0;           // of the picture: narrower frames and what is below are left out
};

struct FlameGraph {
  std::string title;               // "forward: 20.4 ms, typical of 50 executions"
  std::vector<FlameFrame> frames;  // the whole first; parents before children
  Cost found;                      // of what the filter finds; all without one
};

FlameGraph flame_graph(const Facts& facts, const FlameOptions& options);

// "whole", "module", "part", "line", "operation", "disturbance".
std::string_view name_of(FlameKind kind);

}  // namespace etlens
