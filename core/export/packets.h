// SPDX-License-Identifier: Apache-2.0
// Packets of Perfetto's trace that come again and again, millions of times: they are encoded once,
// and each time copied with a timestamp behind them. Fields of a message may stand in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/export/sink.h"

namespace etlens {

// Fields of Perfetto's messages.
inline constexpr uint32_t kTracePacket = 1;
inline constexpr uint32_t kPacketTimestamp = 8;

class TimedPackets {
 public:
  // A packet but for its length and its time.
  struct Kept {
    size_t begin = 0;
    size_t size = 0;
    size_t length_size = 0;  // bytes that its length has
  };

  // `sink` must outlive the packets.
  explicit TimedPackets(Sink& sink) : sink_(sink) {}

  // `content`: the fields of the packet beside the timestamp, at most 16 KB.
  Kept keep(std::string_view content);
  // Valid until the next is kept.
  std::string_view content_of(Kept kept) const;
  void write(uint64_t time, Kept kept);

 private:
  Sink& sink_;
  std::string packets_;  // each with room behind it up to the next block
};

}  // namespace etlens
