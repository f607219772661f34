// SPDX-License-Identifier: Apache-2.0
// Events are those of the run before if every byte of them says so, but for their times.
#include "core/formats/etdump/repeated_events.h"

#include <catch2/catch.hpp>
#include <cstring>

namespace etlens::repeated_events_test {

namespace {

constexpr size_t kRows = RepeatedEvents::kRows;

// Where an event has what, from its table on.
constexpr size_t kProfile = 8;
constexpr size_t kStart = 12, kEnd = 20;  // in the profile
constexpr size_t kProfileBytes = 32;
constexpr size_t kText = kProfile + kProfileBytes;
constexpr size_t kTextBytes = 11;
constexpr size_t kBytes = kText + kTextBytes;
constexpr size_t kApart = 56;  // events of a run
constexpr uint64_t kLate = uint64_t{1} << 61;

template <typename Number>
void put(std::vector<uint8_t>& bytes, size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
}

// Two equal runs, whose vtables are the same: begins of tables say how far away that is. As the
// runtime writes them, the first event stands last.
struct Runs {
  explicit Runs(size_t count, size_t gap = 8) : events(count), apart(count * kApart + gap) {
    const size_t first = vector(1).at + (events + 1) * 4;
    begin = (first + 7) / 8 * 8;
    bytes.resize(begin + apart + events * kApart);
    for (size_t run = 0; run < 2; ++run) {
      for (size_t row = 0; row < events; ++row) add(run, row);
    }
  }

  void add(size_t run, size_t row) {
    const size_t event = at(run, row);
    for (size_t i = 0; i < kBytes; ++i) bytes[event + i] = static_cast<uint8_t>(i * 7 + row);
    put(bytes, event, static_cast<int32_t>(event) - 16);
    put(bytes, event + kProfile, static_cast<int32_t>(event + kProfile) - 32);
    put(bytes, event + kProfile + kStart, uint64_t{100 + event});
    put(bytes, event + kProfile + kEnd, kLate + event);
    const size_t element = vector(run).at + 4 * row;
    put(bytes, element, static_cast<uint32_t>(event - element));
  }

  FlatVector vector(size_t run) const { return {4 + run * (events + 1) * 4, events}; }
  size_t at(size_t run, size_t row) const {
    return begin + run * apart + (events - 1 - row) * kApart;
  }

  RepeatedEvents::Parts parts(size_t row) const {
    const auto part = [&](size_t from, size_t size) {
      return std::span(bytes).subspan(at(0, row) + from, size);
    };
    return {
        part(0, kProfile), part(kProfile, kProfileBytes), kStart, kEnd, {part(kText, kTextBytes)}};
  }

  void remember(RepeatedEvents& seen) const {
    for (size_t row = 0; row < events; ++row) seen.remember(row, parts(row));
    seen.end_run();
  }

  // How many of the second run's first block are those of the first run.
  size_t repeated(size_t most = SIZE_MAX, size_t tables = SIZE_MAX) const {
    TableWalk walk(bytes, tables);
    RepeatedEvents seen(walk);
    remember(seen);
    return seen.repeated(vector(1), 0, most).start.size();
  }

