// SPDX-License-Identifier: Apache-2.0
#include "core/export/packets.h"

#include <cstring>

#include "core/base/assert.h"

namespace etlens {
namespace {

constexpr char kPacketTag = kTracePacket << 3 | 2;         // with a length
constexpr char kTimestampTag = kPacketTimestamp << 3 | 0;  // a varint
constexpr size_t kLongestVarint = 10;
constexpr size_t kLongestPacket = (1 << 14) - 1;  // its length is a varint of at most two bytes

// Bytes of blocks are copied without asking how many are wanted: a call for each would cost more.
constexpr size_t kBlock = Sink::kSlack;

char* put_varint(char* at, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

}  // namespace

TimedPackets::Kept TimedPackets::keep(std::string_view content) {
  const size_t longest = content.size() + 1 + kLongestVarint;
  ETLENS_ASSERT(longest <= kLongestPacket);
  Kept kept{packets_.size(), 0, longest < 0x80 ? size_t{1} : size_t{2}};
  packets_ += kPacketTag;
  packets_.append(kept.length_size, '\0');
  packets_ += content;
  packets_ += kTimestampTag;
  kept.size = packets_.size() - kept.begin;
  packets_.append(kBlock - kept.size % kBlock, '\0');
  return kept;
}

std::string_view TimedPackets::content_of(Kept kept) const {
  return std::string_view(packets_).substr(kept.begin + 1 + kept.length_size,
                                           kept.size - 2 - kept.length_size);
}

void TimedPackets::write(uint64_t time, Kept kept) {
  char* to = sink_.room(kept.size + kLongestVarint);
  const char* from = packets_.data() + kept.begin;
  for (size_t at = 0; at < kept.size; at += kBlock) std::memcpy(to + at, from + at, kBlock);
  const char* end = put_varint(to + kept.size, time);
  const auto length = static_cast<size_t>(end - to) - 1 - kept.length_size;
  if (kept.length_size == 1) {
    to[1] = static_cast<char>(length);
  } else {  // of both bytes, also where one would do
    to[1] = static_cast<char>(length | 0x80);
    to[2] = static_cast<char>(length >> 7);
  }
  sink_.fill(static_cast<size_t>(end - to));
}

}  // namespace etlens
