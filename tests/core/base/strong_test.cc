// SPDX-License-Identifier: Apache-2.0
// What must not compile: numbers of one kind taken for another, and averages of exact amounts.
#include "core/base/strong.h"

#include <cstdint>
#include <type_traits>
#include <unordered_set>

#include <catch2/catch.hpp>

#include "core/base/ticks.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/runtime_ids.h"
#include "core/measure/amount.h"

namespace etlens::strong_test {

namespace etlens {
namespace {

template <typename A, typename B>
concept Adds = requires(A a, B b) {
  a + b;
};
template <typename A, typename B>
concept Divides = requires(A a, B b) {
  a / b;
};
template <typename A, typename B>
concept Multiplies = requires(A a, B b) {
  a* b;
};
template <typename A, typename B>
concept Compares = requires(A a, B b) {
  a == b;
};

static_assert(std::is_convertible_v<uint32_t, DebugHandle>);
static_assert(!std::is_convertible_v<DebugHandle, uint32_t>);
static_assert(!std::is_convertible_v<DebugHandle, Instruction>);
static_assert(!std::is_convertible_v<Instruction, DebugHandle>);
static_assert(!std::is_convertible_v<SequenceId, RunId>);
static_assert(!std::is_convertible_v<uint32_t, SequenceId>);
static_assert(Compares<Instruction, Instruction> && !Compares<Instruction, DebugHandle>);
static_assert(!Adds<DebugHandle, DebugHandle> && !Adds<DebugHandle, int>);
static_assert(!Adds<Instruction, Instruction> && !Adds<Instruction, int>);

static_assert(Adds<Amount, Amount> && !Adds<Amount, int>);
static_assert(!Divides<Amount, int> && !Divides<Amount, double> && !Divides<Amount, Amount>);
static_assert(std::is_constructible_v<Amount, Ticks> && !std::is_convertible_v<Ticks, Amount>);
static_assert(Adds<Ticks, Ticks> && !Adds<Ticks, Amount> && !Adds<Ticks, int>);
static_assert(!Divides<Ticks, int> && !Multiplies<Ticks, int>);
static_assert(!Multiplies<Amount, int> && !Multiplies<Amount, Amount>);

TEST_CASE("strong numbers: order, sentinel and hash", "[strong]") {
  CHECK(Instruction(2) < 3);
  CHECK(kNoInstruction < 0);
  CHECK(DebugHandle() == 0);
  CHECK(kNoHandle > 7);
  const std::unordered_set<DebugHandle> handles = {1, 2, 1};
  CHECK(handles.size() == 2);
}

}  // namespace
}  // namespace etlens

}  // namespace etlens::strong_test
