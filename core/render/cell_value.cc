// SPDX-License-Identifier: Apache-2.0
#include "core/render/cell_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "12", "0.5", "1e-05": as long as it is a number.
size_t number_length(std::string_view text) {
  size_t end = 0;
  const auto digits = [&] {
    while (end < text.size() && is_digit(text[end])) ++end;
  };
  digits();
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    ++end;
    digits();
  }
  if (end == 0 || end + 1 >= text.size() || text[end] != 'e') return end;
  const size_t sign = text[end + 1] == '-' || text[end + 1] == '+' ? 2 : 1;
  if (end + sign >= text.size() || !is_digit(text[end + sign])) return end;
  end += sign;
  digits();
  return end;
}

}  // namespace

std::optional<double> cell_value(std::string_view cell) {
  std::string_view rest = trim(cell);
  if (rest == "exact") return std::numeric_limits<double>::infinity();  // of an SNR
  const bool is_below = take(rest, "<");
  take(rest, "≈");
  const bool is_negative = take(rest, "-") || take(rest, "−");
  if (!is_negative) take(rest, "+");
  const double sign = is_negative ? -1 : 1;
  if (rest.starts_with("inf")) return sign * std::numeric_limits<double>::infinity();
  const size_t length = number_length(rest);
  const std::optional<double> number = parse_double(rest.substr(0, length));
  if (!number) return std::nullopt;
  rest.remove_prefix(length);
  if (take(rest, "×")) return *number - 1;
  take(rest, " ");
  const double value = sign * *number * size_of_unit(rest.substr(0, rest.find_first_of(" ,")));
  return is_below ? std::nextafter(value, 0.0) : value;
}

}  // namespace etlens
