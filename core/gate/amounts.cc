// SPDX-License-Identifier: Apache-2.0
#include "core/gate/amounts.h"

#include <cmath>
#include <span>

#include "core/base/text.h"

namespace etlens {
namespace {

// More than any file, memory or time; it fits into an integer.
constexpr double kMost = 1e18;

struct AmountUnit {
  std::string_view name;
  double size;
};

constexpr AmountUnit kBytes[]{{"B", 1},    {"kB", 1e3},      {"KB", 1e3},      {"MB", 1e6},
                              {"GB", 1e9}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
constexpr AmountUnit kDurations[]{{"ns", 1},          {"us", 1e3}, {"\xC2\xB5s", 1e3},
                                  {"\xCE\xBCs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr AmountUnit kPercent[]{{"%", 0.01}};

// The longest unit that the text ends with, after a number that is not negative.
std::optional<double> parse_amount(std::string_view text, std::span<const AmountUnit> units) {
  const AmountUnit* unit = nullptr;
  for (const AmountUnit& row : units) {
    const bool fits = text.ends_with(row.name);
    if (fits && (unit == nullptr || row.name.size() > unit->name.size())) unit = &row;
  }
  if (unit == nullptr) return std::nullopt;
  const std::string_view digits = trim(text.substr(0, text.size() - unit->name.size()));
  const std::optional<double> number = parse_double(digits);
  if (!number || !std::isfinite(*number) || *number < 0) return std::nullopt;
  // A division by a whole number is exact where the amount is.
  const double amount =
      unit->size < 1 ? *number / std::round(1 / unit->size) : *number * unit->size;
  return amount <= kMost ? std::optional(amount) : std::nullopt;
}

}  // namespace

std::optional<double> parse_bytes(std::string_view text) { return parse_amount(text, kBytes); }
std::optional<double> parse_duration(std::string_view text) {
  return parse_amount(text, kDurations);
}
std::optional<double> parse_percent(std::string_view text) { return parse_amount(text, kPercent); }

}  // namespace etlens
