// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory_plan.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "core/base/budget.h"
#include "core/measure/covered_bytes.h"

namespace etlens {
namespace {

// Plans have one buffer, or one for each kind of memory; damaged ones may claim any number.
constexpr size_t kMaxBuffers = 64;

// A tensor's bytes in its buffer; what lies outside is cut off.
ByteRange range_in(const ProgramTensor& tensor, uint64_t size) {
  if (tensor.offset >= size) return {size, 0};
  return {tensor.offset, std::min(tensor.bytes, size - tensor.offset)};
}

class Planner {
 public:
  explicit Planner(const ProgramMethod& method) : method_(method) {}

  MemoryPlan plan() {
    collect(find_lifetimes(method_));
    std::vector<std::vector<uint32_t>> rows(plan_.buffers.size());  // of plan_.tensors
    for (uint32_t r = 0; r < plan_.tensors.size(); ++r) {
      if (is_in_buffer(tensor(r))) rows[tensor(r).memory_id - 1].push_back(r);
    }
    for (size_t b = 0; b < rows.size(); ++b) measure(plan_.buffers[b], rows[b]);
    find_peak();
    for (size_t b = 0; b < rows.size(); ++b) divide_peak(plan_.buffers[b], rows[b]);
    return std::move(plan_);
  }

 private:
  const ProgramTensor& tensor(uint32_t row) const {
    return method_.tensors[plan_.tensors[row].tensor];
  }

  bool is_in_buffer(const ProgramTensor& tensor) const {
    return tensor.memory_id > 0 && tensor.memory_id <= plan_.buffers.size();
  }

  void collect(const std::vector<Lifetime>& lifetimes) {
    const size_t ids = std::min(method_.buffer_sizes.size(), kMaxBuffers + 1);
    for (uint32_t id = 1; id < ids; ++id) {
      PlannedBuffer& buffer = plan_.buffers.emplace_back();
      buffer.id = id;
      buffer.size = method_.buffer_sizes[id];
    }
    for (uint32_t t = 0; t < method_.tensors.size(); ++t) {
      const ProgramTensor& row = method_.tensors[t];
      if (row.is_planned) plan_.tensors.push_back({t, lifetimes[t], 0});
      else if (!row.is_constant()) plan_.unplanned.push_back(row.value);
      if (!row.is_planned) continue;
      const bool fits =
          is_in_buffer(row) && range_in(row, method_.buffer_sizes[row.memory_id]).size == row.bytes;
      if (!fits) {
        plan_.report.add(Oddity::ProgramOutsideBuffer,
                         "value " + std::to_string(row.value) + " of method " + method_.name);
      }
    }
  }

  // Bytes in use at every instruction.
  void measure(PlannedBuffer& buffer, const std::vector<uint32_t>& rows) {
    const size_t instructions = method_.instructions.size();
    buffer.live.resize(instructions);
    if (instructions == 0) return;
    std::vector<uint64_t> bounds;
    std::vector<std::vector<uint32_t>> begins(instructions);
    std::vector<std::vector<uint32_t>> ends(instructions);
    for (const uint32_t r : rows) {
      const ByteRange range = range_in(tensor(r), buffer.size);
      buffer.highest_end = std::max(buffer.highest_end, range.end());
      if (plan_.tensors[r].life.view_of != kNone) continue;
      buffer.without_reuse += range.size;
      bounds.insert(bounds.end(), {range.offset, range.end()});
      begins[plan_.tensors[r].life.first].push_back(r);
      ends[plan_.tensors[r].life.last].push_back(r);
    }
    CoveredBytes covered(std::move(bounds));
    uint64_t sum = 0;
    for (size_t i = 0; i < instructions; ++i) {
      go_on(1 + begins[i].size() + ends[i].size());
      for (const uint32_t r : begins[i]) {
        const ByteRange range = range_in(tensor(r), buffer.size);
        covered.add(range.offset, range.end());
        sum += range.size;
      }
      buffer.live[i] = covered.total();
      if (sum > buffer.live[i]) note_overlap(buffer, i);
      for (const uint32_t r : ends[i]) {
        const ByteRange range = range_in(tensor(r), buffer.size);
        covered.remove(range.offset, range.end());
        sum -= range.size;
      }
    }
    const auto most = std::max_element(buffer.live.begin(), buffer.live.end());
    buffer.peak = *most;
    buffer.peak_instruction = static_cast<uint32_t>(most - buffer.live.begin());
  }

  void note_overlap(const PlannedBuffer& buffer, size_t instruction) {
    plan_.report.add(Oddity::ProgramOverlap, "buffer " + std::to_string(buffer.id) +
                                                 " at instruction " + std::to_string(instruction) +
                                                 " of method " + method_.name);
  }

  void find_peak() {
    for (uint32_t i = 0; i < method_.instructions.size(); ++i) {
      uint64_t live = 0;
      for (const PlannedBuffer& buffer : plan_.buffers) live += buffer.live[i];
      if (live <= plan_.peak) continue;
      plan_.peak = live;
      plan_.peak_instruction = i;
    }
  }

  // Gives every byte in use at the peak to one tensor.
  void divide_peak(const PlannedBuffer& buffer, std::vector<uint32_t> rows) {
    if (method_.instructions.empty()) return;
    const auto is_idle = [&](uint32_t r) {
      const Lifetime& life = plan_.tensors[r].life;
      return life.view_of != kNone || life.first > plan_.peak_instruction ||
             life.last < plan_.peak_instruction;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), is_idle), rows.end());
    std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
      return std::tie(tensor(a).offset, a) < std::tie(tensor(b).offset, b);
    });
    uint64_t end = 0;
    for (const uint32_t r : rows) {
      const ByteRange range = range_in(tensor(r), buffer.size);
      const uint64_t begin = std::max(end, range.offset);
      if (range.end() <= begin) continue;
      plan_.tensors[r].at_peak = range.end() - begin;
      end = range.end();
    }
  }

  const ProgramMethod& method_;
  MemoryPlan plan_;
};

}  // namespace

MemoryPlan plan_memory(const ProgramMethod& method) { return Planner(method).plan(); }

}  // namespace etlens
