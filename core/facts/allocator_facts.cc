// SPDX-License-Identifier: Apache-2.0
#include "core/facts/allocator_facts.h"

#include "core/measure/allocations.h"

namespace etlens {

std::vector<AllocatorFacts> allocator_facts(const EventLog& log) {
  std::vector<AllocatorFacts> facts;
  for (const AllocatorUse& use : measure_allocations(log)) {
    const bool is_named = use.name != kEmptyString;
    facts.push_back(
        {log.text(use.block), use.allocator,
         is_named ? std::string(log.text(use.name)) : "allocator " + std::to_string(use.allocator),
         use.runs, use.events, use.most, use.largest});
  }
  return facts;
}

}  // namespace etlens
