// SPDX-License-Identifier: Apache-2.0
// etlens/events: the ranking of events, page by page: a profile may hold many thousand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/event_view.h"
#include "server/extensions/comparison.h"

namespace etlens::extensions {

struct EventsParams {
  std::optional<std::string> query;  // as in workspace/symbol, on names, operators and modules
  std::optional<uint32_t> offset;    // default 0
  std::optional<uint32_t> limit;     // default 1000
};
FIELDS(EventsParams, query, offset, limit)

// Of some events together.
struct SumOfEvents {
  uint64_t count = 0;
  double self = 0;
  int64_t self_ticks = 0;
  std::string self_text;
  double share = 0;
};
FIELDS(SumOfEvents, count, self, self_ticks, self_text, share)

// As `etlens events` has it, and what is shown of it.
struct EventItem {
  uint32_t id = 0;
  Spread<EventView> event;
  std::optional<lsp::DocumentUri> uri;        // of its line's file; absent if it was not found
  std::optional<std::string_view> line_text;  // absent without a line
  std::string self_text;
  std::string p50_text;
  std::string p90_text;
  std::string spread_text;  // of the self time: "2.85 ms–3.20 ms with 95% confidence, noise …"
  std::string_view part_text;        // "inside delegate calls, not measured"
  std::string where;                 // "XNNPACK"; "" outside of delegate calls
  std::string module_text;           // "the model itself" for the root, "" if nothing tells
  double running_share = 0;          // of this event and all before it in the ranking
  std::optional<ChangeItem> change;  // of its line's own time; absent without a baseline
};
FIELDS(EventItem, id, event, uri, line_text, self_text, p50_text, p90_text, spread_text, part_text,
       where, module_text, running_share, change)

struct EventsResult {
  Spread<ListHead> head;
  std::vector<EventItem> events;  // the most costly first
  uint64_t more = 0;              // events behind these, left out by the limit
  Spread<SumOfEvents> sum;        // of those that fit the query
};
FIELDS(EventsResult, head, events, more, sum)

}  // namespace etlens::extensions
