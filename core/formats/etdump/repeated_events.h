// SPDX-License-Identifier: Apache-2.0
// RepeatedEvents: which events of a run are those of the run before, byte for byte but for their
// times. The runtime writes every execution alike, so that nearly all are. What was verified and
// named once is not looked at again: equal bytes at equal distances are as sound, and say the same.
//
// Events are compared in blocks of consecutive rows, which lie together in the file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/table_walk.h"

namespace etlens {

class RepeatedEvents {
 public:
  static constexpr size_t kRows = 64;  // of a block; the last of a run has fewer

  // Of an event as it was read.
  struct Parts {
    std::span<const uint8_t> event;  // the table
    std::span<const uint8_t> profile;
    size_t start = 0;  // where the times are in `profile`, and nothing else
    size_t end = 0;
    // With their lengths, and the zeros of texts. Empty for one that is absent.
    std::array<std::span<const uint8_t>, 3> beside;
  };
  // Ticks, of one event after the other. No end is before its start.
  struct Times {
    std::span<const uint64_t> start;
    std::span<const uint64_t> end;
  };

  explicit RepeatedEvents(TableWalk& walk) : walk_(walk) {}

  // The times of the events from `row` on, at most `most` of them, that are what was remembered of
  // their rows; none if a block does not begin there or anything in it differs. Their tables count as
  // entered then. Valid until the next call.
  Times repeated(const FlatVector& events, size_t row, size_t most);

  // An event that was read, for the next run: after that of the row before. Of a block, those behind
  // a row that is left out are not kept.
  void remember(size_t row, const Parts& parts);
  // Keeps the last block of the run.
  void end_run();

 private:
  // Where an event changes: its two tables begin with the ways to their vtables, and it has two
  // times. Bytes from the block's begin.
  struct Changing {
    uint32_t event = 0;
    uint32_t profile = 0;
    uint32_t start = 0;
    uint32_t end = 0;
  };
  struct Block {
    size_t begin = 0;                // in the buffer
    std::vector<uint8_t> mask;       // of its bytes, the bits that do not change
    std::vector<Changing> changing;  // by row
  };

  void keep();
  Block block_of(std::span<const Parts> events) const;  // empty if they cannot be compared
  static bool is_unmasked(const Block& block, const Changing& changing);
  bool is_same(const Block& block, FlatVector events, size_t row);

  TableWalk& walk_;
  std::vector<Block> blocks_;  // by row / kRows; empty: nothing is remembered
  std::vector<Parts> read_;    // the events of the block that is being read
  size_t next_ = 0;            // the row behind them; SIZE_MAX between runs
  std::array<uint64_t, kRows> start_;
  std::array<uint64_t, kRows> end_;
};

}  // namespace etlens
