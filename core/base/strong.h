// SPDX-License-Identifier: Apache-2.0
// Strong<Tag, Rep>: a number that names something. Numbers of different tags do not convert into
// each other, and nothing is calculated with them. A plain Rep becomes one unasked, so that
// literals stay short; the way back is `.value`.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace etlens {

template <typename Tag, typename Rep>
struct Strong {
  Rep value{};

  constexpr Strong() = default;
  constexpr Strong(Rep number) : value(number) {}

  friend constexpr auto operator<=>(Strong, Strong) = default;
};

}  // namespace etlens

template <typename Tag, typename Rep>
struct std::hash<etlens::Strong<Tag, Rep>> {
  size_t operator()(etlens::Strong<Tag, Rep> number) const noexcept {
    return std::hash<Rep>()(number.value);
  }
};
