// SPDX-License-Identifier: Apache-2.0
// etlens/partitions: delegate calls, and what was left to the CPU between them. Always of time.
// `events`: ids as etlens/events has them; empty while another measure is chosen, whose list holds
// no events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/partition_view.h"
#include "server/extensions/place.h"

namespace etlens::extensions {

// As `etlens partitions` has it, without what is inside.
struct PartitionItem {
  Spread<PartitionCostView> cost;
  std::string where;  // "XNNPACK"; "" if nothing names the backend
  std::string total_text;
  std::string explained_text;
  std::string opaque_text;
  std::string overhead_text;
  std::optional<std::string> init_text;
  std::vector<SourceLine> places;  // its `lines`
  std::vector<uint32_t> events;
};
FIELDS(PartitionItem, cost, where, total_text, explained_text, opaque_text, overhead_text,
       init_text, places, events)

// Operators of one line that ran on the CPU between two calls of the same backend: an item per line
// and gap, with what the line took in that gap.
struct FallbackItem {
  Spread<FallbackCostView> cost;
  std::string self_text;
  std::string sentence;
  SourceLine source;
  std::vector<uint32_t> events;
};
FIELDS(FallbackItem, cost, self_text, sentence, source, events)

// Equal delegate calls of modules that repeat, as one.
struct PartitionGroupItem {
  std::vector<uint32_t> partitions;  // their rows in PartitionsResult::partitions; never empty
  std::string module;                // "layers.0–31.mlp"; "" for the root
  Time total;
  Time explained;
  Time opaque;
  Time overhead;
  double share = 0;
};
FIELDS(PartitionGroupItem, partitions, module, total, explained, opaque, overhead, share)

// What one line took on the CPU between delegate calls, in all gaps together.
struct FallbackLineItem {
  std::vector<uint32_t> fallbacks;  // rows of PartitionsResult::fallbacks; never empty
  Time self;
  double share = 0;
  SourceLine source;
};
FIELDS(FallbackLineItem, fallbacks, self, share, source)

struct PartitionsResult {
  Spread<ListHead> head;
  std::vector<PartitionItem> partitions;         // in the order of their instructions
  std::vector<FallbackItem> fallbacks;           // in the order of their instructions
  std::vector<PartitionGroupItem> groups;        // of all calls, the most costly first
  std::vector<FallbackLineItem> fallback_lines;  // of all fallbacks, the most costly first
  double delegated_share = 0;                    // of all calls
  double fallback_share = 0;
};
FIELDS(PartitionsResult, head, partitions, fallbacks, groups, fallback_lines, delegated_share,
       fallback_share)

}  // namespace etlens::extensions
