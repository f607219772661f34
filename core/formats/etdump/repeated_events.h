// SPDX-License-Identifier: Apache-2.0
// RepeatedEvents: which events of a run are those of the run before, byte for byte but for their
// times. The runtime writes every execution alike, so that nearly all are. What was verified and
// named once is not looked at again: equal bytes at equal distances are as sound, and say the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/table_walk.h"

namespace etlens {

class RepeatedEvents {
 public:
  // Of an event as it was read. All of it stands behind the begin of its table.
  struct Parts {
    std::span<const uint8_t> event;  // the table
    std::span<const uint8_t> profile;
    size_t start = 0;  // where the times are in `profile`, and nothing else
    size_t end = 0;
    // With their lengths, and the zeros of texts. Empty for one that is absent.
    std::array<std::span<const uint8_t>, 3> beside;
  };
  struct Times {
    uint64_t start = 0;  // ticks
    uint64_t end = 0;
  };

  explicit RepeatedEvents(TableWalk& walk) : walk_(walk) {}

  // Whether the event whose table begins at `at` is what was remembered of its row, and ends after it
  // starts. Its tables count as entered then, and `times` are its times.
  bool is_repeated(size_t row, size_t at, Times& times);

  // An event that was read. Some are too large, or lie too far apart, to be compared.
  void remember(size_t row, const Parts& parts);
  void forget(size_t row);

 private:
  // Bytes that do not change, at a distance from the event's table.
  struct Range {
    uint32_t at = 0;
    uint32_t bytes = 0;
  };
  struct Seen {
    static constexpr size_t kRanges = 6;

    uint32_t at = 0;       // of the event's table in the buffer; 0: nothing is remembered
    uint32_t extent = 0;   // bytes from there to the end of all of it
    uint32_t profile = 0;  // the distance of its table
    uint16_t start = 0;    // in that table
    uint16_t end = 0;
    uint32_t ranges = 0;
    std::array<Range, kRanges> range;
  };

  static void add(Seen& seen, const uint8_t* event, std::span<const uint8_t> bytes);

  TableWalk& walk_;
  std::vector<Seen> seen_;  // by row
};

}  // namespace etlens
