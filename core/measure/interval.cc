// SPDX-License-Identifier: Apache-2.0
#include "core/measure/interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kDraws = 200;
constexpr double kTail = 0.025;  // on either side
constexpr auto kSpread = static_cast<float>(kTypicalSpread);

// The same numbers in every process.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull | 1) {}

  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ >> 11;
  }

 private:
  uint64_t state_;
};

// counts[sample * kDraws + draw].
std::vector<float> make_counts(size_t samples) {
  std::vector<float> counts(samples * kDraws, 0);
  Random random(samples);
  for (size_t draw = 0; draw < kDraws; ++draw) {
    for (size_t i = 0; i < samples; ++i) counts[random.next() % samples * kDraws + draw] += 1;
  }
  return counts;
}

// Adds what a coarse clock leaves open of one contribution: up to `unsure`, on either side.
void add_unsure(ContributionId id, double unsure, std::vector<double>& sums) {
  constexpr uint64_t kSteps = 1 << 16;
  Random random(id.value + 1);
  for (double& sum : sums) {
    const auto step = static_cast<double>(random.next() % (2 * kSteps + 1));
    sum += unsure * (step / static_cast<double>(kSteps) - 1);
  }
}

bool can_draw(const Measure& measure) {
  return measure.quantity.over_samples == OverSamples::Mean &&
         measure.sample_count() >= kMinForInterval && measure.statistic != Statistic::Minimum &&
         measure.statistic != Statistic::Maximum;
}

// One value per draw.
using Draws = std::array<float, kDraws>;

// The samples of one contribution, by ascending value.
struct Ranked {
  std::vector<float> values;
  std::vector<uint32_t> order;     // of the counts' rows
  bool is_in_every_sample = true;  // then each draw has as many values as there are samples
};

const float* counts_of(const Ranked& ranked, size_t i, const std::vector<float>& counts) {
  return counts.data() + ranked.order[i] * kDraws;
}

// How many of the contribution's samples each draw has: fewer where it is absent from some.
Draws present_in(const Ranked& ranked, const std::vector<float>& counts) {
  Draws present{};
  if (ranked.is_in_every_sample) {
    present.fill(static_cast<float>(ranked.order.size()));
    return present;
  }
  for (size_t i = 0; i < ranked.order.size(); ++i) {
    const float* count = counts_of(ranked, i, counts);
    for (size_t d = 0; d < kDraws; ++d) present[d] += count[d];
  }
  return present;
}

// The mean of the lower half of each draw, which has `half` values. Most draws are full long before
// the greatest value: from there on nothing is added.
Draws lower_half_means(const Ranked& ranked, const std::vector<float>& counts, const Draws& half) {
  constexpr size_t kRowsPerLook = 8;
  Draws taken{};
  Draws centre{};
  for (size_t i = 0; i < ranked.order.size(); ++i) {
    if (i % kRowsPerLook == 0 && taken == half) break;
    const float* count = counts_of(ranked, i, counts);
    for (size_t d = 0; d < kDraws; ++d) {
      const float take = std::min(count[d], half[d] - taken[d]);
      taken[d] += take;
      centre[d] += take * ranked.values[i];
    }
  }
  for (size_t d = 0; d < kDraws; ++d) centre[d] /= half[d];
  return centre;
}

// The mean of the values of each draw that are not above its limit; `otherwise` where none is.
// `present`: how many values each draw has.
Draws means_up_to(const Ranked& ranked, const std::vector<float>& counts, const Draws& limit,
                  const Draws& present, const Draws& otherwise) {
  const auto [least, greatest] = std::minmax_element(limit.begin(), limit.end());
  Draws kept{};
  Draws sum{};
  size_t i = 0;
  // Below every limit all are kept, above every limit none.
  for (; i < ranked.order.size() && ranked.values[i] <= *least; ++i) {
    const float* count = counts_of(ranked, i, counts);
    for (size_t d = 0; d < kDraws; ++d) sum[d] += count[d] * ranked.values[i];
  }
  if (i == ranked.order.size()) {
    kept = present;
  } else {
    for (size_t below = 0; below < i; ++below) {
      const float* count = counts_of(ranked, below, counts);
      for (size_t d = 0; d < kDraws; ++d) kept[d] += count[d];
    }
  }
  for (; i < ranked.order.size() && ranked.values[i] <= *greatest; ++i) {
    const float* count = counts_of(ranked, i, counts);
    for (size_t d = 0; d < kDraws; ++d) {
      const float keep = ranked.values[i] <= limit[d] ? count[d] : 0.0f;
      kept[d] += keep;
      sum[d] += keep * ranked.values[i];
    }
  }
  for (size_t d = 0; d < kDraws; ++d) sum[d] = kept[d] > 0 ? sum[d] / kept[d] : otherwise[d];
  return sum;
}

