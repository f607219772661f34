// SPDX-License-Identifier: Apache-2.0
// The colours of a terminal that etlens writes.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace etlens {

inline constexpr std::string_view kDim = "\x1b[2m";
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kRed = "\x1b[31m";
inline constexpr std::string_view kGreen = "\x1b[32m";
// By heat_level, cold first.
inline constexpr std::array<std::string_view, 5> kHeatColors{kDim, "\x1b[36m", "\x1b[33m",
                                                             "\x1b[38;5;208m", "\x1b[1;31m"};

// `text` in `color`; as it is without one.
inline std::string painted(std::string_view color, std::string_view text) {
  if (color.empty() || text.empty()) return std::string(text);
  return std::string(color) + std::string(text) + "\x1b[0m";
}

}  // namespace etlens
