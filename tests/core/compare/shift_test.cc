// SPDX-License-Identifier: Apache-2.0
// How far a place moved, beyond what the machine did.
#include "core/compare/shift.h"

#include <cmath>
#include <random>

namespace etlens::shift_test {

namespace {

struct World {
  PerDump values;
  PerDump machine;
};

// Dumps of a place that takes `change` more on the new side, on a machine whose level varies by
// `wobble` and that is `slower` there.
World simulate(size_t before, size_t after, double change, double slower, double slope,
               uint32_t seed, double noise = 0.01, double wobble = 0.1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  World world;
  const auto add = [&](PerDump& values, PerDump& machine, bool is_new) {
    const double level = wobble * normal(random) + (is_new ? std::log(slower) : 0);
    const double value =
        10 + slope * level + noise * normal(random) + (is_new ? std::log1p(change) : 0);
    (is_new ? machine.after : machine.before).push_back(level);
    (is_new ? values.after : values.before).push_back(value);
  };
  for (size_t i = 0; i < before; ++i) add(world.values, world.machine, false);
  for (size_t i = 0; i < after; ++i) add(world.values, world.machine, true);
  return world;
}

Shift shift_of(const World& world) { return find_shift({world.values, world.machine}); }

}  // namespace

TEST_CASE("A change is seen through a machine that varies ten times as much") {
  const Shift shift = shift_of(simulate(10, 10, 0.05, 1, 1, 1));
  CHECK(std::expm1(shift.estimate) == Approx(0.05).margin(0.015));
  REQUIRE(shift.range);
  CHECK(shift.range->low > 0.02);
  CHECK(shift.p < 0.001);
  CHECK(shift.slope == Approx(1).margin(0.1));
}

TEST_CASE("A place that follows the machine less than others is not called faster") {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Shift shift = shift_of(simulate(6, 6, 0, 1.4, 0.3, seed));
    REQUIRE(shift.range);
    CHECK(shift.range->low <= 0);
    CHECK(shift.range->high >= 0);
  }
}

TEST_CASE("Beyond a bound that matters lies hardly a shift that there is not") {
  int accused = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Shift shift = shift_of(simulate(10, 10, 0, 1.15, 0.3, seed, 0.03, 0.2));
    REQUIRE(shift.bounds);
    REQUIRE(shift.range);
    CHECK(shift.bounds->low >= shift.range->low);
    CHECK(shift.bounds->high <= shift.range->high);
    const bool matters = shift.bounds->low > 0.02 || shift.bounds->high < -0.02;
    if (matters && shift.p <= 0.05) ++accused;
  }
  CHECK(accused <= 10);
}

TEST_CASE("What a large move of the machine does to one place is not known from small ones") {
  const Shift shift = shift_of(simulate(5, 5, 0, 1.5, 1, 3, 0.01, 0.005));
  CHECK(shift.allowance > 0.3);
  CHECK(shift.range->low < -0.2);
  CHECK(shift_of(simulate(5, 5, 0, 1, 1, 3, 0.01, 0.005)).allowance < 0.02);
}

TEST_CASE("One dump a side: only what no two processes usually differ by") {
  const Shift small = shift_of(simulate(1, 1, 0.2, 1, 1, 5, 0.001, 0.001));
  CHECK_FALSE(small.range);
  CHECK(small.p == 1);
  CHECK(small.few_range.low < 0);
  const Shift large = shift_of(simulate(1, 1, 2, 1, 1, 5, 0.001, 0.001));
  CHECK(large.few_range.low > std::log1p(0.3));
  CHECK(large.few_p < 0.001);
}

TEST_CASE("Executions that vary widen the interval of one dump") {
  const World world = simulate(1, 1, 0.5, 1, 1, 5, 0.001, 0.001);
  const Shift narrow = find_shift({world.values, world.machine, 0});
  const Shift wide = find_shift({world.values, world.machine, 0.1});
  CHECK(wide.few_range.high - wide.few_range.low > narrow.few_range.high - narrow.few_range.low);
}

TEST_CASE("Without a change the exact test rejects as often as it says, at most") {
  int rejected = 0;
  constexpr uint32_t kRounds = 1000;
  for (uint32_t seed = 0; seed < kRounds; ++seed)
    rejected += shift_of(simulate(6, 6, 0, 1, 0.7, seed, 0.05)).p <= 0.05;
  CHECK(rejected < 0.065 * kRounds);
}

TEST_CASE("More dumps would settle it, or nothing would") {
  Shift shift;
  shift.spread = 0.05;
  const auto few = dumps_for(shift, 0.08);
  const auto many = dumps_for(shift, 0.02);
  REQUIRE(few);
  REQUIRE(many);
  CHECK(*many > 10 * *few);
  shift.allowance = 0.1;
  CHECK_FALSE(dumps_for(shift, 0.08));
  shift.allowance = 0;
  CHECK_FALSE(dumps_for(shift, 1e-4));
}

}  // namespace etlens::shift_test
