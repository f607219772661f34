// SPDX-License-Identifier: Apache-2.0
#include "core/compare/machine.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <utility>

#include "core/compare/moments.h"

namespace etlens {
namespace {

constexpr double kLeastSharePresent = 0.05;
// The most that a voter has to say, as a share of the time: beyond it all are equal.
constexpr double kFullVote = 0.01;
// Weight that is left out on either side. The median would do, were it not for clocks so coarse
// that most places do not move at all.
constexpr double kTrimmed = 0.15;
// Work that is not equal after all, or whose code was changed, stands out from the other places by
// more than these. When the machine moves, some places move twice as far and some do not move.
constexpr double kOutlierLeast = 0.02;  // a logarithm
constexpr double kOutlierDeviations = 3;
constexpr double kOutlierErrors = 4;
// From the lower quartile of distances to a standard deviation: nearly half may be outliers.
constexpr double kQuartileToDeviation = 3.14;
constexpr size_t kMachineDraws = 400;

struct Weighted {
  double value = 0;
  double weight = 0;
};

// One per place.
std::vector<double> weights_of(const std::vector<EqualWork>& places) {
  std::map<uint32_t, double> share_of_voter;
  for (const EqualWork& place : places) share_of_voter[place.voter] += place.share;
  std::vector<double> weights;
  for (const EqualWork& place : places) {
    const double share = share_of_voter[place.voter];
    weights.push_back(place.share * std::min(1.0, kFullVote / std::max(share, kFullVote)));
  }
  return weights;
}

// The mean without kTrimmed of the weight on either side.
double trimmed_mean(std::vector<Weighted> values) {
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double whole = 0;
  for (const Weighted& row : values) whole += row.weight;
  const double first = kTrimmed * whole;
  const double last = whole - first;
  double seen = 0;
  double sum = 0;
  for (const Weighted& row : values) {
    const double inside = std::min(seen + row.weight, last) - std::max(seen, first);
    if (inside > 0) sum += inside * row.value;
    seen += row.weight;
  }
  return whole > 0 ? sum / (last - first) : 0;
}

// Below it lies so much of the weight.
double weighted_quantile(std::vector<Weighted> values, double part) {
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double whole = 0;
  for (const Weighted& row : values) whole += row.weight;
  double seen = 0;
  for (const Weighted& row : values) {
    seen += row.weight;
    if (seen >= part * whole) return row.value;
  }
  return 0;
}

double weighted_median(std::vector<Weighted> values) {
  return weighted_quantile(std::move(values), 0.5);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// What each place usually takes: the median of all dumps, whichever side they are of, so that what
// is usual does not depend on who is compared with whom.
std::vector<double> usual_of(const std::vector<EqualWork>& places) {
  std::vector<double> usual;
  for (const EqualWork& place : places) {
    std::vector<double> all = place.values.before;
    all.insert(all.end(), place.values.after.begin(), place.values.after.end());
    usual.push_back(median(std::move(all)));
  }
  return usual;
}

}  // namespace

// What each dump is at: the centre of its places.
PerDump levels_of(const std::vector<EqualWork>& places, size_t before, size_t after,
                  LevelCentre which) {
  const auto centre = which == LevelCentre::Median ? weighted_median : trimmed_mean;
  const std::vector<double> usual = usual_of(places);
  const std::vector<double> weights = weights_of(places);
  std::vector<Weighted> rows(places.size());
  const auto level = [&](auto value_of) {
    for (size_t i = 0; i < places.size(); ++i)
      rows[i] = {value_of(places[i]) - usual[i], weights[i]};
    return centre(rows);
  };
  PerDump found;
  for (size_t d = 0; d < before; ++d)
    found.before.push_back(level([&](const EqualWork& place) { return place.values.before[d]; }));
  for (size_t d = 0; d < after; ++d)
    found.after.push_back(level([&](const EqualWork& place) { return place.values.after[d]; }));
  return found;
}

namespace {

// How far a place moved against the others, and how sure that is.
struct Move {
  double by = 0;
  double error = 0;
};

Move move_of(const PerDump& values, const PerDump& level) {
  const auto against = [](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> rest;
    for (size_t i = 0; i < a.size(); ++i) rest.push_back(a[i] - b[i]);
    return rest;
  };
  const std::vector<double> before = against(values.before, level.before);
  const std::vector<double> after = against(values.after, level.after);
  const double error = variance(before) / static_cast<double>(before.size()) +
                       variance(after) / static_cast<double>(after.size());
  return {median(after) - median(before), std::sqrt(error)};
}

// Without the places that did not move as the others did. The level that this is seen against is
// the median's: it holds as long as most voters are right.
std::vector<EqualWork> without_outliers(const std::vector<EqualWork>& places, size_t before,
                                        size_t after) {
  const PerDump level = levels_of(places, before, after, LevelCentre::Median);
  const std::vector<double> weights = weights_of(places);
  std::vector<Move> moves;
  std::vector<Weighted> distances;
  for (size_t i = 0; i < places.size(); ++i) {
    moves.push_back(move_of(places[i].values, level));
    distances.push_back({std::abs(moves[i].by), weights[i]});
  }
  const double usual = kQuartileToDeviation * weighted_quantile(distances, 0.25);
  std::vector<EqualWork> kept;
  for (size_t i = 0; i < places.size(); ++i) {
    const double limit = std::max({kOutlierLeast, std::abs(moved(level)),
                                   kOutlierDeviations * usual, kOutlierErrors * moves[i].error});
    if (std::abs(moves[i].by) <= limit) kept.push_back(places[i]);
  }
  return kept;
}

// How much the factor would differ, had other places been seen: the bootstrap over places.
std::pair<double, double> spread_of_factor(const std::vector<EqualWork>& places) {
  const std::vector<double> weights = weights_of(places);
  std::vector<Weighted> rows;
  for (size_t i = 0; i < places.size(); ++i) rows.push_back({moved(places[i].values), weights[i]});
  const double centre = trimmed_mean(rows);
  std::minstd_rand random(1);
  std::vector<double> draws;
  std::vector<Weighted> drawn(rows.size());
  for (size_t d = 0; d < kMachineDraws; ++d) {
    for (Weighted& row : drawn) row = rows[random() % rows.size()];
    draws.push_back(trimmed_mean(drawn) - centre);
  }
  std::sort(draws.begin(), draws.end());
  return {draws[kMachineDraws / 40], draws[kMachineDraws - 1 - kMachineDraws / 40]};
}

PerDump mixed(const PerDump& a, double share_of_b, const PerDump& b) {
  const auto mix = [&](const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> values;
    for (size_t i = 0; i < x.size(); ++i)
      values.push_back((1 - share_of_b) * x[i] + share_of_b * y[i]);
    return values;
  };
  return {mix(a.before, b.before), mix(a.after, b.after)};
}

}  // namespace

Machine find_machine(const MachineQuestion& question) {
  const size_t before = question.dumps_before;
  const size_t after = question.dumps_after;
  Machine machine;
  machine.level = {std::vector<double>(before), std::vector<double>(after)};
  machine.total_level = machine.level;
  if (question.work.size() < kLeastLevelPlaces || question.share < kLeastSharePresent)
    return machine;
  const std::vector<EqualWork> kept = without_outliers(question.work, before, after);
  machine.is_known = true;
  machine.places = kept.size();
  machine.level = levels_of(kept, before, after, LevelCentre::TrimmedMean);
  machine.total_level = question.calls.empty()
                            ? machine.level
                            : mixed(machine.level, question.calls_share,
                                    levels_of(without_outliers(question.calls, before, after),
                                              before, after, LevelCentre::TrimmedMean));
  const double shift = moved(machine.level);
  const auto [low, high] = spread_of_factor(kept);
  machine.factor = std::exp(shift);
  machine.low = std::exp(shift + low);
  machine.high = std::exp(shift + high);
  return machine;
}

}  // namespace etlens
