// SPDX-License-Identifier: Apache-2.0
// What allocators gave out, by block and allocator.
#include "core/measure/allocations.h"

#include "core/formats/etdump/etdump_reader.h"
#include "tests/support/dump_builder.h"

namespace etlens::allocations_test {

using test::DumpBuilder;

TEST_CASE("allocations: by allocator, the most of one run and the largest event", "[memory]") {
  DumpBuilder dump;
  for (const uint64_t scale : {1, 3, 2}) {
    dump.block("Execute")
        .allocator("temp")
        .allocator("kernel")
        .allocation(1, 10 * scale)
        .allocation(1, 5)
        .framework("Method::execute", 1, 2);
  }
  const auto log = read_etdump(dump.build());
  REQUIRE(log);
  const std::vector<AllocatorUse> uses = measure_allocations(*log);
  REQUIRE(uses.size() == 2);
  CHECK(log->text(uses[0].block) == "Execute");
  CHECK(log->text(uses[0].name) == "temp");
  CHECK(uses[0].runs == 3);
  CHECK(uses[0].events == 6);
  CHECK(uses[0].most == 35);
  CHECK(uses[0].largest == 30);
  CHECK(log->text(uses[1].name) == "kernel");
  CHECK(uses[1].runs == 3);
  CHECK(uses[1].events == 0);
}

TEST_CASE("allocations: numbers that no allocator has, sums beyond all memory", "[memory]") {
  const auto log = read_etdump(DumpBuilder()
                                   .block("Execute")
                                   .allocator("temp")
                                   .allocation(7, UINT64_MAX)
                                   .allocation(7, 9)
                                   .allocation(-1, 1)
                                   .build());
  REQUIRE(log);
  const std::vector<AllocatorUse> uses = measure_allocations(*log);
  REQUIRE(uses.size() == 3);
  CHECK(uses[1].allocator == 7);
  CHECK(uses[1].name == kEmptyString);
  CHECK(uses[1].most == UINT64_MAX);
  CHECK(uses[2].allocator == -1);
}

TEST_CASE("allocations: none in the dump of a stock runtime", "[memory]") {
  const auto log =
      read_etdump(DumpBuilder().block("Execute").framework("Method::execute", 1, 2).build());
  REQUIRE(log);
  CHECK(measure_allocations(*log).empty());
}

}  // namespace etlens::allocations_test
