// SPDX-License-Identifier: Apache-2.0
// An event is that of the run before if every byte of it says so, but for its times.
#include "core/formats/etdump/repeated_events.h"

#include <catch2/catch.hpp>
#include <cstring>

namespace etlens::repeated_events_test {

namespace {

// Where an event has what, from its table on.
constexpr size_t kProfile = 8;
constexpr size_t kStart = 12, kEnd = 20;  // in the profile
constexpr size_t kProfileBytes = 32;
constexpr size_t kText = kProfile + kProfileBytes;
constexpr size_t kTextBytes = 11;
constexpr size_t kBytes = kText + kTextBytes;
constexpr uint64_t kLate = uint64_t{1} << 61;
constexpr size_t kFirst = 64, kApart = 80;

template <typename Number>
void put(std::vector<uint8_t>& bytes, size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
}

// Two equal events, whose vtables are the same: begins of tables say how far away that is.
std::vector<uint8_t> two_events(size_t apart = kApart) {
  std::vector<uint8_t> bytes(kFirst + apart + kBytes + 1);
  for (const size_t event : {kFirst, kFirst + apart}) {
    for (size_t i = 0; i < kBytes; ++i) bytes[event + i] = static_cast<uint8_t>(i * 7 + 1);
    put(bytes, event, static_cast<int32_t>(event) - 16);
    put(bytes, event + kProfile, static_cast<int32_t>(event + kProfile) - 32);
    put(bytes, event + kProfile + kStart, uint64_t{100 + event});
    put(bytes, event + kProfile + kEnd, kLate + event);
  }
  return bytes;
}

RepeatedEvents::Parts first_of(const std::vector<uint8_t>& bytes) {
  const auto part = [&](size_t at, size_t size) {
    return std::span(bytes).subspan(kFirst + at, size);
  };
  return {
      part(0, kProfile), part(kProfile, kProfileBytes), kStart, kEnd, {part(kText, kTextBytes)}};
}

// Whether the second is the first again, and its times, if so many tables may be entered.
bool repeats(const std::vector<uint8_t>& bytes, RepeatedEvents::Times& times, size_t apart = kApart,
             size_t tables = 2) {
  TableWalk walk(bytes, tables);
  RepeatedEvents events(walk);
  events.remember(3, first_of(bytes));
  return events.is_repeated(3, kFirst + apart, times);
}

}  // namespace

TEST_CASE("repeated events: equal bytes, other times", "[etdump]") {
  RepeatedEvents::Times times;
  REQUIRE(repeats(two_events(), times));
  CHECK(times.start == 100 + kFirst + kApart);
  CHECK(times.end == kLate + kFirst + kApart);
}

TEST_CASE("repeated events: every other byte counts", "[etdump]") {
  RepeatedEvents::Times times;
  size_t different = 0;
  for (size_t at = 0; at < kBytes; ++at) {
    CAPTURE(at);
    std::vector<uint8_t> bytes = two_events();
    bytes[kFirst + kApart + at] ^= 1;
    const bool is_time = at >= kProfile + kStart && at < kProfile + kEnd + 8;
    CHECK(repeats(bytes, times) == is_time);
    different += is_time ? 0 : 1;
  }
  CHECK(different == kBytes - 16);
}

TEST_CASE("repeated events: not at another alignment, nor past the end", "[etdump]") {
  RepeatedEvents::Times times;
  CHECK(repeats(two_events(kApart + 8), times, kApart + 8));
  CHECK(!repeats(two_events(kApart + 4), times, kApart + 4));
  std::vector<uint8_t> bytes = two_events();
  bytes.resize(bytes.size() - 2);
  CHECK(!repeats(bytes, times));
  CHECK(!repeats(bytes, times, size_t{1} << 40));
}

TEST_CASE("repeated events: tables count as often as they are entered", "[etdump]") {
  RepeatedEvents::Times times;
  CHECK(!repeats(two_events(), times, kApart, 1));
}

TEST_CASE("repeated events: one that ends before it starts is not compared", "[etdump]") {
  RepeatedEvents::Times times;
  std::vector<uint8_t> bytes = two_events();
  put(bytes, kFirst + kApart + kProfile + kEnd, uint64_t{1});
  CHECK(!repeats(bytes, times));
}

TEST_CASE("repeated events: what is forgotten, or was never seen, is no event of before",
          "[etdump]") {
  const std::vector<uint8_t> bytes = two_events();
  TableWalk walk(bytes, 10);
  RepeatedEvents events(walk);
  RepeatedEvents::Times times;
  CHECK(!events.is_repeated(0, kFirst + kApart, times));
  events.remember(1, first_of(bytes));
  CHECK(!events.is_repeated(0, kFirst + kApart, times));
  CHECK(events.is_repeated(1, kFirst + kApart, times));
  events.forget(1);
  CHECK(!events.is_repeated(1, kFirst + kApart, times));
}

TEST_CASE("repeated events: parts before the event's table, or far too long, are not compared",
          "[etdump]") {
  const std::vector<uint8_t> bytes = two_events();
  TableWalk walk(bytes, 10);
  RepeatedEvents events(walk);
  RepeatedEvents::Times times;
  RepeatedEvents::Parts before = first_of(bytes);
  before.beside[1] = std::span(bytes).first(8);
  events.remember(0, before);
  CHECK(!events.is_repeated(0, kFirst + kApart, times));
  const std::vector<uint8_t> large(1000, 1);
  TableWalk other(large, 10);
  RepeatedEvents far(other);
  RepeatedEvents::Parts parts = first_of(large);
  parts.beside[1] = std::span(large).subspan(kFirst, 300);
  far.remember(0, parts);
  CHECK(!far.is_repeated(0, kFirst, times));
}

}  // namespace etlens::repeated_events_test
