// SPDX-License-Identifier: Apache-2.0
// etlens/flameGraph: all of the cost as frames, each as wide as its cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct FlameGraphParams {
  std::optional<std::string> order;   // "cost" (default), "execution"
  std::optional<bool> fold;           // modules that repeat are one frame; default true
  std::optional<std::string> filter;  // as etlens/eventTable has it: `found` says what it finds
};
FIELDS(FlameGraphParams, order, fold, filter)

struct FlameFrameItem {
  std::string kind;                // "whole", "module", "part", "line", "operation", "disturbance"
  std::optional<uint32_t> parent;  // index in the list; absent of "whole" and "disturbance"
  double left = 0;                 // fractions of the picture
  double width = 0;
  std::string name;  // short
  std::string words;
  Time time;
  double share = 0;                   // of the disturbance: of the mean
  uint32_t heat = 0;                  // 0 (cold) to 4
  double found = 1;                   // how much of it the filter finds, 0 to 1
  std::optional<std::string> module;  // the path; of modules that are one frame the first's
  std::optional<uint32_t> place;      // index in the places
};
FIELDS(FlameFrameItem, kind, parent, left, width, name, words, time, share, heat, found, module,
       place)

struct FlameGraphResult {
  uint64_t generation = 0;
  std::string title;
  std::vector<FlameFrameItem> frames;  // the whole first; parents before children
  Time found;                          // of what the filter finds; all without one
  double found_share = 0;
  std::vector<SourceLine> places;
};
FIELDS(FlameGraphResult, generation, title, frames, found, found_share, places)

}  // namespace etlens::extensions
