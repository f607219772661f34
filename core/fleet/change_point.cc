// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/change_point.h"

#include <algorithm>
#include <cmath>

namespace etlens {
namespace {

// Ranks of a stratum's values, summed for each build: a split of the builds then costs nothing.
struct RankSums {
  std::vector<double> sums;
  std::vector<double> counts;
  double count = 0;
  double ties = 0;  // sum of t^3 - t
};

RankSums rank_sums(const Stratum& stratum, size_t first, size_t end) {
  struct Row {
    double value;
    size_t build;
  };
  std::vector<Row> rows;
  for (size_t b = first; b < end; ++b) {
    for (const double value : stratum.builds[b]) rows.push_back({value, b});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value < b.value; });
  RankSums ranks;
  ranks.sums.resize(stratum.builds.size());
  ranks.counts.resize(stratum.builds.size());
  ranks.count = static_cast<double>(rows.size());
  for (size_t i = 0; i < rows.size();) {
    size_t next = i;
    while (next < rows.size() && rows[next].value == rows[i].value) ++next;
    const auto tied = static_cast<double>(next - i);
    const double rank = static_cast<double>(i) + (tied + 1) / 2;
    for (; i < next; ++i) {
      ranks.sums[rows[i].build] += rank;
      ++ranks.counts[rows[i].build];
    }
    ranks.ties += tied * tied * tied - tied;
  }
  return ranks;
}

// How far the builds from `split` on are from those before it, in standard deviations; 0 where too
// few dumps are on a side.
double split_score(const std::vector<RankSums>& strata, size_t first, size_t split, size_t end) {
  double score = 0;
  double variance = 0;
  double all_before = 0;
  double all_after = 0;
  for (const RankSums& ranks : strata) {
    double before = 0;
    double after = 0;
    double sum = 0;
    for (size_t b = first; b < end; ++b) {
      (b < split ? before : after) += ranks.counts[b];
      if (b >= split) sum += ranks.sums[b];
    }
    if (before == 0 || after == 0) continue;
    all_before += before;
    all_after += after;
    const double n = ranks.count;
    const double weight = 1 / (n + 1);
    score += weight * (sum - after * (n + 1) / 2);
    variance +=
        weight * weight * before * after / 12 * ((n + 1) - ranks.ties / (n * std::max(n - 1, 1.0)));
  }
  if (std::min(all_before, all_after) < static_cast<double>(kTrendDumps) || variance <= 0) return 0;
  return score / std::sqrt(variance);
}

std::vector<double> values_in(const Stratum& stratum, size_t first, size_t end) {
  std::vector<double> values;
  for (size_t b = first; b < end; ++b)
    values.insert(values.end(), stratum.builds[b].begin(), stratum.builds[b].end());
  return values;
}

double middle(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Split best_split(const std::vector<Stratum>& strata, size_t first, size_t end) {
  std::vector<RankSums> ranks;
  for (const Stratum& stratum : strata) ranks.push_back(rank_sums(stratum, first, end));
  Split best;
  double most = 0;
  for (size_t split = first + 1; split < end; ++split) {
    const double score = std::abs(split_score(ranks, first, split, end));
    if (score <= most) continue;
    most = score;
    best.at = split;
  }
  const auto points = static_cast<double>(end - first - 1);
  if (most > 0) best.p = std::min(1.0, points * std::erfc(most / std::sqrt(2.0)));
  return best;
}

double change_at(const std::vector<Stratum>& strata, size_t first, size_t split, size_t end) {
  double logs = 0;
  double weights = 0;
  for (const Stratum& stratum : strata) {
    std::vector<double> before = values_in(stratum, first, split);
    std::vector<double> after = values_in(stratum, split, end);
    if (before.empty() || after.empty()) continue;
    const auto dumps = static_cast<double>(before.size() + after.size());
    const double change = middle(std::move(after)) - middle(std::move(before));
    if (!std::isfinite(change)) continue;  // a median of 0
    logs += dumps * change;
    weights += dumps;
  }
  return weights > 0 ? std::exp(logs / weights) - 1 : 0;
}

}  // namespace etlens
