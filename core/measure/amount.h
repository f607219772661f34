// SPDX-License-Identifier: Apache-2.0
// Amount: an integer of some quantity (ticks, bytes, …), summed over samples or one of them. Adds
// up exactly. There is no division: what a mean of amounts would be, the quantity says
// (quantity.h).
#pragma once

#include <compare>
#include <cstdint>

#include "core/base/ticks.h"

namespace etlens {

struct Amount {
  int64_t value = 0;

  constexpr Amount() = default;
  constexpr explicit Amount(int64_t v) : value(v) {}
  constexpr explicit Amount(Ticks ticks) : value(ticks.value) {}

  constexpr Amount& operator+=(Amount other) {
    value += other.value;
    return *this;
  }
  constexpr Amount& operator-=(Amount other) {
    value -= other.value;
    return *this;
  }
  friend constexpr Amount operator+(Amount a, Amount b) { return Amount(a.value + b.value); }
  friend constexpr Amount operator-(Amount a, Amount b) { return Amount(a.value - b.value); }
  friend constexpr auto operator<=>(Amount, Amount) = default;
};

}  // namespace etlens
