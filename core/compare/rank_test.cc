// SPDX-License-Identifier: Apache-2.0
#include "core/compare/rank_test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/compare/distributions.h"

namespace etlens {
namespace {

// Beyond so many values the rank sum is normal for all purposes, and counting takes long.
constexpr size_t kMaxExact = 40;

// Twice the rank of each value, the first group's first: ties share the mean of their ranks, and
// twice a mean of two ranks is whole.
std::vector<uint32_t> doubled_ranks(std::span<const double> before, std::span<const double> after) {
  std::vector<double> all(before.begin(), before.end());
  all.insert(all.end(), after.begin(), after.end());
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  std::vector<uint32_t> ranks;
  for (const double value : all) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<uint32_t>((first - sorted.begin()) + (last - sorted.begin()) + 1));
  }
  return ranks;
}

// How many ways there are to choose `count` of the ranks so that they sum to s, for every s.
std::vector<double> ways_to_sum(std::span<const uint32_t> ranks, size_t count) {
  uint32_t most = 0;
  for (const uint32_t rank : ranks) most += rank;
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(most + 1, 0));
  ways[0][0] = 1;
  for (const uint32_t rank : ranks) {
    for (size_t chosen = count; chosen > 0; --chosen) {
      for (size_t sum = most; sum >= rank; --sum) ways[chosen][sum] += ways[chosen - 1][sum - rank];
    }
  }
  return ways[count];
}

double normal_p(std::span<const uint32_t> ranks, size_t before, double sum) {
  const auto n = static_cast<double>(ranks.size());
  const auto k = static_cast<double>(before);
  double mean = 0;
  for (const uint32_t rank : ranks) mean += rank / n;
  double variance = 0;
  for (const uint32_t rank : ranks) variance += (rank - mean) * (rank - mean) / (n - 1);
  const double deviation = std::sqrt(variance * k * (n - k) / n);
  if (deviation == 0) return 1;
  return std::erfc(std::abs(sum - k * mean) / deviation / std::sqrt(2.0));
}

std::vector<double> sorted_differences(std::span<const double> before,
                                       std::span<const double> after) {
  std::vector<double> differences;
  differences.reserve(before.size() * after.size());
  for (const double a : before) {
    for (const double b : after) differences.push_back(b - a);
  }
  std::sort(differences.begin(), differences.end());
  return differences;
}

// How many of the differences lie outside the range on either side: the greatest number of which
// the test, without ties, says at most `level` on both sides together.
size_t cut_of(size_t before, size_t after, double level) {
  const size_t n = before + after;
  if (n > kMaxExact) {
    const auto a = static_cast<double>(before);
    const auto b = static_cast<double>(after);
    const double quantile = boost::math::quantile(Normal(), 1 - level / 2);
    const double cut = a * b / 2 - quantile * std::sqrt(a * b * (a + b + 1) / 12);
    return cut < 1 ? 0 : static_cast<size_t>(cut);
  }
  std::vector<uint32_t> ranks(n);
  for (size_t i = 0; i < n; ++i) ranks[i] = static_cast<uint32_t>(i + 1);
  const std::vector<double> ways = ways_to_sum(ranks, before);
  double all = 0;
  for (const double count : ways) all += count;
  const size_t least = before * (before + 1) / 2;
  double below = 0;
  size_t cut = 0;
  while (least + cut < ways.size()) {
    below += ways[least + cut];
    if (2 * below / all > level) break;
    ++cut;
  }
  return cut;
}

}  // namespace

double rank_sum_p(std::span<const double> before, std::span<const double> after) {
  if (before.empty() || after.empty()) return 1;
  const std::vector<uint32_t> ranks = doubled_ranks(before, after);
  uint32_t sum = 0;
  for (size_t i = 0; i < before.size(); ++i) sum += ranks[i];
  if (ranks.size() > kMaxExact) return normal_p(ranks, before.size(), sum);
  const std::vector<double> ways = ways_to_sum(ranks, before.size());
  double below = 0;
  double above = 0;
  double all = 0;
  for (size_t s = 0; s < ways.size(); ++s) {
    all += ways[s];
    if (s <= sum) below += ways[s];
    if (s >= sum) above += ways[s];
  }
  return std::min(1.0, 2 * std::min(below, above) / all);
}

double least_rank_sum_p(size_t before, size_t after) {
  double ways = 1;
  for (size_t i = 1; i <= before; ++i)
    ways *= static_cast<double>(after + i) / static_cast<double>(i);
  return std::min(1.0, 2 / ways);
}

double median_shift(std::span<const double> before, std::span<const double> after) {
  const std::vector<double> differences = sorted_differences(before, after);
  if (differences.empty()) return 0;
  const size_t n = differences.size();
  return (differences[(n - 1) / 2] + differences[n / 2]) / 2;
}

std::optional<ShiftRange> shift_range(std::span<const double> before, std::span<const double> after,
                                      double level) {
  if (before.empty() || after.empty()) return std::nullopt;
  const size_t cut = cut_of(before.size(), after.size(), level);
  if (cut == 0) return std::nullopt;
  const std::vector<double> differences = sorted_differences(before, after);
  return ShiftRange{differences[cut - 1], differences[differences.size() - cut]};
}

}  // namespace etlens
