// SPDX-License-Identifier: Apache-2.0
#include "core/measure/allocations.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/budget.h"

namespace etlens {
namespace {

uint64_t saturated_sum(uint64_t a, uint64_t b) {
  return b > std::numeric_limits<uint64_t>::max() - a ? std::numeric_limits<uint64_t>::max()
                                                      : a + b;
}

class AllocationCollector {
 public:
  explicit AllocationCollector(const EventLog& log) : log_(log) {}

  std::vector<AllocatorUse> collect() {
    for (const Run& run : log_.runs) {
      const EventSequence& sequence = log_.sequence(run.sequence);
      std::map<size_t, uint64_t> bytes;  // of the run, by row
      for (size_t a = 0; a < sequence.allocators.size(); ++a) {
        go_on();
        bytes.try_emplace(row_of(sequence, static_cast<int32_t>(a + 1)));
      }
      for (uint32_t i = 0; i < sequence.allocation_events; ++i) {
        go_on();
        const Allocation& allocation = log_.allocations[run.first_allocation + i];
        const size_t row = row_of(sequence, allocation.allocator);
        bytes[row] = saturated_sum(bytes[row], allocation.bytes);
        ++uses_[row].events;
        uses_[row].largest = std::max(uses_[row].largest, allocation.bytes);
      }
      for (const auto& [row, sum] : bytes) {
        ++uses_[row].runs;
        uses_[row].most = std::max(uses_[row].most, sum);
      }
    }
    return std::move(uses_);
  }

 private:
  size_t row_of(const EventSequence& sequence, int32_t allocator) {
    const bool is_registered =
        allocator > 0 && static_cast<size_t>(allocator) <= sequence.allocators.size();
    const StringId name =
        is_registered ? sequence.allocators[static_cast<size_t>(allocator) - 1] : kEmptyString;
    const auto [row, is_new] =
        known_.try_emplace({sequence.name.value, allocator, name.value}, uses_.size());
    if (is_new) uses_.push_back({sequence.name, allocator, name, 0, 0, 0, 0});
    return row->second;
  }

  const EventLog& log_;
  std::map<std::tuple<uint32_t, int32_t, uint32_t>, size_t> known_;  // block, allocator, name
  std::vector<AllocatorUse> uses_;
};

}  // namespace

std::vector<AllocatorUse> measure_allocations(const EventLog& log) {
  return AllocationCollector(log).collect();
}

}  // namespace etlens
