// SPDX-License-Identifier: Apache-2.0
#include "core/view/scale.h"

namespace etlens {

std::string_view unit_of(const Facts& facts, TimeScale target) {
  switch (facts.quantity().dimension) {
    case Dimension::Time:
      return name_of(target);
    case Dimension::Bytes:
      return "bytes";
    case Dimension::Error:
      return "share";
    case Dimension::Count:
      break;
  }
  return "count";
}

Scale::Scale(const Facts& facts, TimeScale target)
    : is_time_(facts.quantity().dimension == Dimension::Time),
      factor_(is_time_ ? scale_factor(facts.quantity().ticks, target) : 1),
      unit_(unit_of(facts, target)) {}

}  // namespace etlens
