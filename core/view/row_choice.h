// SPDX-License-Identifier: Apache-2.0
// Which rows of a list somebody asked for.
#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace etlens {

// Rows of a table by their indices, in the order in which they are listed; nullopt: all of them as
// they come. Of JSON, whose arrays have the rows of tables.
using RowChoice = std::optional<std::vector<size_t>>;

// `count` rows as chosen.
inline std::vector<size_t> chosen_rows(const RowChoice& rows, size_t count) {
  if (rows) return *rows;
  std::vector<size_t> all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

}  // namespace etlens
