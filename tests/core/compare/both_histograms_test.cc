// SPDX-License-Identifier: Apache-2.0
// The executions of both sides on one axis.
#include "core/compare/both_histograms.h"

#include <catch2/catch.hpp>

#include <numeric>

#include "tests/core/compare/sides.h"

namespace etlens::both_histograms_test {

using namespace etlens::test;

namespace {

uint32_t sum_of(const BothHistograms::Side& side) {
  return std::accumulate(side.counts.begin(), side.counts.end(), 0u);
}

}  // namespace

TEST_CASE("samples are taken evenly from the dumps of a side, and no more than there is room for") {
  const auto side = side_of_data("base");
  CHECK(side->samples.size() == kMaxSamples / 6 * 6);
  const auto later = *side;
  // Six dumps of one program have the same operations.
  for (const std::vector<float>& sample : later.samples)
    CHECK(sample.size() == side->operations.size());
}

TEST_CASE("both histograms: every sample on one axis, the wider module to the right") {
  const Comparison comparison = compared(side_of_data("base"), side_of_data("wider"));
  const LineChange& line = comparison.lines.front();
  REQUIRE(line.change.judged.verdict == Verdict::Slower);
  const auto both = histograms_of(comparison, line, false);
  REQUIRE(both);
  CHECK(sum_of(both->before) == comparison.before->samples.size());
  CHECK(sum_of(both->after) == comparison.after->samples.size());
  CHECK(both->min == std::min(both->before.least, both->after.least));
  CHECK(both->max == std::max(both->before.most, both->after.most));
  CHECK(both->before.least < both->after.least);
  // The axis is that of the amounts beside it.
  CHECK(line.change.before.value >= both->before.least);
  CHECK(line.change.before.value <= both->before.most);
}

TEST_CASE("both histograms: nothing without samples, and nothing of what is new") {
  Side silent = *side_of_data("base");
  silent.samples.clear();
  const Comparison comparison =
      compared(std::make_shared<const Side>(silent), side_of_data("wider"));
  CHECK_FALSE(histograms_of(comparison, comparison.lines.front(), true));
  LineChange is_new = comparison.lines.front();
  is_new.before.clear();
  CHECK_FALSE(histograms_of(comparison, is_new, true));
}

}  // namespace etlens::both_histograms_test
