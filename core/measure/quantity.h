// SPDX-License-Identifier: Apache-2.0
// What is measured, how one number is made of many samples, and the words for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/time_scale.h"
#include "core/measure/amount.h"

namespace etlens {

enum class Dimension { Time, Bytes, Count, Error };

// What the amounts of several samples are as one number: the time of an execution is a mean, memory
// is what was needed at most.
enum class OverSamples { Mean, Maximum, Last };

struct Quantity {
  std::string_view id;     // stable: "time"
  std::string_view label;  // for people: "time"
  Dimension dimension = Dimension::Time;
  OverSamples over_samples = OverSamples::Mean;
  TimeScale ticks = TimeScale::Nanoseconds;  // of Dimension::Time
  int64_t per_unit = 1;                      // amounts in one of the unit that is shown
  // Words of an amount: when it is what it is ("at the peak"; "" for always), and what all amounts
  // are together ("the peak"; "" for the method).
  std::string_view at;
  std::string_view whole;
  std::string_view framework;  // what is in Part::Framework; "" for the runtime

  // An amount is a part of the whole and nothing else.
  bool is_share() const { return dimension == Dimension::Error; }
  // Samples differ, and one number is made of them: only then there is a spread to speak of.
  bool is_sampled() const { return over_samples == OverSamples::Mean; }
  // The number that a surface shows for an amount over `samples` samples, in the quantity's unit.
  double shown(Amount amount, size_t samples) const {
    const double value = static_cast<double>(amount.value) / static_cast<double>(per_unit);
    const bool is_mean = over_samples == OverSamples::Mean && samples > 0;
    return is_mean ? value / static_cast<double>(samples) : value;
  }
};

}  // namespace etlens
