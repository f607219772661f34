// SPDX-License-Identifier: Apache-2.0
#include "core/measure/statistic.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace etlens {
namespace {

constexpr std::array<std::pair<std::string_view, Statistic>, 5> kNames{{
    {"typical", Statistic::Typical},
    {"mean", Statistic::Mean},
    {"median", Statistic::Median},
    {"min", Statistic::Minimum},
    {"max", Statistic::Maximum},
}};

__extension__ using Wide = __int128;

// n * sum / count, rounded down, without overflow.
int64_t scaled(int64_t sum, size_t count, size_t n) {
  return static_cast<int64_t>(static_cast<Wide>(sum) * static_cast<Wide>(n) /
                              static_cast<Wide>(count));
}

int64_t sum_of(std::span<const int64_t> values) {
  return std::accumulate(values.begin(), values.end(), int64_t{0});
}

int64_t typical(std::span<const int64_t> values, int64_t slack) {
  const size_t n = values.size();
  int64_t least = values.front();
  int64_t most = least;
  int64_t all = 0;
  for (const int64_t value : values) {
    least = std::min(least, value);
    most = std::max(most, value);
    all += value;
  }
  const auto limit_above = [&](double centre) {
    return std::max(centre * kTypicalSpread, centre + static_cast<double>(slack));
  };
  // The centre is not below the least value: often that is enough to know that all are kept.
  if (static_cast<double>(most) <= limit_above(static_cast<double>(least))) return all;
  const double limit = limit_above(faster_half(values).mean);
  int64_t sum = 0;
  size_t kept = 0;  // never 0: the least value is not above the mean of the faster half
  for (const int64_t value : values) {
    const bool is_kept = static_cast<double>(value) <= limit;
    sum += is_kept ? value : 0;
    kept += is_kept ? 1 : 0;
  }
  return scaled(sum, kept, n);
}

int64_t median(std::span<const int64_t> values) {
  std::vector<int64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  return scaled(sorted[(n - 1) / 2] + sorted[n / 2], 2, n);
}

}  // namespace

std::string_view name_of(Statistic statistic) {
  return kNames[static_cast<size_t>(statistic)].first;
}

std::optional<Statistic> parse_statistic(std::string_view name) {
  for (const auto& [known, statistic] : kNames) {
    if (known == name) return statistic;
  }
  return std::nullopt;
}

FasterHalf faster_half(std::span<const int64_t> values) {
  FasterHalf half;
  half.count = (values.size() + 1) / 2;
  std::vector<int64_t> faster(values.begin(), values.end());
  const auto last = faster.begin() + static_cast<ptrdiff_t>(half.count - 1);
  std::nth_element(faster.begin(), last, faster.end());
  half.greatest = *last;
  half.mean = static_cast<double>(sum_of(std::span(faster).first(half.count))) /
              static_cast<double>(half.count);
  return half;
}

Amount summarize(std::span<const int64_t> values, Statistic statistic, int64_t slack) {
  if (values.empty()) return {};
  switch (statistic) {
    case Statistic::Typical:
      return Amount(typical(values, slack));
    case Statistic::Mean:
      return Amount(sum_of(values));
    case Statistic::Median:
      return Amount(median(values));
    case Statistic::Minimum:
      return Amount(scaled(*std::min_element(values.begin(), values.end()), 1, values.size()));
    case Statistic::Maximum:
      return Amount(scaled(*std::max_element(values.begin(), values.end()), 1, values.size()));
  }
  return {};
}

}  // namespace etlens
