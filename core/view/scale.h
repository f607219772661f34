// SPDX-License-Identifier: Apache-2.0
// The unit in which the numbers of a view are.
#pragma once

#include <string_view>

#include "core/base/time_scale.h"
#include "core/facts/facts.h"

namespace etlens {

// The unit of plain numbers: times are in `target`; "bytes", "share", "count".
std::string_view unit_of(const Facts& facts, TimeScale target);

class Scale {
 public:
  Scale(const Facts& facts, TimeScale target);

  // Of an amount in the quantity's unit: ticks of one execution, if it is a time.
  double of(double amount) const { return amount / factor_; }
  double of(Amount amount) const { return of(static_cast<double>(amount.value)); }
  double of(const Cost& cost) const { return of(cost.value); }
  double factor() const { return factor_; }
  bool is_time() const { return is_time_; }
  std::string_view unit() const { return unit_; }

 private:
  bool is_time_;
  double factor_;  // of the quantity's unit in one of the target's
  std::string_view unit_;
};

}  // namespace etlens
