// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/repeated_events.h"

#include <algorithm>
#include <cstring>

namespace etlens {
namespace {

constexpr size_t kMostRowsSeen = 1 << 16;  // of a run: five megabytes are remembered
constexpr size_t kMostPartBytes = 256;     // of a part
constexpr size_t kTimeBytes = sizeof(uint64_t);
constexpr size_t kLargestAlignment = 8;  // the largest of a number
constexpr size_t kTablesOfEvent = 2;     // that an event is

template <typename Number>
Number load(const uint8_t* at) {
  Number number;
  std::memcpy(&number, at, sizeof(number));
  return number;
}

// The last number is compared with some bytes that were compared already.
template <typename Number>
bool is_equal(const uint8_t* a, const uint8_t* b, size_t bytes) {
  const size_t last = bytes - sizeof(Number);
  for (size_t at = 0; at < last; at += sizeof(Number)) {
    if (load<Number>(a + at) != load<Number>(b + at)) return false;
  }
  return load<Number>(a + last) == load<Number>(b + last);
}

// A table begins with the way back to its vtable. `apart`: bytes between the two tables.
bool has_same_vtable(const uint8_t* then, const uint8_t* now, ptrdiff_t apart) {
  return ptrdiff_t{load<int32_t>(now)} == load<int32_t>(then) + apart;
}

}  // namespace

bool RepeatedEvents::is_repeated(size_t row, size_t at, Times& times) {
  if (row >= seen_.size()) return false;
  const Seen& seen = seen_[row];
  const auto apart = static_cast<ptrdiff_t>(at) - static_cast<ptrdiff_t>(seen.at);
  if (seen.at == 0 || apart % kLargestAlignment != 0 || !walk_.holds(at, seen.extent)) return false;
  const uint8_t* then = walk_.at(seen.at);
  const uint8_t* now = walk_.at(at);
  const uint8_t* profile = now + seen.profile;
  if (!has_same_vtable(then, now, apart) || !has_same_vtable(then + seen.profile, profile, apart))
    return false;
  for (size_t i = 0; i < seen.ranges; ++i) {
    const auto [begin, bytes] = seen.range[i];
    const bool is_same = bytes < sizeof(uint64_t)
                             ? is_equal<uint32_t>(then + begin, now + begin, bytes)
                             : is_equal<uint64_t>(then + begin, now + begin, bytes);
    if (!is_same) return false;
  }
  times = {load<uint64_t>(profile + seen.start), load<uint64_t>(profile + seen.end)};
  return times.start <= times.end && walk_.enter_again(kTablesOfEvent);
}

void RepeatedEvents::remember(size_t row, const Parts& parts) {
  forget(row);
  // The times stand together: what is before and behind them is compared.
  const auto [first, last] = std::minmax(parts.start, parts.end);
  if (row >= kMostRowsSeen || first < kOffsetBytes || last - first != kTimeBytes) return;
  std::array<std::span<const uint8_t>, Seen::kRanges> fixed{
      parts.event.subspan(kOffsetBytes), parts.profile.first(first).subspan(kOffsetBytes),
      parts.profile.subspan(last + kTimeBytes)};
  std::copy(parts.beside.begin(), parts.beside.end(), fixed.begin() + 3);
  std::sort(fixed.begin(), fixed.end(),
            [](const auto& a, const auto& b) { return a.data() < b.data(); });
  Seen seen;
  const uint8_t* event = parts.event.data();
  for (const std::span<const uint8_t> bytes : fixed) {
    if (bytes.empty()) continue;
    if (bytes.data() < event || bytes.size() < sizeof(uint32_t) || bytes.size() > kMostPartBytes)
      return;
    add(seen, event, bytes);
  }
  if (parts.profile.data() < event) return;
  seen.profile = static_cast<uint32_t>(parts.profile.data() - event);
  seen.extent = std::max(seen.extent, seen.profile + static_cast<uint32_t>(parts.profile.size()));
  seen.start = static_cast<uint16_t>(parts.start);
  seen.end = static_cast<uint16_t>(parts.end);
  seen.at = static_cast<uint32_t>(walk_.place_of(event));
  if (row >= seen_.size()) seen_.resize(row + 1);
  seen_[row] = seen;
}

// Bytes close behind the last range become part of it, with the padding between them.
void RepeatedEvents::add(Seen& seen, const uint8_t* event, std::span<const uint8_t> bytes) {
  const auto begin = static_cast<uint32_t>(bytes.data() - event);
  const auto end = begin + static_cast<uint32_t>(bytes.size());
  seen.extent = std::max(seen.extent, end);
  if (seen.ranges > 0) {
    Range& before = seen.range[seen.ranges - 1];
    if (begin < before.at + before.bytes + kOffsetBytes) {
      before.bytes = std::max(before.bytes, end - before.at);
      return;
    }
  }
  seen.range[seen.ranges++] = {begin, end - begin};
}

void RepeatedEvents::forget(size_t row) {
  if (row < seen_.size()) seen_[row].at = 0;
}

}  // namespace etlens
