// SPDX-License-Identifier: Apache-2.0
// What is measured, and how one number is made of many samples.
#pragma once

#include <cstddef>
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

  // The number that a surface shows for an amount over `samples` samples, in the quantity's unit.
  double shown(Amount amount, size_t samples) const {
    const auto value = static_cast<double>(amount.value);
    const bool is_mean = over_samples == OverSamples::Mean && samples > 0;
    return is_mean ? value / static_cast<double>(samples) : value;
  }
};

}  // namespace etlens
