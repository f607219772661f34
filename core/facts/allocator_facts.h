// SPDX-License-Identifier: Apache-2.0
// Facts about what allocators gave out while a program ran, beside what was planned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/etdump/event_log.h"

namespace etlens {

struct AllocatorFacts {
  std::string_view block;
  int32_t allocator = 0;  // 1-based within the block
  std::string name;       // "allocator 3" if the block registered none of that number
  uint64_t executions = 0;
  uint64_t events = 0;   // of all of them
  uint64_t most = 0;     // bytes in one execution
  uint64_t largest = 0;  // bytes of one event
};

// Views into the log. Empty if the dump names no allocator and has no allocation event.
std::vector<AllocatorFacts> allocator_facts(const EventLog& log);

}  // namespace etlens
