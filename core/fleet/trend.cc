// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/trend.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/natural_order.h"
#include "core/base/text.h"
#include "core/compare/false_discovery.h"

namespace etlens {
namespace {

// What one stratum says of each build at one place.
struct Stratum {
  std::vector<const Distribution*> builds;  // null without dumps
};

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
    double times;
  };
  std::vector<Row> rows;
  for (size_t b = first; b < end; ++b) {
    if (stratum.builds[b] == nullptr) continue;
    for (const auto& [value, times] : stratum.builds[b]->counts())
      rows.push_back({value, b, static_cast<double>(times)});
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value < b.value; });
  RankSums ranks;
  ranks.sums.resize(stratum.builds.size());
  ranks.counts.resize(stratum.builds.size());
  for (size_t i = 0; i < rows.size();) {
    double tied = 0;
    size_t next = i;
    for (; next < rows.size() && rows[next].value == rows[i].value; ++next)
      tied += rows[next].times;
    const double rank = ranks.count + (tied + 1) / 2;
    for (; i < next; ++i) {
      ranks.sums[rows[i].build] += rank * rows[i].times;
      ranks.counts[rows[i].build] += rows[i].times;
    }
    ranks.count += tied;
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

struct Split {
  size_t at = 0;
  double p = 1;
};

// The likeliest point within [first, end).
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

double median_of(const Stratum& stratum, size_t first, size_t end) {
  std::map<double, uint64_t> counts;
  uint64_t all = 0;
  for (size_t b = first; b < end; ++b) {
    if (stratum.builds[b] == nullptr) continue;
    for (const auto& [value, times] : stratum.builds[b]->counts()) {
      counts[value] += times;
      all += times;
    }
  }
  uint64_t below = 0;
  for (const auto& [value, times] : counts) {
    below += times;
    if (below > all / 2) return value;
  }
  return 0;
}

// Of the median within each stratum, those with more dumps counting more.
double change_at(const std::vector<Stratum>& strata, size_t first, size_t split, size_t end) {
  double logs = 0;
  double weights = 0;
  for (const Stratum& stratum : strata) {
    const double before = median_of(stratum, first, split);
    const double after = median_of(stratum, split, end);
    if (before <= 0 || after <= 0) continue;
    double dumps = 0;
    for (size_t b = first; b < end; ++b) {
      if (stratum.builds[b] != nullptr) dumps += static_cast<double>(stratum.builds[b]->count());
    }
    logs += dumps * std::log(after / before);
    weights += dumps;
  }
  return weights > 0 ? std::exp(logs / weights) - 1 : 0;
}

class TrendFinder {
 public:
  TrendFinder(const Fleet& fleet, const TrendOptions& options) : fleet_(fleet), options_(options) {}

  Result<Trend> run() {
    if (fleet_.total() == nullptr || fleet_.total()->all.values.count() == 0) {
      return Error{
          ErrorCode::InvalidParams,
          "a trend needs what every dump says, and an engine's answer has quantiles alone; "
          "give dumps or their rows"};
    }
    if (Result<void> order = order_builds(); !order) return std::move(order).error();
    number_groups();
    const double least = fleet_.total()->all.quantiles[0] * kTrendShare;
    std::vector<double> ps;
    for (const FleetPlace& place : fleet_.places) {
      if (place.all.quantiles[0] < least) continue;
      TrendPlace& row = trend_.places.emplace_back();
      row.place = &place;
      strata_.push_back(strata_of(place));
      for (size_t b = 0; b < trend_.builds.size(); ++b) row.medians.push_back(median_in(place, b));
      splits_.push_back(best_split(strata_.back(), 0, trend_.builds.size()));
      ps.push_back(splits_.back().p);
    }
    trend_.tested = ps.size();
    const std::vector<double> adjusted = adjust_for_many(ps);
    for (size_t i = 0; i < adjusted.size(); ++i) judge(i, adjusted[i]);
    std::stable_sort(trend_.places.begin(), trend_.places.end(),
                     [](const TrendPlace& a, const TrendPlace& b) {
                       return a.first.has_value() > b.first.has_value();
                     });
    return std::move(trend_);
  }

 private:
  Result<void> order_builds() {
    for (const std::vector<std::string>& group : fleet_.groups) {
      if (std::find(trend_.builds.begin(), trend_.builds.end(), group.back()) ==
          trend_.builds.end())
        trend_.builds.push_back(group.back());
    }
    std::sort(trend_.builds.begin(), trend_.builds.end(), comes_before);
    if (!options_.builds.empty()) {
      for (const std::string& build : options_.builds) {
        if (std::find(trend_.builds.begin(), trend_.builds.end(), build) == trend_.builds.end()) {
          return Error{ErrorCode::InvalidParams, "no dump is of the build " + build +
                                                     "; there are " + join(trend_.builds, ", ")};
        }
      }
      trend_.builds = options_.builds;
    }
    if (trend_.builds.size() >= 2) return {};
    return Error{
        ErrorCode::InvalidParams,
        "all dumps are of one build, and a trend needs two or more; say with --facts where "
        "the build of a dump is written"};
  }

  void number_groups() {
    std::map<std::vector<std::string>, size_t> strata;
    for (const std::vector<std::string>& group : fleet_.groups) {
      const std::vector<std::string> rest(group.begin(), group.end() - 1);
      const size_t stratum = strata.try_emplace(rest, strata.size()).first->second;
      const auto at = std::find(trend_.builds.begin(), trend_.builds.end(), group.back());
      place_of_group_.push_back({stratum, static_cast<size_t>(at - trend_.builds.begin())});
    }
    stratum_count_ = strata.size();
    trend_.dumps.resize(trend_.builds.size());
    for (size_t g = 0; g < place_of_group_.size(); ++g) {
      if (place_of_group_[g].build < trend_.builds.size())
        trend_.dumps[place_of_group_[g].build] += fleet_.total()->groups[g].dumps;
    }
  }

  std::vector<Stratum> strata_of(const FleetPlace& place) const {
    std::vector<Stratum> strata(stratum_count_);
    for (Stratum& stratum : strata) stratum.builds.resize(trend_.builds.size());
    for (size_t g = 0; g < place_of_group_.size(); ++g) {
      const GroupPlace& at = place_of_group_[g];
      if (at.build < trend_.builds.size() && place.groups[g].dumps > 0)
        strata[at.stratum].builds[at.build] = &place.groups[g].values;
    }
    return strata;
  }

  double median_in(const FleetPlace& place, size_t build) const {
    Stratum all;
    for (size_t g = 0; g < place_of_group_.size(); ++g) {
      if (place_of_group_[g].build == build && place.groups[g].dumps > 0)
        all.builds.push_back(&place.groups[g].values);
    }
    return all.builds.empty() ? -1 : median_of(all, 0, all.builds.size());
  }

  // The first build that changed it: what lies before a change may hold another.
  void judge(size_t i, double adjusted) {
    TrendPlace& row = trend_.places[i];
    row.p = adjusted;
    if (adjusted > kTrendLevel) return;
    size_t end = trend_.builds.size();
    for (Split split = splits_[i]; split.p <= kTrendLevel;) {
      const double change = change_at(strata_[i], 0, split.at, end);
      if (std::abs(change) >= options_.threshold) {
        row.first = split.at;
        row.change = change;
      }
      end = split.at;
      if (end < 2) break;
      split = best_split(strata_[i], 0, end);
      split.p = std::min(1.0, split.p * static_cast<double>(trend_.tested));
    }
  }

  struct GroupPlace {
    size_t stratum;
    size_t build;  // builds.size() for one that is not looked at
  };

  const Fleet& fleet_;
  const TrendOptions& options_;
  Trend trend_;
  std::vector<GroupPlace> place_of_group_;
  size_t stratum_count_ = 0;
  std::vector<std::vector<Stratum>> strata_;  // one per TrendPlace
  std::vector<Split> splits_;
};

}  // namespace

Result<Trend> find_trend(const Fleet& fleet, const TrendOptions& options) {
  return TrendFinder(fleet, options).run();
}

}  // namespace etlens
