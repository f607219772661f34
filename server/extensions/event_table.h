// SPDX-License-Identifier: Apache-2.0
// etlens/eventTable: events as the rows of a table, filtered, grouped, sorted; page by page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/events.h"

namespace etlens::extensions {

struct EventTableParams {
  std::optional<std::string> filter;    // words, -word, "whole name", -"whole name"
  std::optional<std::string> group_by;  // "line", "module", "operator", "delegate", "partition"
  std::optional<std::string> sort_by;   // "cost" (default), "line", "operator", "event", "module",
                                        // "where", "confidence"
  std::optional<bool> ascending;        // default false
  std::optional<std::vector<std::string>> open;  // keys of the groups whose events are rows, too
  std::optional<uint32_t> offset;                // default 0
  std::optional<uint32_t> limit;                 // default 1000
  std::optional<uint32_t> locate;                // the id of an event: `located` says where it is
};
FIELDS(EventTableParams, filter, group_by, sort_by, ascending, open, offset, limit, locate)

struct EventGroupItem {
  std::string key;  // of the group, as in `open`; the next profile has the same
  std::string name;
  std::string exclude;  // the term of a filter that leaves it out
  bool is_open = false;
  Spread<SumOfEvents> sum;
  double running_share = 0;          // of this group and all more costly ones; 0 of the only one
  std::optional<SourceLine> source;  // of a line
  std::optional<ChangeItem> change;  // of a line, its own time; absent without a baseline
};
FIELDS(EventGroupItem, key, name, exclude, is_open, sum, running_share, source, change)

// A group, or an event, in a group or not.
struct EventRow {
  uint32_t level = 1;
  std::optional<EventGroupItem> group;
  std::optional<EventItem> event;
  std::optional<std::string> exclude;  // of an event: the term of a filter that leaves it out
};
FIELDS(EventRow, level, group, event, exclude)

struct LocatedRow {
  uint32_t row = 0;                  // with the rows of its group open
  std::optional<std::string> group;  // the key of its group, if it is in one
};
FIELDS(LocatedRow, row, group)

struct EventTableResult {
  Spread<ListHead> head;
  std::vector<EventRow> rows;
  uint64_t row_count = 0;             // with those before and behind these
  Spread<SumOfEvents> sum;            // of those that fit the filter
  std::optional<LocatedRow> located;  // absent if the filter hides the event
};
FIELDS(EventTableResult, head, rows, row_count, sum, located)

}  // namespace etlens::extensions
