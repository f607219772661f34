// SPDX-License-Identifier: Apache-2.0
// What allocators gave out while a program ran, as a dump logged it. The format has neither a time
// nor a return of memory, so there is no curve: only how much, by whom, in which block.
#pragma once

#include <cstdint>
#include <vector>

#include "core/formats/etdump/event_log.h"

namespace etlens {

struct AllocatorUse {
  StringId block;
  int32_t allocator = 0;  // 1-based within the block
  StringId name;          // kEmptyString if the block registered no such allocator
  uint64_t runs = 0;      // of the block, that registered or used it
  uint64_t events = 0;    // of all of them
  uint64_t most = 0;      // bytes in one run; at most 2^64-1, whatever a broken file claims
  uint64_t largest = 0;   // bytes of one event
};

// In the order in which the dump names them first. Empty for dumps of stock runtimes, which
// register no allocators.
std::vector<AllocatorUse> measure_allocations(const EventLog& log);

}  // namespace etlens
