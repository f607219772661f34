// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

using Columns = std::vector<uint32_t>;  // executions
using Values = std::vector<double>;

// Of logarithms: a shift below this is no other amount of work.
constexpr double kLeastShift = 0.08;
constexpr double kLeastRise = 0.06;
constexpr double kLeastGap = 0.05;
// A kernel tells two groups apart if it orders so many pairs of executions.
constexpr double kOrdered = 0.85;
// Of the kernels that are long enough, so many agree; also by the root of their times.
constexpr double kAgreeing = 0.7;
constexpr double kAgreeingTime = 0.6;
// Shift against the spread inside the groups.
constexpr double kSeparation = 3;
// Of groups of one or two executions: warm-up and interruptions look like these.
constexpr size_t kFew = 3;
constexpr double kAgreeingOfFew = 0.75;
constexpr double kShiftOfFew = 0.6;
// Shifts above this are not explained by a slower machine.
constexpr double kClearShift = 0.9;
const double kLongEnough = std::log(3.0);  // microseconds
constexpr size_t kCandidateRows = 24;
constexpr size_t kCandidateGaps = 5;

double quantile(Values values, double q) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<ptrdiff_t>(std::min(static_cast<double>(values.size()) - 1,
                                                       q * static_cast<double>(values.size())));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double median(Values values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double weighted_quantile(const Values& values, const Values& weights, double q) {
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  double below = 0;
  for (const uint32_t i : order) {
    if ((below += weights[i]) >= q * sum) return values[i];
  }
  return order.empty() ? 0 : values[order.back()];
}

Values picked(const Values& row, const Columns& columns) {
  Values values;
  values.reserve(columns.size());
  for (const uint32_t c : columns) values.push_back(row[c]);
  return values;
}

// Of pairs with one of each, how many are in order; ties count half.
double order_share(Values low, const Values& high) {
  std::sort(low.begin(), low.end());
  double sum = 0;
  for (const double value : high) {
    const auto [first, last] = std::equal_range(low.begin(), low.end(), value);
    sum += static_cast<double>((first - low.begin()) + (last - low.begin())) / 2;
  }
  return sum / static_cast<double>(low.size()) / static_cast<double>(high.size());
}

struct Boundary {
  bool holds = false;
  double shift = 0;
  std::vector<bool> supports;  // per row
};

class Splitter {
 public:
  explicit Splitter(const GroupSignals& signals) : signals_(signals) {
    rows_ = signals.kernels;
    main_ = rows_.size();
    rows_.insert(rows_.end(), signals.delegated.begin(), signals.delegated.end());
    for (const Values& row : rows_) weights_.push_back(std::exp(median(row) / 2));
  }

  std::vector<uint32_t> split() {
    Columns all(signals_.executions());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<std::vector<Columns>> proposals{divide(all, 0)};
    for (const Values& values : projections(all)) {
      if (std::vector<Columns> parts = chains(all, values); parts.size() > 1)
        proposals.push_back(std::move(parts));
    }
    std::optional<double> least;
    std::vector<Columns> best;
    for (std::vector<Columns>& parts : proposals) {
      parts = merged(reassigned(merged(reassigned(std::move(parts)))));
      const double rest = rest_of(parts);
      if (least && rest >= *least - 1e-9) continue;
      least = rest;
      best = std::move(parts);
    }
    std::vector<uint32_t> groups(all.size());
    for (uint32_t g = 0; g < best.size(); ++g)
      for (const uint32_t c : best[g]) groups[c] = g;
    return groups;
  }

 private:
  // One value per column: how much the kernels took. Different quantiles see through different
  // noise, and so do single kernels.
  std::vector<Values> projections(const Columns& columns) const {
    LogRows levels;
    for (size_t r = 0; r < main_; ++r) {
      Values row = picked(rows_[r], columns);
      const double middle = median(row);
      for (double& value : row) value -= middle;
      levels.push_back(std::move(row));
    }
    const Values weights(weights_.begin(), weights_.begin() + static_cast<ptrdiff_t>(main_));
    std::vector<Values> found;
    for (const double q : {0.25, 0.4, 0.6, 0.75}) {
      Values projected;
      for (size_t c = 0; c < columns.size(); ++c) {
        go_on(1 + main_);
        Values of_column;
        for (const Values& row : levels) of_column.push_back(row[c]);
        projected.push_back(weighted_quantile(of_column, weights, q));
      }
      found.push_back(std::move(projected));
    }
    for (size_t r = 0; r < std::min(kCandidateRows, main_); ++r) found.push_back(levels[r]);
    return found;
  }

  static std::vector<uint32_t> sorted_by(const Values& values) {
    std::vector<uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
    return order;
  }

  // Runs of columns without a gap between them; those that no wide gap parts are one.
  static std::vector<Columns> chains(const Columns& columns, const Values& values) {
    const std::vector<uint32_t> order = sorted_by(values);
    std::vector<Columns> parts(1);
    std::vector<Values> of_part(1);
    for (size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && values[order[i]] - values[order[i - 1]] > kLeastGap) {
        parts.emplace_back();
        of_part.emplace_back();
      }
      parts.back().push_back(columns[order[i]]);
      of_part.back().push_back(values[order[i]]);
    }
    const auto spread = [](const Values& v) {
      return v.size() < kFew ? 0.0 : quantile(v, 0.9) - quantile(v, 0.1);
    };
    for (size_t k = 0; k + 1 < parts.size();) {
      const double gap = of_part[k + 1].front() - of_part[k].back();
      if (gap >= std::max({kLeastGap, spread(of_part[k]), spread(of_part[k + 1])})) {
        ++k;
        continue;
      }
      parts[k].insert(parts[k].end(), parts[k + 1].begin(), parts[k + 1].end());
      of_part[k].insert(of_part[k].end(), of_part[k + 1].begin(), of_part[k + 1].end());
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(k + 1));
      of_part.erase(of_part.begin() + static_cast<ptrdiff_t>(k + 1));
      if (k > 0) --k;
    }
    return parts;
  }

  Values medians(const LogRows& rows, const Columns& columns) const {
    Values result;
    for (const Values& row : rows) {
      go_on(1 + columns.size() / 4);
      result.push_back(median(picked(row, columns)));
    }
    return result;
  }

  // What the machine alone took longer in `high`.
  std::optional<double> fixed_shift(const Columns& low, const Columns& high) const {
    if (signals_.fixed.empty()) return std::nullopt;
    const Values before = medians(signals_.fixed, low);
    Values shifts = medians(signals_.fixed, high);
    for (size_t r = 0; r < shifts.size(); ++r) shifts[r] -= before[r];
    return median(shifts);
  }

  // By the quicker quarter of each group: threads of a backend only add waiting times.
  std::optional<double> delegated_shift(const Columns& low, const Columns& high) const {
    if (rows_.size() == main_) return std::nullopt;
    Values shifts, weights;
    for (size_t r = main_; r < rows_.size(); ++r) {
      shifts.push_back(quantile(picked(rows_[r], high), 0.25) -
                       quantile(picked(rows_[r], low), 0.25));
      weights.push_back(weights_[r] * weights_[r]);
    }
    return weighted_quantile(shifts, weights, 0.5);
  }

  double spread_of(const Columns& columns, const Values& base,
                   const std::vector<bool>& supports) const {
    Values weights, levels;
    for (size_t r = 0; r < rows_.size(); ++r)
      if (supports[r]) weights.push_back(weights_[r]);
    Values projected;
    for (const uint32_t c : columns) {
      levels.clear();
      for (size_t r = 0; r < rows_.size(); ++r)
        if (supports[r]) levels.push_back(rows_[r][c] - base[r]);
      projected.push_back(weighted_quantile(levels, weights, 0.4));
    }
    return quantile(projected, 0.8) - quantile(projected, 0.2);
  }

  Boundary boundary(const Columns& low, const Columns& high) const {
    Boundary result;
    const Values a = medians(rows_, low);
    const Values b = medians(rows_, high);
    result.supports.assign(rows_.size(), false);
    std::vector<bool> counts(rows_.size(), true);
    size_t counted = 0;
    for (size_t r = 0; r < main_; ++r) counted += (counts[r] = std::max(a[r], b[r]) >= kLongEnough);
    if (counted == 0) return result;  // overheads alone
    if (counted < kFew) std::fill(counts.begin(), counts.end(), true);
    Values rises, rise_weights;
    for (size_t r = 0; r < rows_.size(); ++r) {
      go_on(1 + (low.size() + high.size()) / 2);
      if (!counts[r] || b[r] - a[r] <= kLeastRise) continue;
      if (order_share(picked(rows_[r], low), picked(rows_[r], high)) <= kOrdered) continue;
      result.supports[r] = true;
      if (r >= main_) continue;
      rises.push_back(b[r] - a[r]);
      rise_weights.push_back(weights_[r]);
    }
    if (rises.empty()) return result;
    const double usual = weighted_quantile(rises, rise_weights, 0.5);
    size_t agree = 0, supporting = 0, all = 0;
    double agree_weight = 0, all_weight = 0;
    rises.clear();
    rise_weights.clear();
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (b[r] - a[r] <= 0.3 * usual) result.supports[r] = false;
      if (result.supports[r]) ++supporting;
      if (r >= main_ || !counts[r]) continue;
      ++all;
      all_weight += weights_[r];
      if (!result.supports[r]) continue;
      ++agree;
      agree_weight += weights_[r];
      rises.push_back(b[r] - a[r]);
      rise_weights.push_back(weights_[r]);
    }
    if (rises.empty()) return result;
    result.shift = weighted_quantile(rises, rise_weights, 0.5);
    const double share = static_cast<double>(agree) / static_cast<double>(all);
    const double spread =
        (spread_of(low, a, result.supports) + spread_of(high, a, result.supports)) / 2;
    const bool is_few = std::min(low.size(), high.size()) < kFew;
    result.holds = result.shift > kLeastShift && share >= kAgreeing &&
                   agree_weight >= kAgreeingTime * all_weight &&
                   result.shift > kSeparation * spread;
    if (is_few) {
      result.holds = result.holds && share >= kAgreeingOfFew && result.shift > kShiftOfFew &&
                     (agree >= 3 || supporting >= 4);
    }
    result.holds = result.holds && is_not_the_machine(low, high, result.shift, is_few) &&
                   is_not_waiting(low, high, result.shift);
    return result;
  }

  bool is_not_the_machine(const Columns& low, const Columns& high, double shift,
                          bool is_few) const {
    const std::optional<double> fixed = fixed_shift(low, high);
    if (!fixed) return shift > kClearShift;
    if (signals_.has_control || is_few) return shift - *fixed > std::max(0.05, 0.5 * shift);
    return shift >= kClearShift || shift - *fixed > std::max(0.05, 0.3 * shift);
  }

  // Threads of a backend that have to wake up add the same time to each of its events: the long ones
  // rise less than the short ones. Few kernels need the backend's word.
  bool is_not_waiting(const Columns& low, const Columns& high, double shift) const {
    if (main_ >= 4) return true;
    const std::optional<double> delegated = delegated_shift(low, high);
    return !delegated || (*delegated > 0.7 * shift && *delegated < 3 * shift + 0.5);
  }

  // The same executions, each on the side of the boundary where most of its supporting rows are. As
  // noise only adds, an execution that its fixed rows explain stays low.
  std::pair<Columns, Columns> sides(const Columns& low, const Columns& high,
                                    const std::vector<bool>& supports) const {
    const Values a = medians(rows_, low);
    const Values b = medians(rows_, high);
    const Values fixed = medians(signals_.fixed, low);
    double sum = 0;
    Values weights, shifts;
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (!supports[r]) continue;
      sum += weights_[r];
      weights.push_back(weights_[r]);
      shifts.push_back(b[r] - a[r]);
    }
    const double shift = median(shifts);
    std::pair<Columns, Columns> result;
    for (const Columns* part : {&low, &high}) {
      for (const uint32_t c : *part) {
        go_on(1 + rows_.size());
        double above = 0;
        Values levels, machine;
        for (size_t r = 0; r < rows_.size(); ++r) {
          if (!supports[r]) continue;
          if (rows_[r][c] > (a[r] + b[r]) / 2) above += weights_[r];
          levels.push_back(rows_[r][c] - a[r]);
        }
        bool is_high = above > 0.6 * sum;
        if (is_high && signals_.has_control) {
          for (size_t r = 0; r < fixed.size(); ++r)
            machine.push_back(signals_.fixed[r][c] - fixed[r]);
          is_high = weighted_quantile(levels, weights, 0.5) - median(machine) > 0.5 * shift;
        }
        (is_high ? result.second : result.first).push_back(c);
      }
    }
    std::sort(result.first.begin(), result.first.end());
    std::sort(result.second.begin(), result.second.end());
    return result;
  }

  std::vector<bool> rough_support(const Columns& low, const Columns& high) const {
    const Values a = medians(rows_, low);
    const Values b = medians(rows_, high);
    std::vector<bool> supports(rows_.size());
    for (size_t r = 0; r < rows_.size(); ++r) {
      supports[r] = b[r] - a[r] > kLeastRise &&
                    order_share(picked(rows_[r], low), picked(rows_[r], high)) > 0.8;
    }
    return supports;
  }

  // What the kernels still vary by inside the parts.
  double rest_of(const std::vector<Columns>& parts) const {
    double rest = 0, weight = 0;
    for (size_t r = 0; r < main_; ++r) {
      weight += weights_[r];
      for (const Columns& part : parts) {
        const Values values = picked(rows_[r], part);
        const double middle = median(values);
        for (const double value : values)
          rest += weights_[r] * std::min(std::abs(value - middle), 0.7);
      }
    }
    return rest / weight / static_cast<double>(signals_.executions()) +
           0.01 * static_cast<double>(parts.size());
  }

  // The best division into two that holds, and those of both halves.
  std::vector<Columns> divide(const Columns& columns, int depth) const {
    if (columns.size() < 2 || depth > 8) return {columns};
    std::set<Columns> seen;
    std::optional<double> least;
    std::pair<Columns, Columns> best;
    for (const Values& values : projections(columns)) {
      const std::vector<uint32_t> order = sorted_by(values);
      std::vector<uint32_t> cuts(order.size() - 1);
      std::iota(cuts.begin(), cuts.end(), 0u);
      const auto gap = [&](uint32_t i) { return values[order[i + 1]] - values[order[i]]; };
      const size_t most = std::min(kCandidateGaps, cuts.size());
      std::partial_sort(cuts.begin(), cuts.begin() + static_cast<ptrdiff_t>(most), cuts.end(),
                        [&](uint32_t a, uint32_t b) { return gap(a) > gap(b); });
      for (size_t i = 0; i < most && gap(cuts[i]) >= 0.03; ++i) {
        std::pair<Columns, Columns> parts;
        for (size_t k = 0; k < order.size(); ++k)
          (k <= cuts[i] ? parts.first : parts.second).push_back(columns[order[k]]);
        if (!seen.insert(parts.second).second) continue;
        for (int round = 0; round < 2; ++round) {
          auto next = sides(parts.first, parts.second, rough_support(parts.first, parts.second));
          if (next.first.empty() || next.second.empty()) break;
          parts = std::move(next);
        }
        if (!seen.insert(parts.second).second) continue;
        if (!boundary(parts.first, parts.second).holds) continue;
        const double rest = rest_of({parts.first, parts.second});
        if (least && rest >= *least) continue;
        least = rest;
        best = std::move(parts);
      }
    }
    if (!least) return {columns};
    std::vector<Columns> result = divide(best.first, depth + 1);
    for (Columns& part : divide(best.second, depth + 1)) result.push_back(std::move(part));
    return result;
  }

  std::vector<Columns> reassigned(std::vector<Columns> parts) const {
    for (size_t k = 0; k + 1 < parts.size(); ++k) {
      if (parts[k].empty() || parts[k + 1].empty()) continue;
      const Boundary between = boundary(parts[k], parts[k + 1]);
      if (std::none_of(between.supports.begin(), between.supports.end(), [](bool b) { return b; }))
        continue;
      std::tie(parts[k], parts[k + 1]) = sides(parts[k], parts[k + 1], between.supports);
    }
    std::erase_if(parts, [](const Columns& part) { return part.empty(); });
    return parts;
  }

  // Without the boundaries that do not hold, the weakest first.
  std::vector<Columns> merged(std::vector<Columns> parts) const {
    while (parts.size() > 1) {
      std::optional<size_t> weakest;
      double least = 0;
      for (size_t k = 0; k + 1 < parts.size(); ++k) {
        const Boundary between = boundary(parts[k], parts[k + 1]);
        if (between.holds || (weakest && between.shift >= least)) continue;
        weakest = k;
        least = between.shift;
      }
      if (!weakest) break;
      Columns& into = parts[*weakest];
      into.insert(into.end(), parts[*weakest + 1].begin(), parts[*weakest + 1].end());
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(*weakest + 1));
    }
    return parts;
  }

  const GroupSignals& signals_;
  LogRows rows_;     // the kernels, then what backends reported
  size_t main_ = 0;  // rows that groups are found in
  Values weights_;   // per row
};

}  // namespace

std::vector<uint32_t> split_executions(const GroupSignals& signals) {
  const size_t count = signals.executions();
  if (count < 2 || signals.kernels.empty()) return std::vector<uint32_t>(count);
  return Splitter(signals).split();
}

}  // namespace etlens
