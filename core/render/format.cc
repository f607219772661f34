// SPDX-License-Identifier: Apache-2.0
#include "core/render/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <string_view>

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

// So much of a unit already prints as 1.00 of it.
constexpr double kRoundsUp = 0.9995;

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

std::string in_units(double value, std::span<const Unit> units) {
  if (value == 0) return fmt::format("0 {}", units.back().name);
  for (const Unit& unit : units) {
    if (std::fabs(value) >= unit.size * kRoundsUp)
      return fmt::format("{} {}", three_digits(value / unit.size), unit.name);
  }
  return fmt::format("{} {}", three_digits(value), units.back().name);
}

// In a unit that the user chose, small values keep their digits.
std::string three_digits_below_one(double value) {
  const double size = std::fabs(value);
  if (size == 0) return "0";
  if (size >= kRoundsUp || size < 1e-9) return three_digits(value);
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

// "<1 µs", "<0.001 ms": a bound, which has no more digits than it needs.
std::string below(double bound, std::string_view unit) {
  const int digits = bound < 1 ? -static_cast<int>(std::floor(std::log10(bound))) : 0;
  return fmt::format("<{:.{}f} {}", bound, digits, unit);
}

// In the smallest unit: nanoseconds or cycles.
double in_smallest(double ticks, TimeScale source) {
  if (source == TimeScale::Cycles) return ticks;
  return ticks / scale_factor(source, TimeScale::Nanoseconds);
}

// The unit that the user chose, if the times can be shown in it.
std::optional<TimeScale> chosen_unit(TimeStyle style) {
  const bool fits =
      style.unit && style.source != TimeScale::Cycles && is_convertible(style.source, *style.unit);
  return fits ? style.unit : std::nullopt;
}

std::string below_time(double ticks, TimeStyle style) {
  if (const std::optional<TimeScale> unit = chosen_unit(style))
    return below(ticks / scale_factor(style.source, *unit), unit_name(*unit));
  const double bound = in_smallest(ticks, style.source);
  const auto& units = style.source == TimeScale::Cycles ? kCycleUnits : kTimeUnits;
  for (const Unit& unit : units) {
    if (bound >= unit.size) return below(bound / unit.size, unit.name);
  }
  return below(bound, units.back().name);
}

}  // namespace

double size_of_unit(std::string_view name) {
  if (name == "%") return 0.01;
  for (const auto& units : {kTimeUnits, kCycleUnits, kByteUnits}) {
    for (const Unit& unit : units) {
      if (unit.name == name) return unit.size;
    }
  }
  return 1;
}

std::string format_time(double ticks, TimeStyle style) {
  const double value = in_smallest(ticks, style.source);
  if (value > 0 && value < kRoundsUp) return below_time(ticks / value, style);
  if (const std::optional<TimeScale> unit = chosen_unit(style)) {
    const double in_unit = ticks / scale_factor(style.source, *unit);
    return fmt::format("{} {}", three_digits_below_one(in_unit), unit_name(*unit));
  }
  return in_units(value, style.source == TimeScale::Cycles ? kCycleUnits : kTimeUnits);
}

std::string format_bytes(double bytes) { return in_units(bytes, kByteUnits); }

std::string format_value(const Facts& facts, double value, std::optional<TimeScale> unit) {
  if (value == 0 && facts.clock_stands()) return "–";  // not timed
  switch (facts.quantity().dimension) {
    case Dimension::Time:
      return format_time(value, {facts.quantity().ticks, unit});
    case Dimension::Bytes:
      return format_bytes(value);
    case Dimension::Error:
      return format_share(value);
    case Dimension::Count:
      break;
  }
  return fmt::format("{:.4g}", value);
}

std::string format_cost(const Facts& facts, const Cost& cost, std::optional<TimeScale> unit) {
  if (cost.below > 0 && facts.quantity().dimension == Dimension::Time)
    return below_time(cost.below, {facts.quantity().ticks, unit});
  return format_value(facts, cost.value, unit);
}

std::string format_measured(const Facts& facts, double value,
                            std::span<const ContributionId> contributions,
                            std::optional<TimeScale> unit) {
  const double step = value == 0 ? facts.clock_step(contributions) : 0;
  if (step > 0) return below_time(step, {facts.quantity().ticks, unit});
  return format_value(facts, value, unit);
}

std::string format_cost_share(const Facts& facts, const Cost& cost, std::optional<TimeScale> unit) {
  const std::string share = format_share(cost.share);
  if (facts.quantity().is_share()) return share;
  return fmt::format("{} {}", format_cost(facts, cost, unit), share);
}

std::string_view whole_of(const Facts& facts) {
  if (!facts.quantity().whole.empty()) return facts.quantity().whole;
  const std::string_view method = facts.code().method_name();
  return method.empty() ? "Method::execute" : method;
}

std::string share_words(const Facts& facts, const Cost& cost) {
  return fmt::format("{} of {}", format_share(cost.share), whole_of(facts));
}

std::string format_level(double level) {
  if (std::isinf(level)) return level > 0 ? "exact" : "SNR -inf dB";
  return fmt::format("SNR {:.0f} dB", level);
}

std::string line_summary(const Facts& facts, LineId id, std::optional<TimeScale> unit) {
  const LineFacts line = facts.line(id);
  const bool is_own = line.self.amount > Amount() || line.self.below > 0;
  const Cost& cost = is_own ? line.self : line.inclusive;
  if (cost.amount <= Amount() && cost.below == 0) return "";
  const Quantity& quantity = facts.quantity();
  std::string text = share_words(facts, cost);
  if (is_own && line.level) text = fmt::format("{}, {}", format_level(*line.level), text);
  if (!quantity.is_share()) {
    const std::string amount = format_cost(facts, cost, unit);
    text = quantity.at.empty()
               ? fmt::format("{}, {}", amount, text)
               : fmt::format("{} {}, {} of it", amount, quantity.at, format_share(cost.share));
  }
  return is_own ? text : text + ", in what it calls";
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
  if (percent < 0) return percent > -0.1 ? "0%" : fmt::format("-{}", format_share(-fraction));
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

int heat_of(const Facts& facts, const Cost& cost) {
  return facts.has_operators() ? 0 : heat_level(cost.share);
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace etlens
