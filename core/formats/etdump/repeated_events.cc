// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/repeated_events.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace etlens {
namespace {

constexpr size_t kMostBlocks = 512;      // of a run: eight megabytes of masks are remembered
constexpr size_t kMostBytes = 16 << 10;  // of a block
constexpr size_t kLargestAlignment = 8;  // the largest of a number
constexpr size_t kTimeBytes = sizeof(uint64_t);
constexpr size_t kTablesOfEvent = 2;  // that an event is

template <typename Number>
Number load(const uint8_t* at) {
  Number number;
  std::memcpy(&number, at, sizeof(number));
  return number;
}

// What compilers do at once, on every processor.
using Words = uint64_t __attribute__((vector_size(16)));
constexpr size_t kStride = 2 * sizeof(Words);

Words differing_bits(const uint8_t* then, const uint8_t* now, const uint8_t* mask) {
  return (load<Words>(then) ^ load<Words>(now)) & load<Words>(mask);
}

// `bytes` are at least kStride. The first of them are compared with some that were compared already.
// From the last to the first, as the runtime writes events: so the processor fetches what comes next.
bool is_equal(const uint8_t* then, const uint8_t* now, const uint8_t* mask, size_t bytes) {
  Words differing{};
  for (size_t left = bytes; left > 0;) {
    left -= std::min(kStride, left);
    const size_t next = left + sizeof(Words);
    differing |= differing_bits(then + left, now + left, mask + left) |
                 differing_bits(then + next, now + next, mask + next);
  }
  return (differing[0] | differing[1]) == 0;
}

// A table begins with the way back to its vtable. `apart`: bytes between the two tables.
bool has_same_vtable(const uint8_t* then, const uint8_t* now, ptrdiff_t apart) {
  return ptrdiff_t{load<int32_t>(now)} == load<int32_t>(then) + apart;
}

// What of an event does not change.
std::array<std::span<const uint8_t>, 7> fixed_parts(const RepeatedEvents::Parts& parts) {
  const auto [first, last] = std::minmax(parts.start, parts.end);
  const std::span<const uint8_t> profile = parts.profile;
  return {parts.event.subspan(kOffsetBytes),
          profile.first(first).subspan(kOffsetBytes),
          profile.first(last).subspan(first + kTimeBytes),
          profile.subspan(last + kTimeBytes),
          parts.beside[0],
          parts.beside[1],
          parts.beside[2]};
}

bool has_two_times(const RepeatedEvents::Parts& parts) {
  const auto [first, last] = std::minmax(parts.start, parts.end);
  return first >= kOffsetBytes && last >= first + kTimeBytes;
}

struct Extent {
  const uint8_t* begin = nullptr;
  size_t bytes = 0;
};

Extent extent_of(std::span<const RepeatedEvents::Parts> events) {
  const uint8_t* begin = events.front().event.data();
  const uint8_t* end = begin;
  const auto cover = [&](std::span<const uint8_t> part) {
    if (part.empty()) return;
    begin = std::min(begin, part.data());
    end = std::max(end, part.data() + part.size());
  };
  for (const RepeatedEvents::Parts& event : events) {
    cover(event.event);
    cover(event.profile);
    for (const std::span<const uint8_t> part : event.beside) cover(part);
  }
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

RepeatedEvents::Times RepeatedEvents::repeated(const FlatVector& events, size_t row, size_t most) {
  if (row % kRows != 0 || row / kRows >= blocks_.size()) return {};
  Block& block = blocks_[row / kRows];
  const size_t rows = block.changing.size();
  if (rows == 0) return {};
  if (rows > most || !is_same(block, events, row) || !walk_.enter_again(rows * kTablesOfEvent)) {
    block = {};  // what is remembered is the run before
    return {};
  }
  return {std::span(start_).first(rows), std::span(end_).first(rows)};
}

bool RepeatedEvents::is_same(const Block& block, FlatVector events, size_t row) {
  const size_t begin = walk_.place_of(events, row) - block.changing.front().event;
  const auto apart = static_cast<ptrdiff_t>(begin) - static_cast<ptrdiff_t>(block.begin);
  if (apart % kLargestAlignment != 0 || !walk_.holds(begin, block.mask.size())) return false;
  const uint8_t* then = walk_.at(block.begin);
  const uint8_t* now = walk_.at(begin);
  if (!is_equal(then, now, block.mask.data(), block.mask.size())) return false;
  for (size_t i = 0; i < block.changing.size(); ++i) {
    const Changing& at = block.changing[i];
    start_[i] = load<uint64_t>(now + at.start);
    end_[i] = load<uint64_t>(now + at.end);
    if (walk_.place_of(events, row + i) != begin + at.event || start_[i] > end_[i] ||
        !has_same_vtable(then + at.event, now + at.event, apart) ||
        !has_same_vtable(then + at.profile, now + at.profile, apart))
      return false;
  }
  return true;
}

void RepeatedEvents::remember(size_t row, const Parts& parts) {
  if (row % kRows == 0) {
    keep();
    next_ = row;
  }
  if (row != next_) return;
  read_.push_back(parts);
  ++next_;
}

void RepeatedEvents::end_run() {
  keep();
  next_ = SIZE_MAX;
}

void RepeatedEvents::keep() {
  if (read_.empty()) return;
  const size_t index = (next_ - 1) / kRows;
  Block block = index < kMostBlocks ? block_of(read_) : Block();
  read_.clear();
  if (block.changing.empty()) return;
  if (index >= blocks_.size()) blocks_.resize(index + 1);
  blocks_[index] = std::move(block);
}

RepeatedEvents::Block RepeatedEvents::block_of(std::span<const Parts> events) const {
  const Extent extent = extent_of(events);
  if (extent.bytes < kStride || extent.bytes > kMostBytes) return {};
  Block block;
  block.begin = walk_.place_of(extent.begin);
  block.mask.resize(extent.bytes);
  const auto at = [&](const uint8_t* byte) { return static_cast<uint32_t>(byte - extent.begin); };
  for (const Parts& parts : events) {
    if (!has_two_times(parts)) return {};
    for (const std::span<const uint8_t> part : fixed_parts(parts)) {
      if (!part.empty()) std::memset(block.mask.data() + at(part.data()), 0xFF, part.size());
    }
  }
  for (const Parts& parts : events) {
    const uint8_t* profile = parts.profile.data();
    const Changing changing{at(parts.event.data()), at(profile), at(profile + parts.start),
                            at(profile + parts.end)};
    if (!is_unmasked(block, changing)) return {};
    block.changing.push_back(changing);
  }
  return block;
}

// In a broken file, what changes may be what another event says does not.
bool RepeatedEvents::is_unmasked(const Block& block, const Changing& changing) {
  const auto is_clear = [&](uint32_t begin, size_t bytes) {
    return std::all_of(block.mask.data() + begin, block.mask.data() + begin + bytes,
                       [](uint8_t bits) { return bits == 0; });
  };
  return is_clear(changing.event, kOffsetBytes) && is_clear(changing.profile, kOffsetBytes) &&
         is_clear(changing.start, kTimeBytes) && is_clear(changing.end, kTimeBytes);
}

}  // namespace etlens