// The loops over draws are the inner ones, so that they run several draws at a time.
Draws typical_draws(const Ranked& ranked, const std::vector<float>& counts, float slack) {
  const Draws present = present_in(ranked, counts);
  Draws half = present;
  for (float& count : half) count = std::max(1.0f, std::ceil(count / 2));
  const Draws centre = lower_half_means(ranked, counts, half);
  Draws limit{};
  for (size_t d = 0; d < kDraws; ++d) limit[d] = std::max(centre[d] * kSpread, centre[d] + slack);
  return means_up_to(ranked, counts, limit, present, centre);
}

Draws mean_draws(const Ranked& ranked, const std::vector<float>& counts) {
  const Draws present = present_in(ranked, counts);
  Draws sum{};
  for (size_t i = 0; i < ranked.order.size(); ++i) {
    const float* count = counts_of(ranked, i, counts);
    for (size_t d = 0; d < kDraws; ++d) sum[d] += count[d] * ranked.values[i];
  }
  for (size_t d = 0; d < kDraws; ++d) sum[d] = present[d] > 0 ? sum[d] / present[d] : 0;
  return sum;
}

Draws median_draws(const Ranked& ranked, const std::vector<float>& counts) {
  const Draws present = present_in(ranked, counts);
  Draws medians{};
  for (size_t d = 0; d < kDraws; ++d) {
    float seen = 0;
    for (size_t i = 0; i < ranked.order.size(); ++i) {
      const float count = counts[ranked.order[i] * kDraws + d];
      // Half of it where the middle lies between two values.
      if (seen < present[d] / 2 && seen + count >= present[d] / 2)
        medians[d] += ranked.values[i] / 2;
      if (seen <= present[d] / 2 && seen + count > present[d] / 2)
        medians[d] += ranked.values[i] / 2;
      seen += count;
    }
  }
  return medians;
}

Ranked ranked_samples(const Measure& measure, ContributionId id) {
  std::vector<std::pair<float, uint32_t>> present;
  for (uint32_t i = 0; i < measure.sample_count(); ++i) {
    const int64_t value = measure.series.at(id.value, measure.samples.used[i]);
    if (value != Series::kAbsent) present.emplace_back(static_cast<float>(value), i);
  }
  std::sort(present.begin(), present.end());
  Ranked ranked;
  for (const auto& [value, sample] : present) {
    ranked.values.push_back(value);
    ranked.order.push_back(sample);
  }
  ranked.is_in_every_sample = present.size() == measure.sample_count();
  return ranked;
}

}  // namespace

Bootstrap::Bootstrap(const Measure& measure) : measure_(&measure) {
  if (can_draw(measure)) counts_ = make_counts(measure.sample_count());
}

std::vector<double> Bootstrap::draw(std::span<const ContributionId> contributions) const {
  if (counts_.empty()) return {};
  const Measure& measure = *measure_;
  std::vector<double> sums(kDraws, 0);
  for (const ContributionId id : contributions) {
    const Ranked ranked = ranked_samples(measure, id);
    go_on(1 + ranked.order.size() * kDraws / 64);
    if (ranked.order.empty()) continue;
    const Draws draws =
        measure.statistic == Statistic::Typical
            ? typical_draws(ranked, counts_, static_cast<float>(measure.slack[id.value]))
        : measure.statistic == Statistic::Mean ? mean_draws(ranked, counts_)
                                               : median_draws(ranked, counts_);
    const double share =
        static_cast<double>(ranked.order.size()) / static_cast<double>(measure.sample_count());
    for (size_t d = 0; d < kDraws; ++d) sums[d] += share * static_cast<double>(draws[d]);
    if (!measure.unsure.empty() && measure.unsure[id.value] > 0)
      add_unsure(id, measure.unsure[id.value], sums);
  }
  return sums;
}

std::optional<Interval> interval_of(std::vector<double> draws) {
  if (draws.empty()) return std::nullopt;
  std::sort(draws.begin(), draws.end());
  const auto at = [&](double share) {
    return draws[static_cast<size_t>(share * static_cast<double>(draws.size() - 1) + 0.5)];
  };
  return Interval{std::max(0.0, at(kTail)), at(1 - kTail)};
}

bool are_tied(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || a.size() != b.size()) return false;
  size_t larger = 0;
  for (size_t d = 0; d < a.size(); ++d) larger += a[d] > b[d] ? 1 : 0;
  const double share = static_cast<double>(larger) / static_cast<double>(a.size());
  return share > kTail && share < 1 - kTail;
}

}  // namespace etlens
