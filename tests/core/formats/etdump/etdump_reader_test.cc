// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/etdump_reader.h"

#include "core/base/file_system.h"
#include "test_paths.h"
#include "tests/support/dump_builder.h"

namespace etlens::etdump_reader_test {

using test::DumpBuilder;

namespace {

DumpBuilder two_runs() {
  DumpBuilder dump;
  dump.block("Default").framework("Method::init", 10, 20).framework("Program::load_method", 5, 25);
  for (uint64_t r = 0; r < 2; ++r) {
    dump.block("Execute")
        .operator_call("addmm.out", 0, 110 + r * 100, 130 + r * 100, 2)
        .delegate("Clamp (NC) #1", 1, 140 + r * 100, 145 + r * 100)
        .event("DELEGATE_CALL", 1, 138 + r * 100, 150 + r * 100)
        .framework("Method::execute", 100 + r * 100, 160 + r * 100);
  }
  return dump;
}

}  // namespace

TEST_CASE("ETDump: rows against shared sequences", "[etdump]") {
  for (const bool prefixed : {true, false}) {
    const auto log = read_etdump(two_runs().build(prefixed));
    REQUIRE(log);
    CHECK(log->runs.size() == 3);
    REQUIRE(log->sequences.size() == 2);
    CHECK(log->text(log->sequences[0].name) == "Default");
    const EventSequence& execute = log->sequences[1];
    REQUIRE(execute.events.size() == 5);
    CHECK(log->text(execute.events[0].name) == "native_call_addmm.out");
    CHECK(log->text(execute.events[2].delegate_id_str) == "Clamp (NC) #1");
    CHECK(execute.events[2].has_delegate_id());
    CHECK_FALSE(execute.events[4].in_instruction());
    CHECK(log->runs[2].sequence == SequenceId(1));
    CHECK(log->start[log->runs[2].first_row] == 210);
    CHECK(log->event_count() == 2 + 5 + 5);
    CHECK(log->report.rows().empty());
  }
}

TEST_CASE("ETDump: the layout of release 0.1", "[etdump]") {
  const auto log = read_etdump(two_runs().build_v01());
  REQUIRE(log);
  CHECK(log->runs.size() == 3);
  CHECK(log->event_count() == 12);
  CHECK(log->report.find(Oddity::DumpRelease01) != nullptr);
}

TEST_CASE("ETDump: allocators of a block, and what they gave out", "[etdump]") {
  const auto run = [](DumpBuilder& dump, std::string second, uint64_t bytes) {
    dump.block("Execute")
        .allocator("temp")
        .allocator(std::move(second))
        .allocation(2, bytes)
        .framework("Method::execute", 1, 2)
        .allocation(1, 16);
  };
  DumpBuilder dump;
  dump.block("Default").framework("Method::init", 10, 20);
  run(dump, "method", 100);
  run(dump, "method", 200);
  run(dump, "other", 300);
  const auto log = read_etdump(dump.build());
  REQUIRE(log);
  // Blocks with other allocators are others, and runs of one block share theirs.
  REQUIRE(log->sequences.size() == 3);
  CHECK(log->runs[1].sequence == log->runs[2].sequence);
  const EventSequence& execute = log->sequences[1];
  REQUIRE(execute.allocators.size() == 2);
  CHECK(log->text(execute.allocators[1]) == "method");
  CHECK(log->text(log->sequences[2].allocators[1]) == "other");
  CHECK(execute.allocation_events == 2);
  CHECK(execute.events[0].kind == EventKind::Allocation);
  REQUIRE(log->allocations.size() == 6);
  const Allocation& second = log->allocations[log->runs[2].first_allocation];
  CHECK(second.allocator == 2);
  CHECK(second.bytes == 200);
  CHECK(log->report.find(Oddity::DumpAllocations)->count == 6);
}

TEST_CASE("ETDump: integer delegate ids and metadata", "[etdump]") {
  const auto log = read_etdump(DumpBuilder()
                                   .block("Execute")
                                   .operator_call("add.out", 0, 1, 2)
                                   .delegate(0, 3, 4, 5, "{\"x\": 1}")
                                   .delegate(7, 3, 5, 6)
                                   .build());
  REQUIRE(log);
  const auto& events = log->sequences[0].events;
  CHECK(events[2].delegate_id_int == 0);
  CHECK(events[2].has_delegate_id());
  REQUIRE(log->metadata.size() == 4);
  CHECK(log->text(log->metadata[2]) == "{\"x\": 1}");
  CHECK(log->text(log->metadata[0]) == "");
  CHECK(log->text(log->metadata[3]) == "");
}

TEST_CASE("ETDump: logged values", "[etdump]") {
  const auto log = read_etdump(DumpBuilder()
                                   .block("Execute")
                                   .tensor({0, {4, 5}, 6, 128, false})
                                   .operator_call("add.out", 0, 1, 2)
                                   .tensor({0, {2}, 4, 0, true})
                                   .build());
  REQUIRE(log);
  REQUIRE(log->debug_values.size() == 2);
  CHECK(log->debug_values[0].tensors.at(0).sizes == std::vector<int64_t>{4, 5});
  CHECK(log->debug_values[0].tensors.at(0).offset == 128);
  CHECK(log->debug_values[1].is_output);
  CHECK(log->sequences[0].events[3].chain == -1);  // 2^64-1 in the file
  CHECK(log->report.find(Oddity::DumpValuesLogged)->count == 1);
}

TEST_CASE("ETDump: clocks", "[etdump]") {
  SECTION("a 32-bit counter that wraps") {
    const auto log = read_etdump(DumpBuilder().block("E").event("k", 0, 0xFFFFFFF0u, 0x10).build());
    REQUIRE(log);
    CHECK(log->report.find(Oddity::DumpClockWrapped) != nullptr);
    CHECK(elapsed_ticks(log->start[0], log->end[0]) == Ticks(0x20));
  }
  SECTION("an event that ends before it starts") {
    const auto log = read_etdump(DumpBuilder().block("E").event("k", 0, 1ull << 40, 5).build());
    REQUIRE(log);
    CHECK(log->report.find(Oddity::DumpEndBeforeStart) != nullptr);
    CHECK(elapsed_ticks(log->start[0], log->end[0]) == Ticks());
  }
  SECTION("a platform without a clock") {
    const auto log = read_etdump(DumpBuilder()
                                     .block("E")
                                     .event("k", 0, 11223344, 11223344)
                                     .framework("Method::execute", 11223344, 11223344)
                                     .build());
    REQUIRE(log);
    CHECK(log->report.find(Oddity::DumpClockStands) != nullptr);
  }
  SECTION("a counter that nobody started") {
    const auto log = read_etdump(
        DumpBuilder().block("E").event("k", 0, 0, 0).framework("Method::execute", 0, 0).build());
    REQUIRE(log);
    CHECK(log->report.find(Oddity::DumpClockStands) != nullptr);
  }
  SECTION("a dump of values alone has no clock that could stand") {
    const auto log = read_etdump(DumpBuilder().block("E").tensor({0, {2, 3}}).build());
    REQUIRE(log);
    CHECK(log->report.find(Oddity::DumpClockStands) == nullptr);
  }
}

TEST_CASE("ETDump: bytes behind the end are ignored and reported", "[etdump]") {
  const Bytes whole = two_runs().build();
  const auto log = read_etdump(Bytes::copy_of(std::string(whole.text()) + std::string(512, '\0')));
  REQUIRE(log);
  CHECK(log->event_count() == 12);
  CHECK(log->report.find(Oddity::DumpTrailingBytes) != nullptr);
}

TEST_CASE("ETDump: cut off at any byte is one clear error", "[etdump]") {
  const Bytes whole = two_runs().build();
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto log = read_etdump(Bytes::copy_of(whole.text().substr(0, size)));
    REQUIRE_FALSE(log);
    CAPTURE(size, log.error().message);
    REQUIRE(log.error().message.find(size < 12 ? "is not an ETDump" : "is cut off") == 0);
  }
}

