// SPDX-License-Identifier: Apache-2.0
// The timeline: the events of each execution as nested slices on one clock, as they were logged.
// No statistic and no centring: durations are the dump's own.
//
// Slices are properly nested and never before what comes before them, whatever the file claims. An
// event whose start the dump does not tell stands behind the one before it, inside what is around
// it, and is marked (`is_in_order`): backends that lay whole steps of a coarse clock end to end,
// count on a clock of their own, or log nothing but a length.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/facts/facts.h"
#include "core/measure/run_times.h"

namespace etlens {

struct Slice {
  ContributionId event;  // Facts::event tells the rest
  uint32_t depth = 0;    // 0: nothing is around it
  uint64_t start = 0;    // ticks since the begin of the timeline
  Ticks length;
  bool is_in_order = false;  // its start was not logged: it stands in order

  uint64_t end() const { return start + static_cast<uint64_t>(length.value); }
};

// What the runtime did in runs of other blocks: a top-level event, without its parts.
struct BesideSlice {
  std::string_view name;   // "Program::load_method"
  std::string_view block;  // of the run
  uint64_t start = 0;      // ticks since the begin of the timeline
  Ticks length;
};

class Timeline {
 public:
  // The facts must outlive the timeline.
  explicit Timeline(const Facts& facts);

  // Executions that are used, in the order in which they ran.
  size_t size() const;
  uint32_t number(size_t index) const;  // 0-based, among all of the block
  // The slices of an execution, each behind the one around it; valid until the next call. Ask in
  // ascending order: executions never start before the end of the one that was read before.
  const std::vector<Slice>& read(size_t index);

  // Ticks to which the event's backend cuts its durations; 0 if it does not.
  double step_of(ContributionId id) const { return facts_.study().logged.step[id.value]; }

  // Ascending by start; one never begins before the end of another.
  const std::vector<BesideSlice>& beside() const { return beside_; }

 private:
  // A sequence of the block, with what its runs need.
  struct Shape {
    std::vector<uint32_t> first_child;  // into `children`: of each position, and one more
    std::vector<uint32_t> children;     // positions that are shown, in the order of the log
    std::vector<uint32_t> roots;        // likewise, that nothing shown is around
    std::vector<uint32_t> bottom_up;    // every position, each before what is around it
    std::vector<bool> is_laid_out;      // per position: its start was not logged
    RunTimes times;
  };
  // A position whose slice is placed.
  struct Placed {
    uint32_t position = 0;
    uint32_t depth = 0;
    uint64_t start = 0;
    bool is_in_order = false;
  };

  Shape shape_of(size_t index) const;
  void find_begin();
  void find_beside();
  void measure(Shape& shape, const Run& run);
  void place(const Shape& shape, const Run& run, std::span<const uint32_t> siblings, uint64_t begin,
             uint64_t end, uint32_t depth, bool is_in_order);
  bool place_as_logged(const Shape& shape, const Run& run, std::span<const uint32_t> siblings,
                       uint64_t begin, uint64_t end, uint32_t depth, bool is_in_order);
  uint64_t since_begin(uint64_t ticks) const { return ticks > begin_ ? ticks - begin_ : 0; }

  const Facts& facts_;
  std::vector<Shape> shapes_;  // one per sequence of the block
  std::unordered_map<SequenceId, size_t> shape_of_sequence_;
  uint64_t begin_ = 0;   // ticks of the log at which the timeline begins
  uint64_t cursor_ = 0;  // end of the execution that was read last
  uint64_t shift_ = 0;   // of the execution that is read: drawn later than it was logged
  std::vector<BesideSlice> beside_;
  std::vector<uint64_t> lengths_;  // per position of the run
  std::vector<Placed> open_;       // a stack: placed, not yet written
  std::vector<Slice> slices_;
};

}  // namespace etlens
