// SPDX-License-Identifier: Apache-2.0
#include "core/base/time_scale.h"

#include <array>
#include <utility>

namespace etlens {
namespace {

constexpr std::array<std::pair<TimeScale, std::string_view>, 5> kNames{
    {{TimeScale::Nanoseconds, "ns"},
     {TimeScale::Microseconds, "us"},
     {TimeScale::Milliseconds, "ms"},
     {TimeScale::Seconds, "s"},
     {TimeScale::Cycles, "cycles"}}};

double per_second(TimeScale scale) {
  switch (scale) {
    case TimeScale::Nanoseconds:
      return 1e9;
    case TimeScale::Microseconds:
      return 1e6;
    case TimeScale::Milliseconds:
      return 1e3;
    default:
      return 1;
  }
}

}  // namespace

std::string_view name_of(TimeScale scale) { return kNames[static_cast<size_t>(scale)].second; }

std::optional<TimeScale> parse_time_scale(std::string_view name) {
  for (const auto& [scale, text] : kNames) {
    if (text == name) return scale;
  }
  return std::nullopt;
}

double scale_factor(TimeScale source, TimeScale target) {
  return per_second(source) / per_second(target);
}

bool is_convertible(TimeScale source, TimeScale target) {
  return (source == TimeScale::Cycles) == (target == TimeScale::Cycles);
}

}  // namespace etlens