TEST_CASE("ETDump: any byte changed gives a result or an error, never a crash", "[etdump]") {
  const Bytes whole = two_runs().build();
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string changed(whole.text());
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const auto log = read_etdump(Bytes::copy_of(changed));
      if (!log) {
        ++refused;
        REQUIRE_FALSE(log.error().message.empty());
      }
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("ETDump: a real dump, cut off and changed", "[etdump]") {
  const auto whole =
      real_file_system().read(ETLENS_TEST_DATA "/release-1.5/groesse-xnnpack-fp32/run10.etdp");
  REQUIRE(whole);
  REQUIRE(read_etdump(*whole));
  for (size_t size = 0; size < whole->size(); size += 97) {
    REQUIRE_FALSE(read_etdump(Bytes::copy_of(whole->text().substr(0, size))));
  }
  for (size_t at = 0; at < whole->size(); at += 13) {
    std::string changed(whole->text());
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    (void)read_etdump(Bytes::copy_of(changed));
  }
}

TEST_CASE("ETDump: times that cannot be added are one clear error", "[etdump]") {
  const auto read = [](uint64_t ticks) {
    DumpBuilder dump;
    dump.block("Execute");
    for (int i = 0; i < 4; ++i) dump.framework("Method::execute", 7, 7 + ticks);
    return std::pair{read_etdump(dump.build()), read_etdump(dump.build_v01())};
  };
  const auto [most, old_most] = read(kMaxTicks / 4);
  CHECK(most);
  CHECK(old_most);
  for (const uint64_t ticks : {kMaxTicks / 4 + 1, kMaxTicks, UINT64_MAX - 7}) {
    const auto [log, old] = read(ticks);
    for (const auto* refused : {&log, &old}) {
      REQUIRE_FALSE(*refused);
      CHECK(refused->error().code == ErrorCode::Corrupt);
      CHECK_THAT(refused->error().message, Catch::Contains("last longer than a clock can count"));
    }
  }
}

TEST_CASE("ETDump: not a dump", "[etdump]") {
  for (const std::string text : {"", "PK\3\4 a zip", "hello, this is text"}) {
    const auto log = read_etdump(Bytes::copy_of(text));
    REQUIRE_FALSE(log);
    CHECK(log.error().code == ErrorCode::Unsupported);
  }
}

TEST_CASE("ETDump: reading can be cancelled", "[etdump]") {
  CancelToken cancel;
  cancel.cancel();
  const auto log = read_etdump(two_runs().build(), cancel);
  REQUIRE_FALSE(log);
  CHECK(log.error().code == ErrorCode::Cancelled);
}

TEST_CASE("ETDump: blocks without events", "[etdump]") {
  DumpBuilder dump;
  dump.block("Default").block("Execute");
  const auto log = read_etdump(dump.build());
  REQUIRE(log);
  CHECK(log->runs.size() == 2);
  CHECK(log->event_count() == 0);
}

}  // namespace etlens::etdump_reader_test
