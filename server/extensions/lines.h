// SPDX-License-Identifier: Apache-2.0
// etlens/hotLines: the ranking of lines. etlens/lineCosts: the lines of one document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/comparison.h"

namespace etlens::extensions {

struct LineCost {
  std::optional<SourceLine> source;  // absent in etlens/lineCosts where `line` says it
  std::optional<uint32_t> line;
  std::string label;  // as the inlay hint; "" if that is quiet
  Time self;
  std::optional<Time> low;  // 95% interval of the self time; absent where none can be told
  std::optional<Time> high;
  Time disturbance;  // that executions had beyond the self time, on average
  Time inclusive;
  double share = 0;  // of the self time
  double inclusiveShare = 0;
  uint32_t heat = 0;  // 0 (cold) to 4
  std::string where;  // "XNNPACK", "CPU", "XNNPACK+CPU", ""
  std::string confidence;
  bool edited = false;
  bool fallback = false;
  std::vector<uint32_t> events;      // ids, the most costly first
  std::vector<uint32_t> partitions;  // numbers
  std::optional<ChangeItem> change;  // of what the hint shows; absent without a baseline
};
FIELDS(LineCost, source, line, label, self, low, high, disturbance, inclusive, share,
       inclusiveShare, heat, where, confidence, edited, fallback, events, partitions, change)

struct LineCostsResult {
  uint64_t generation = 0;
  std::vector<LineCost> lines;     // ascending
  std::vector<LineCost> unplaced;  // recorded lines that are not in the text any more
};
FIELDS(LineCostsResult, generation, lines, unplaced)

struct HotLinesParams {
  std::optional<uint32_t> limit;  // default 100
};
FIELDS(HotLinesParams, limit)

struct HotLine {
  LineCost cost;
  double runningShare = 0;
};
FIELDS(HotLine, cost, runningShare)

struct HotLinesResult {
  uint64_t generation = 0;
  std::vector<HotLine> lines;  // the most costly first
};
FIELDS(HotLinesResult, generation, lines)

}  // namespace etlens::extensions
