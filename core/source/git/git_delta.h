// SPDX-License-Identifier: Apache-2.0
// One version of an object as what has to be changed in another: pieces of that, and new bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etlens {

struct GitDeltaSizes {
  uint64_t base = 0;
  uint64_t result = 0;
};

inline constexpr size_t kMaxGitDeltaSizes = 20;  // bytes that the two numbers take at most

// Takes the two numbers off the front of `delta`.
std::optional<GitDeltaSizes> take_git_delta_sizes(std::string_view& delta);

// Nothing if `delta` is damaged, is of another base, or makes more than `limit` bytes.
std::optional<std::string> apply_git_delta(std::string_view base, std::string_view delta,
                                           size_t limit);

}  // namespace etlens
