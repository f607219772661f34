// SPDX-License-Identifier: Apache-2.0
#include "core/measure/influence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/measure/student.h"

namespace etlens {
namespace {

// Values that tell how dense they are at the limit: those nearer to it than this part of its
// distance from the centre.
constexpr double kNearLimit = 0.5;

double as_double(int64_t value) { return static_cast<double>(value); }

double mean_of(std::span<const int64_t> values) {
  return as_double(std::accumulate(values.begin(), values.end(), int64_t{0})) /
         as_double(std::ssize(values));
}

void of_mean(std::span<const int64_t> values, Influences& found) {
  const double mean = mean_of(values);
  for (const int64_t value : values) found.of_value.push_back(as_double(value) - mean);
  found.kept = as_double(std::ssize(values));
}

// Where summarize stops to keep values, and what it is made of.
struct TypicalLimit {
  double centre = 0;
  double limit = 0;
  double slope = 0;  // how far the limit moves with the centre
  double half = 0;   // how many values the centre is the mean of
  double greatest_of_half = 0;
};

TypicalLimit limit_of(std::span<const int64_t> values, int64_t slack) {
  const FasterHalf half = faster_half(values);
  TypicalLimit at;
  at.half = static_cast<double>(half.count);
  at.greatest_of_half = as_double(half.greatest);
  at.centre = half.mean;
  const bool is_factor = at.centre * kTypicalSpread > at.centre + as_double(slack);
  at.slope = is_factor ? kTypicalSpread : 1;
  at.limit = is_factor ? at.centre * kTypicalSpread : at.centre + as_double(slack);
  return at;
}

// The limit follows the centre, and values that it passes are kept or not.
void add_move_of_limit(std::span<const int64_t> values, const TypicalLimit& at, double typical,
                       Influences& found) {
  const double width = (at.limit - at.centre) * kNearLimit;
  double near = 0;
  double winsorized = 0;  // mean of the values, none of them above the greatest of the half
  for (const int64_t value : values) {
    near += std::abs(as_double(value) - at.limit) <= width ? 1 : 0;
    winsorized += std::min(as_double(value), at.greatest_of_half);
  }
  if (near == 0 || width <= 0) return;
  const double count = as_double(std::ssize(values));
  winsorized /= count;
  const double density = near / (2 * width * count);
  const double step =
      density * (at.limit - typical) * count / found.kept * at.slope * count / at.half;
  for (size_t i = 0; i < values.size(); ++i)
    found.of_value[i] += step * (std::min(as_double(values[i]), at.greatest_of_half) - winsorized);
}

void of_typical(std::span<const int64_t> values, int64_t slack, Influences& found) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  // All lie well below any limit: no need to find it.
  const double room = std::max(as_double(*least) * (kTypicalSpread - 1), as_double(slack));
  if (as_double(*most) <= as_double(*least) + room * (1 - kNearLimit))
    return of_mean(values, found);
  const TypicalLimit at = limit_of(values, slack);
  double sum = 0;
  for (const int64_t value : values) {
    if (as_double(value) > at.limit) continue;
    sum += as_double(value);
    ++found.kept;
  }
  const double typical = sum / found.kept;  // the least value is always kept
  const double weight = as_double(std::ssize(values)) / found.kept;
  for (const int64_t value : values)
    found.of_value.push_back(as_double(value) <= at.limit ? weight * (as_double(value) - typical)
                                                          : 0);
  add_move_of_limit(values, at, typical, found);
}

// R. M. Price and D. G. Bonett, "Estimating the variance of the sample median", Journal of
// Statistical Computation and Simulation 68 (2001): from the distance of two order statistics,
// which are so many standard deviations of a count apart. Theirs is an interval of the normal
// distribution, where the influences of other statistics make one of Student's.
void of_median(std::span<const int64_t> values, Influences& found) {
  std::vector<int64_t> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double count = as_double(std::ssize(values));
  const double rank = std::max(1.0, std::round((count + 1) / 2 - std::sqrt(count)));
  const double apart = std::max(1.0, (count - 2 * rank + 1) / std::sqrt(count));  // on either side
  const size_t first = static_cast<size_t>(rank) - 1;
  const double students = student_quantile(count - 1) * std::sqrt(count / (count - 1));
  const double of_normal = count > 1 ? student_quantile(1e9) / students : 0;
  const double width = of_normal * as_double(sorted[sorted.size() - 1 - first] - sorted[first]) /
                       (2 * apart) * std::sqrt(count);
  const int64_t doubled = sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2];
  const auto at_median = std::count_if(values.begin(), values.end(),
                                       [&](int64_t value) { return 2 * value == doubled; });
  const double others = std::max(1.0, count - as_double(at_median));
  for (const int64_t value : values) {
    const double side = 2 * value > doubled ? 1 : 2 * value < doubled ? -1 : 0;
    found.of_value.push_back(side * width * std::sqrt(count / others));
  }
  found.kept = count;
}

void of_extreme(std::span<const int64_t> values, bool is_least, Influences& found) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto at = is_least ? least : most;
  int64_t gap = *most - *least;
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (value != at) gap = std::min(gap, std::abs(*value - *at));
  }
  found.of_value.assign(values.size(), 0);
  const double move = as_double(gap) * as_double(std::ssize(values));
  found.of_value[static_cast<size_t>(at - values.begin())] = is_least ? -move : move;
  found.kept = as_double(std::ssize(values));
}

}  // namespace

void find_influences(std::span<const int64_t> values, Statistic statistic, int64_t slack,
                     Influences& found) {
  found.of_value.clear();
  found.kept = 0;
  switch (statistic) {
    case Statistic::Typical:
      return of_typical(values, slack, found);
    case Statistic::Mean:
      return of_mean(values, found);
    case Statistic::Median:
      return of_median(values, found);
    case Statistic::Minimum:
    case Statistic::Maximum:
      return of_extreme(values, statistic == Statistic::Minimum, found);
  }
}

}  // namespace etlens
