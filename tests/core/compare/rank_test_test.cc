// SPDX-License-Identifier: Apache-2.0
// The rank sum test against published values, and against the interval that inverts it.
#include "core/compare/rank_test.h"

#include <random>
#include <vector>

namespace etlens::rank_test_test {

namespace {

std::vector<double> normal(std::mt19937& random, size_t count, double mean) {
  std::normal_distribution<double> distribution(mean, 1);
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(distribution(random));
  return values;
}

}  // namespace

TEST_CASE("Groups that do not overlap have the least p of their sizes") {
  const std::vector<double> low{1, 2, 3, 4};
  const std::vector<double> high{5, 6, 7, 8};
  CHECK(rank_sum_p(low, high) == Approx(2.0 / 70));
  CHECK(rank_sum_p(high, low) == Approx(2.0 / 70));
  CHECK(least_rank_sum_p(4, 4) == Approx(2.0 / 70));
  CHECK(least_rank_sum_p(6, 6) == Approx(2.0 / 924));
  CHECK(least_rank_sum_p(1, 1) == 1);
}

TEST_CASE("The rank sum test gives the exact p of a textbook example") {
  // Hollander and Wolfe, table 4.1: p = 0.2544 two-sided.
  const std::vector<double> a{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const std::vector<double> b{1.15, 0.88, 0.90, 0.74, 1.21};
  CHECK(rank_sum_p(a, b) == Approx(0.2544).margin(5e-5));
  CHECK(median_shift(a, b) == Approx(-0.305));
}

TEST_CASE("Ties share their ranks") {
  const std::vector<double> same{1, 1, 1};
  CHECK(rank_sum_p(same, same) == 1);
  // Of the ten ways to choose two of {1,1,2,2,2} three are the two ones or further: exactly one.
  CHECK(rank_sum_p(std::vector<double>{1, 1}, std::vector<double>{2, 2, 2}) == Approx(0.2));
}

TEST_CASE("Empty and tiny groups say nothing") {
  CHECK(rank_sum_p({}, std::vector<double>{1}) == 1);
  CHECK_FALSE(shift_range(std::vector<double>{1}, std::vector<double>{2}, 0.05));
  CHECK_FALSE(shift_range(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}, 0.05));
  CHECK(median_shift({}, {}) == 0);
}

TEST_CASE("The interval holds the shifts that the test does not reject") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto a = normal(random, 4 + round % 5, 0);
    auto b = normal(random, 4 + round % 7, 1);
    const auto range = shift_range(a, b, 0.05);
    REQUIRE(range);
    const bool excludes_zero = range->low > 0 || range->high < 0;
    CHECK(excludes_zero == (rank_sum_p(a, b) <= 0.05));
  }
}

TEST_CASE("Without a change so many are rejected as the level says, at most", "[simulation]") {
  std::mt19937 random(11);
  int rejected = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round)
    rejected += rank_sum_p(normal(random, 6, 0), normal(random, 6, 0)) <= 0.05;
  CHECK(rejected < 0.06 * kRounds);
}

TEST_CASE("Large groups are close to what counting would give") {
  std::mt19937 random(3);
  const auto a = normal(random, 20, 0);
  const auto b = normal(random, 20, 0.5);
  auto more = a;
  more.push_back(-1000);  // 41 values: the normal distribution
  CHECK(rank_sum_p(more, b) == Approx(rank_sum_p(a, b)).margin(0.05));
  const auto range = shift_range(more, b, 0.05);
  REQUIRE(range);
  CHECK(range->low < median_shift(more, b));
  CHECK(range->high > median_shift(more, b));
}

}  // namespace etlens::rank_test_test
