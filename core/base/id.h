// SPDX-License-Identifier: Apache-2.0
// Id<Tag>: a 32-bit row number that cannot be mistaken for a row of another table.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace etlens {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

template <typename Tag>
struct Id {
  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t row) : value(static_cast<uint32_t>(row)) {}

  constexpr bool valid() const { return value != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace etlens

template <typename Tag>
struct std::hash<etlens::Id<Tag>> {
  size_t operator()(etlens::Id<Tag> id) const noexcept { return id.value * 0x9E3779B97F4A7C15ull; }
};
