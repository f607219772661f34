// SPDX-License-Identifier: Apache-2.0
#include "core/measure/interval.h"

#include <algorithm>
#include <cmath>

#include "core/base/budget.h"
#include "core/measure/influence.h"
#include "core/measure/student.h"

namespace etlens {
namespace {

// Of a correlation that is none, in its standard errors: smaller ones are taken for none.
constexpr double kTellingCorrelation = 0.5;
constexpr double kMaxCorrelation = 0.9;
constexpr double kNormalQuantile = 1.959963984540054;

bool has_interval(const Measure& measure) {
  return measure.quantity.over_samples == OverSamples::Mean &&
         measure.sample_count() >= kMinForInterval && measure.statistic != Statistic::Minimum &&
         measure.statistic != Statistic::Maximum;
}

double squares_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// Of a series with mean 0, with its next: corrected for what a short series hides (J. Marriott and
// J. Pope, "Bias in the estimation of autocorrelations", Biometrika 41, 1954).
double correlation_of(std::span<const double> series, double squares) {
  double products = 0;
  for (size_t i = 1; i < series.size(); ++i) products += series[i] * series[i - 1];
  const auto count = static_cast<double>(series.size());
  const double found = products / squares;
  if (found < kTellingCorrelation / std::sqrt(count)) return 0;
  return std::min(found + (1 + 3 * found) / count, kMaxCorrelation);
}

// Adds the samples of one contribution.
class Adder {
 public:
  Adder(const Measure& measure, Uncertainty& sum) : measure_(measure), sum_(sum) {}

  void add(ContributionId id) {
    values_.clear();
    rows_.clear();
    for (uint32_t i = 0; i < measure_.sample_count(); ++i) {
      const int64_t value = measure_.series.at(id.value, measure_.samples.used[i]);
      if (value == Series::kAbsent) continue;
      values_.push_back(value);
      rows_.push_back(i);
    }
    if (values_.empty()) return;
    find_influences(values_, measure_.statistic, measure_.slack[id.value], found_);
    for (size_t i = 0; i < rows_.size(); ++i) sum_.influences[rows_[i]] += found_.of_value[i];
    // The samples that count are those of the contributions that vary.
    const double squares = squares_of(found_.of_value);
    squares_ += squares;
    kept_ += squares * found_.kept;
    if (measure_.unsure.empty()) return;
    sum_.unsure += measure_.unsure[id.value];
    sum_.unsure_squares += measure_.unsure[id.value] * measure_.unsure[id.value];
  }

  void finish() {
    sum_.kept = squares_ > 0 ? kept_ / squares_ : static_cast<double>(measure_.sample_count());
  }

 private:
  const Measure& measure_;
  Uncertainty& sum_;
  std::vector<int64_t> values_;
  std::vector<uint32_t> rows_;
  Influences found_;
  double squares_ = 0;
  double kept_ = 0;
};

}  // namespace

std::optional<Uncertainty> uncertainty_of(const Measure& measure,
                                          std::span<const ContributionId> contributions) {
  if (!has_interval(measure)) return std::nullopt;
  Uncertainty sum;
  sum.influences.resize(measure.sample_count());
  // Sums of fractions depend on the order in the last digit: every surface has the same one.
  std::vector<ContributionId> ascending(contributions.begin(), contributions.end());
  std::sort(ascending.begin(), ascending.end());
  Adder adder(measure, sum);
  Amount amount;
  for (const ContributionId id : ascending) {
    go_on(1 + measure.sample_count() / 16);
    adder.add(id);
    amount += measure.self[id.value].amount;
  }
  adder.finish();
  sum.amount = measure.shown(amount);
  return sum;
}

Precision precision_of(const Uncertainty& of) {
  const double squares = squares_of(of.influences);
  const double kept = std::max(of.kept, 2.0);
  if (squares == 0) return {0, kept - 1};
  const auto count = static_cast<double>(of.influences.size());
  const double correlation = correlation_of(of.influences, squares);
  const double alike = (1 + correlation) / (1 - correlation);  // so many tell as much as one
  return {squares / (count * count) * kept / (kept - 1) * alike, std::max(1.0, (kept - 1) / alike)};
}

double half_width(const Uncertainty& of) {
  const Precision precision = precision_of(of);
  // The errors of several clocked events add up like those of random steps, but to no more than all.
  const double clock = std::min(of.unsure, kNormalQuantile * std::sqrt(of.unsure_squares / 3));
  const double half = precision.variance == 0
                          ? 0
                          : student_quantile(precision.freedom) * std::sqrt(precision.variance);
  return std::hypot(half, clock);
}

std::optional<Interval> interval_of(const std::optional<Uncertainty>& of) {
  if (!of) return std::nullopt;
  const double half = half_width(*of);
  return Interval{std::max(0.0, of->amount - half), of->amount + half};
}

bool are_tied(const std::optional<Uncertainty>& a, const std::optional<Uncertainty>& b) {
  if (!a || !b) return false;
  Uncertainty difference;
  difference.influences.reserve(a->influences.size());
  for (size_t i = 0; i < a->influences.size(); ++i)
    difference.influences.push_back(a->influences[i] - b->influences[i]);
  difference.kept = std::min(a->kept, b->kept);
  difference.unsure = a->unsure + b->unsure;
  difference.unsure_squares = a->unsure_squares + b->unsure_squares;
  return std::abs(a->amount - b->amount) <= half_width(difference);
}

}  // namespace etlens
