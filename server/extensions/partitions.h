// SPDX-License-Identifier: Apache-2.0
// etlens/partitions: delegate calls, and what was left to the CPU between them. Always of time.
// `events`: ids as etlens/events has them; empty while another measure is chosen, whose list holds
// no events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct PartitionItem {
  uint32_t number = 0;
  int32_t instruction = 0;
  std::optional<std::string> backend;
  std::optional<std::string> module;
  Time total;
  Time explained;
  Time opaque;
  Time overhead;
  double share = 0;
  double occurrences = 0;
  std::optional<Time> init;  // once, to set its delegate up, where the dump tells
  std::vector<SourceLine> lines;
  std::vector<uint32_t> events;
};
FIELDS(PartitionItem, number, instruction, backend, module, total, explained, opaque, overhead,
       share, occurrences, init, lines, events)

// Operators of one line that ran on the CPU between two calls of the same backend: an item per line
// and gap, with what the line took in that gap.
struct FallbackItem {
  uint32_t before = 0;  // numbers of the partitions around
  uint32_t after = 0;
  std::string sentence;
  Time self;
  double share = 0;
  SourceLine source;
  std::vector<uint32_t> events;
};
FIELDS(FallbackItem, before, after, sentence, self, share, source, events)

struct PartitionsResult {
  uint64_t generation = 0;
  std::vector<PartitionItem> partitions;  // in the order of their instructions
  std::vector<FallbackItem> fallbacks;    // likewise
};
FIELDS(PartitionsResult, generation, partitions, fallbacks)

}  // namespace etlens::extensions
