// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranking of events, page by page: a profile may hold many thousand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/comparison.h"

namespace etlens::extensions {

struct EventsParams {
  std::optional<std::string> query;  // as in workspace/symbol, on names, operators and modules
  std::optional<uint32_t> offset;    // default 0
  std::optional<uint32_t> limit;     // default 1000
};
FIELDS(EventsParams, query, offset, limit)

struct EventItem {
  uint32_t id = 0;
  std::string name;
  std::optional<std::string> remark;  // of what is no event: "[1, 64] float32, output"
  std::optional<std::string> operatorName;
  std::string part;      // line, opaque_partition, delegate_overhead, …
  std::string partText;  // the same in words: "inside delegate calls, not measured"
  std::optional<std::string> backend;
  std::optional<int32_t> instruction;
  std::optional<uint32_t> partition;
  std::optional<std::string> module;
  Time self;
  Time p50;  // of its self time in single executions
  Time p90;
  std::optional<Time> low;  // 95% interval of the self time; absent where none can be told
  std::optional<Time> high;
  Time disturbance;  // that executions had beyond the self time, on average
  double share = 0;
  double runningShare = 0;  // of this event and all before it in the ranking
  double occurrences = 0;   // per execution
  std::optional<std::string> confidence;
  std::optional<SourceLine> source;
  std::optional<ChangeItem> change;  // of its line's own time; absent without a baseline
};
FIELDS(EventItem, id, name, remark, operatorName, part, partText, backend, instruction, partition,
       module, self, p50, p90, low, high, disturbance, share, runningShare, occurrences, confidence,
       source, change)

struct EventsResult {
  uint64_t generation = 0;
  std::vector<EventItem> events;  // the most costly first
  uint64_t more = 0;              // events behind these, left out by the limit
  uint64_t count = 0;             // of events that fit the query
  Time self;                      // of those
  double share = 0;
};
FIELDS(EventsResult, generation, events, more, count, self, share)

}  // namespace etlens::extensions
