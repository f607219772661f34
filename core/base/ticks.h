// SPDX-License-Identifier: Apache-2.0
// Ticks: a duration in ticks of the clock that logged it. Whole ticks add up exactly; there is no
// product and no quotient. What a measure sums is an Amount (core/measure/amount.h).
#pragma once

#include <compare>
#include <cstdint>

namespace etlens {

struct Ticks {
  int64_t value = 0;

  constexpr Ticks() = default;
  constexpr explicit Ticks(int64_t v) : value(v) {}

  constexpr Ticks& operator+=(Ticks other) { return *this = *this + other; }
  constexpr Ticks& operator-=(Ticks other) { return *this = *this - other; }
  // Sums of what a broken file claims may not fit: they wrap around.
  friend constexpr Ticks operator+(Ticks a, Ticks b) {
    return Ticks(
        static_cast<int64_t>(static_cast<uint64_t>(a.value) + static_cast<uint64_t>(b.value)));
  }
  friend constexpr Ticks operator-(Ticks a, Ticks b) {
    return Ticks(
        static_cast<int64_t>(static_cast<uint64_t>(a.value) - static_cast<uint64_t>(b.value)));
  }
  friend constexpr auto operator<=>(Ticks, Ticks) = default;
};

}  // namespace etlens
