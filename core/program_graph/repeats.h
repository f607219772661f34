// SPDX-License-Identifier: Apache-2.0
// Runs of a sequence that come again right behind each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace etlens {

struct Repeat {
  uint32_t first = 0;  // of the tokens
  uint32_t count = 0;  // tokens of one run
  uint32_t times = 0;
};

// Disjoint and ascending: three runs of four tokens at least. From each token on the repeat that
// covers most is taken.
std::vector<Repeat> repeats_in(std::span<const uint32_t> tokens);

}  // namespace etlens
