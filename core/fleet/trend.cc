// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/trend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/controls.h"
#include "core/base/natural_order.h"
#include "core/base/text.h"
#include "core/compare/false_discovery.h"
#include "core/compare/machine.h"

namespace etlens {
namespace {

// Lines that moved so far from the others do not tell the machine.
constexpr double kOwnWay = 0.02;

double median_of(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

class TrendFinder {
 public:
  TrendFinder(const Fleet& fleet, const TrendOptions& options) : fleet_(fleet), options_(options) {}

  Result<Trend> run() {
    if (fleet_.kept.empty()) {
      return Error{
          ErrorCode::InvalidParams,
          "a trend needs the numbers of every dump, and an engine's answer has only quantiles; "
          "give dumps or their rows"};
    }
    if (Result<void> order = order_builds(); !order) return std::move(order).error();
    number_groups();
    choose_places();
    find_machine();
    judge_all();
    std::stable_sort(trend_.places.begin(), trend_.places.end(),
                     [](const TrendPlace& a, const TrendPlace& b) {
                       return a.first.has_value() > b.first.has_value();
                     });
    return std::move(trend_);
  }

 private:
  struct GroupPlace {
    size_t stratum;
    size_t build;  // builds.size() for one that is not looked at
  };

  Result<void> order_builds() {
    std::unordered_set<std::string_view> known;
    for (const std::vector<std::string>& group : fleet_.groups) {
      go_on();
      if (known.insert(group.back()).second) trend_.builds.push_back(group.back());
    }
    std::sort(trend_.builds.begin(), trend_.builds.end(), comes_before);
    if (!options_.builds.empty()) {
      for (const std::string& build : options_.builds) {
        if (!known.contains(build)) {
          return Error{ErrorCode::InvalidParams, "no dump is of the build " + build +
                                                     "; there are " + join(trend_.builds, ", ")};
        }
      }
      trend_.builds = options_.builds;
    }
    if (trend_.builds.size() >= 2) return {};
    return Error{
        ErrorCode::InvalidParams,
        worded("all dumps are of one build, and a trend needs two or more; name{fleet_facts} the "
               "file where the build of a dump is written")};
  }

  void number_groups() {
    std::map<std::vector<std::string>, size_t> strata;
    std::unordered_map<std::string_view, size_t> build_of;
    for (size_t b = 0; b < trend_.builds.size(); ++b) build_of.try_emplace(trend_.builds[b], b);
    for (const std::vector<std::string>& group : fleet_.groups) {
      const std::vector<std::string> rest(group.begin(), group.end() - 1);
      const size_t stratum = strata.try_emplace(rest, strata.size()).first->second;
      const auto at = build_of.find(group.back());
      place_of_group_.push_back(
          {stratum, at == build_of.end() ? trend_.builds.size() : at->second});
    }
    dumps_.resize(strata.size());
    for (const KeptDump& dump : fleet_.kept) {
      const GroupPlace& at = place_of_group_[dump.group];
      if (at.build < trend_.builds.size()) dumps_[at.stratum].push_back(&dump);
    }
    trend_.dumps.resize(trend_.builds.size());
    for (size_t g = 0; g < place_of_group_.size(); ++g) {
      if (place_of_group_[g].build < trend_.builds.size())
        trend_.dumps[place_of_group_[g].build] += fleet_.total()->groups[g].dumps;
    }
  }

  size_t build_of(const KeptDump& dump) const { return place_of_group_[dump.group].build; }

  void choose_places() {
    const double least = fleet_.total()->all.quantiles[0] * kTrendShare;
    for (size_t p = 0; p < fleet_.places.size(); ++p) {
      const FleetPlace& place = fleet_.places[p];
      if (place.all.quantiles[0] < least) continue;
      numbers_.push_back(p);
      TrendPlace& row = trend_.places.emplace_back();
      row.place = &place;
      for (size_t b = 0; b < trend_.builds.size(); ++b) row.medians.push_back(median_in(p, b));
    }
    levels_.resize(dumps_.size());
    for (size_t s = 0; s < dumps_.size(); ++s) levels_[s].assign(dumps_[s].size(), 0);
  }

  double median_in(size_t place, size_t build) const {
    std::vector<double> values;
    for (const auto& stratum : dumps_) {
      for (const KeptDump* dump : stratum) {
        if (build_of(*dump) == build && dump->values[place] >= 0)
          values.push_back(static_cast<double>(dump->values[place]));
      }
    }
    return values.empty() ? -1 : median_of(std::move(values));
  }

  // The levels of all dumps, by the lines `voters` (of trend_.places).
  void set_levels(const std::vector<size_t>& voters, LevelCentre centre) {
    for (size_t s = 0; s < dumps_.size(); ++s) {
      std::vector<EqualWork> work;
      for (size_t v = 0; v < voters.size(); ++v) {
        EqualWork& line = work.emplace_back();
        line.voter = static_cast<uint32_t>(v);
        line.share = fleet_.share(trend_.places[voters[v]].place->all.quantiles[0]);
        for (const KeptDump* dump : dumps_[s])
          line.values.before.push_back(std::log(dump->values[numbers_[voters[v]]]));
      }
      levels_[s] = levels_of(work, dumps_[s].size(), 0, centre).before;
    }
  }

  // Lines of which every dump says something.
  std::vector<size_t> possible_voters() const {
    std::vector<size_t> voters;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const bool has_all =
          std::all_of(fleet_.kept.begin(), fleet_.kept.end(),
                      [&](const KeptDump& dump) { return dump.values[numbers_[i]] > 0; });
      if (trend_.places[i].place->place.kind == PlaceKind::Line && has_all) voters.push_back(i);
    }
    return voters;
  }

  // First by the median of all, which is right as long as most did not change; then by the mean of
  // those that went with the others.
  void find_machine() {
    std::vector<size_t> voters = possible_voters();
    if (voters.size() < kLeastLevelPlaces) return;
    set_levels(voters, LevelCentre::Median);
    std::erase_if(voters, [&](size_t i) {
      const std::vector<Stratum> strata = strata_of(i);
      const Split split = best_split(strata, 0, trend_.builds.size());
      return split.p <= kTrendLevel &&
             std::abs(change_at(strata, 0, split.at, trend_.builds.size())) >= kOwnWay;
    });
    if (voters.size() < kLeastLevelPlaces) {
      for (std::vector<double>& level : levels_) std::fill(level.begin(), level.end(), 0);
      return;
    }
    set_levels(voters, LevelCentre::TrimmedMean);
    TrendMachine& machine = trend_.machine;
    machine.lines = voters.size();
    for (size_t b = 0; b < trend_.builds.size(); ++b) {
      std::vector<double> values;
      for (const Stratum& stratum : strata_of_levels())
        values.insert(values.end(), stratum.builds[b].begin(), stratum.builds[b].end());
      machine.medians.push_back(values.empty() ? 0 : std::exp(median_of(std::move(values))));
    }
  }

  std::vector<Stratum> strata_of_levels() const {
    std::vector<Stratum> strata(dumps_.size());
    for (size_t s = 0; s < dumps_.size(); ++s) {
      strata[s].builds.resize(trend_.builds.size());
      for (size_t d = 0; d < dumps_[s].size(); ++d)
        strata[s].builds[build_of(*dumps_[s][d])].push_back(levels_[s][d]);
    }
    return strata;
  }

  // Of a place, beyond the machine. 0 ticks, of a coarse clock, are less than everything else.
  std::vector<Stratum> strata_of(size_t i) const {
    std::vector<Stratum> strata(dumps_.size());
    for (size_t s = 0; s < dumps_.size(); ++s) {
      strata[s].builds.resize(trend_.builds.size());
      for (size_t d = 0; d < dumps_[s].size(); ++d) {
        const KeptDump& dump = *dumps_[s][d];
        const auto value = static_cast<double>(dump.values[numbers_[i]]);
        if (value >= 0) strata[s].builds[build_of(dump)].push_back(std::log(value) - levels_[s][d]);
      }
    }
    return strata;
  }

  void judge_all() {
    const size_t builds = trend_.builds.size();
    trend_.tested = trend_.places.size();
    std::vector<std::vector<Stratum>> strata;
    std::vector<Split> splits;
    std::vector<double> ps;
    for (size_t i = 0; i < trend_.places.size(); ++i) {
      strata.push_back(strata_of(i));
      splits.push_back(best_split(strata.back(), 0, builds));
      ps.push_back(splits.back().p);
    }
    const std::vector<double> adjusted = adjust_for_many(ps);
    for (size_t i = 0; i < trend_.places.size(); ++i)
      judge(strata[i], splits[i], adjusted[i], trend_.places[i]);
    // Not among the many: a machine that moved would make them easier to accuse.
    if (trend_.machine.lines == 0) return;
    const std::vector<Stratum> levels = strata_of_levels();
    const Split split = best_split(levels, 0, builds);
    judge(levels, split, split.p, trend_.machine);
  }

  // The first build that changed it: what lies before a change may hold another.
  void judge(const std::vector<Stratum>& strata, Split split, double adjusted,
             TrendChange& row) const {
    row.p = adjusted;
    if (adjusted > kTrendLevel) return;
    size_t end = trend_.builds.size();
    while (split.p <= kTrendLevel) {
      const double change = change_at(strata, 0, split.at, end);
      if (std::abs(change) >= options_.threshold) {
        row.first = split.at;
        row.change = change;
      }
      end = split.at;
      if (end < 2) break;
      split = best_split(strata, 0, end);
      split.p = std::min(1.0, split.p * static_cast<double>(trend_.tested));
    }
  }

  const Fleet& fleet_;
  const TrendOptions& options_;
  Trend trend_;
  std::vector<GroupPlace> place_of_group_;
  std::vector<std::vector<const KeptDump*>> dumps_;  // by stratum
  std::vector<std::vector<double>> levels_;          // likewise: of the machine, logarithms
  std::vector<size_t> numbers_;                      // one per TrendPlace: of the fleet's places
};

}  // namespace

Result<Trend> find_trend(const Fleet& fleet, const TrendOptions& options) {
  return TrendFinder(fleet, options).run();
}

}  // namespace etlens
