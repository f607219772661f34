// SPDX-License-Identifier: Apache-2.0
#include "core/render/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace etlens {
namespace {

struct Unit {
  double size;  // in the smallest unit
  std::string_view name;
};

constexpr std::array<Unit, 4> kTimeUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
constexpr std::array<Unit, 4> kCycleUnits{
    {{1e9, "Gcyc"}, {1e6, "Mcyc"}, {1e3, "kcyc"}, {1, "cyc"}}};
constexpr std::array<Unit, 4> kByteUnits{{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

std::string in_units(double value, std::span<const Unit> units) {
  if (value == 0) return fmt::format("0 {}", units.back().name);
  for (const Unit& unit : units) {
    // 0.9995 of a unit already prints as 1.00 of it.
    if (std::fabs(value) >= unit.size * 0.9995) {
      return fmt::format("{} {}", three_digits(value / unit.size), unit.name);
    }
  }
  return fmt::format("{} {}", three_digits(value), units.back().name);
}

// In a unit that the user chose, small values keep their digits.
std::string three_digits_below_one(double value) {
  const double size = std::fabs(value);
  if (size == 0) return "0";
  if (size >= 0.9995 || size < 1e-9) return three_digits(value);
  return fmt::format("{:.{}f}", value, 2 - static_cast<int>(std::floor(std::log10(size))));
}

std::string_view unit_name(TimeScale unit) {
  switch (unit) {
    case TimeScale::Nanoseconds:
      return "ns";
    case TimeScale::Microseconds:
      return "µs";
    case TimeScale::Milliseconds:
      return "ms";
    case TimeScale::Seconds:
      return "s";
    case TimeScale::Cycles:
      return "cyc";
  }
  return "";
}

}  // namespace

std::string format_time(double ticks, TimeStyle style) {
  const bool cycles = style.source == TimeScale::Cycles;
  if (style.unit && !cycles && is_convertible(style.source, *style.unit)) {
    const double in_unit = ticks / scale_factor(style.source, *style.unit);
    return fmt::format("{} {}", three_digits_below_one(in_unit), unit_name(*style.unit));
  }
  const double value = cycles ? ticks : ticks / scale_factor(style.source, TimeScale::Nanoseconds);
  return in_units(value, cycles ? kCycleUnits : kTimeUnits);
}

std::string format_reported(double value, DelegateUnit unit) {
  switch (unit) {
    case DelegateUnit::Ticks:
    case DelegateUnit::Nanoseconds:
      return format_time(value, TimeScale::Nanoseconds);
    case DelegateUnit::Microseconds:
      return format_time(value, TimeScale::Microseconds);
    case DelegateUnit::Cycles:
      return format_time(value, TimeScale::Cycles);
    case DelegateUnit::Bytes:
      return in_units(value, kByteUnits);
    case DelegateUnit::Count:
    case DelegateUnit::Counter:
      break;
  }
  return fmt::format("{:g} ({})", value, name_of(unit));
}

std::string format_share(double fraction) {
  const double percent = fraction * 100;
  if (percent == 0) return "0%";
  if (percent < 0.1) return "<0.1%";
  // Almost everything is not everything.
  if (percent >= 99.5 && percent < 100) return fmt::format("{:.1f}%", std::fmin(percent, 99.9));
  return percent >= 9.95 ? fmt::format("{:.0f}%", percent) : fmt::format("{:.1f}%", percent);
}

int heat_level(double share) {
  const double heat = std::sqrt(std::fmax(share, 0));
  if (heat >= 0.45) return 4;  // from 20 % of the time
  if (heat >= 0.26) return 3;  // from 7 %
  if (heat >= 0.14) return 2;  // from 2 %
  if (heat >= 0.07) return 1;  // from 0.5 %
  return 0;
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace etlens