  size_t events;
  size_t apart;  // bytes from an event of the first run to that of the second
  size_t begin = 0;
  std::vector<uint8_t> bytes;
};

}  // namespace

TEST_CASE("repeated events: equal bytes, other times", "[etdump]") {
  const Runs runs(150);
  TableWalk walk(runs.bytes, SIZE_MAX);
  RepeatedEvents seen(walk);
  runs.remember(seen);
  for (size_t row = 0; row < 150; row += kRows) {
    const size_t rows = std::min(kRows, 150 - row);
    const RepeatedEvents::Times times = seen.repeated(runs.vector(1), row, 150 - row);
    REQUIRE(times.start.size() == rows);
    REQUIRE(times.end.size() == rows);
    for (size_t i = 0; i < rows; ++i) {
      CHECK(times.start[i] == 100 + runs.at(1, row + i));
      CHECK(times.end[i] == kLate + runs.at(1, row + i));
    }
  }
}

TEST_CASE("repeated events: every other byte counts", "[etdump]") {
  size_t different = 0;
  for (size_t row = 0; row < 3; ++row) {
    for (size_t at = 0; at < kBytes; ++at) {
      CAPTURE(row, at);
      Runs runs(3);
      runs.bytes[runs.at(1, row) + at] ^= 1;
      const bool is_time = at >= kProfile + kStart && at < kProfile + kEnd + 8;
      CHECK(runs.repeated() == (is_time ? 3 : 0));
      different += is_time ? 0 : 1;
    }
  }
  CHECK(different == 3 * (kBytes - 16));
}

TEST_CASE("repeated events: what stands between events does not count", "[etdump]") {
  Runs runs(3);
  runs.bytes[runs.at(1, 1) + kBytes] ^= 1;
  CHECK(runs.repeated() == 3);
}

TEST_CASE("repeated events: not in another order", "[etdump]") {
  Runs runs(3);
  const size_t first = runs.vector(1).at;
  put(runs.bytes, first + 4, static_cast<uint32_t>(runs.at(1, 2) - first - 4));
  CHECK(runs.repeated() == 0);
}

TEST_CASE("repeated events: not at another alignment, nor past the end", "[etdump]") {
  CHECK(Runs(3, 16).repeated() == 3);
  CHECK(Runs(3, 12).repeated() == 0);
  Runs cut(3);
  cut.bytes.resize(cut.at(1, 0) + kBytes);
  CHECK(cut.repeated() == 3);
  cut.bytes.pop_back();
  CHECK(cut.repeated() == 0);
  Runs far(3);
  put(far.bytes, far.vector(1).at, UINT32_MAX);
  CHECK(far.repeated() == 0);
}

TEST_CASE("repeated events: tables count as often as they are entered", "[etdump]") {
  CHECK(Runs(3).repeated(3, 6) == 3);
  CHECK(Runs(3).repeated(3, 5) == 0);
}

TEST_CASE("repeated events: one that ends before it starts is not compared", "[etdump]") {
  Runs runs(3);
  put(runs.bytes, runs.at(1, 1) + kProfile + kEnd, uint64_t{1});
  CHECK(runs.repeated() == 0);
}

TEST_CASE("repeated events: a block repeats as a whole, and what differed once is forgotten",
          "[etdump]") {
  const Runs runs(kRows + 3);
  TableWalk walk(runs.bytes, SIZE_MAX);
  RepeatedEvents seen(walk);
  const auto repeated = [&](size_t row, size_t most) {
    return seen.repeated(runs.vector(1), row, most).start.size();
  };
  CHECK(repeated(0, kRows) == 0);
  runs.remember(seen);
  CHECK(repeated(1, kRows) == 0);
  CHECK(repeated(0, kRows) == kRows);
  CHECK(repeated(kRows, 2) == 0);
  CHECK(repeated(kRows, 3) == 0);
  CHECK(repeated(2 * kRows, 3) == 0);
  runs.remember(seen);
  CHECK(repeated(kRows, 3) == 3);
}

TEST_CASE("repeated events: up to the first that is left out", "[etdump]") {
  const Runs runs(kRows + 3);
  TableWalk walk(runs.bytes, SIZE_MAX);
  RepeatedEvents seen(walk);
  for (size_t row = 0; row < runs.events; ++row) {
    if (row != 5 && row != kRows) seen.remember(row, runs.parts(row));
  }
  seen.end_run();
  CHECK(seen.repeated(runs.vector(1), 0, kRows).start.size() == 5);
  CHECK(seen.repeated(runs.vector(1), kRows, 3).start.empty());
}

TEST_CASE("repeated events: too much for a block, or one event inside another, is not compared",
          "[etdump]") {
  Runs runs(3);
  runs.bytes.resize(100'000);
  const auto repeats = [&](const RepeatedEvents::Parts& second) {
    TableWalk walk(runs.bytes, SIZE_MAX);
    RepeatedEvents seen(walk);
    seen.remember(0, runs.parts(0));
    seen.remember(1, second);
    seen.end_run();
    return seen.repeated(runs.vector(1), 0, 3).start.size() == 2;
  };
  RepeatedEvents::Parts second = runs.parts(1);
  CHECK(repeats(second));
  second.beside[1] = std::span(runs.bytes).subspan(50'000, 8);
  CHECK(!repeats(second));
  second.beside[1] = runs.parts(0).profile.subspan(kEnd, 4);
  CHECK(!repeats(second));
  second = runs.parts(1);
  second.start = second.end - 4;
  CHECK(!repeats(second));
  second.start = 0;
  CHECK(!repeats(second));
}

}  // namespace etlens::repeated_events_test
