// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kMaxTypos = 2;

// Letters to insert, delete, replace or exchange with their neighbour.
size_t typos_between(std::string_view a, std::string_view b) {
  std::vector<size_t> older;
  std::vector<size_t> before(b.size() + 1);
  std::iota(before.begin(), before.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({row[j] + 1, before[j + 1] + 1, before[j] + (a[i] == b[j] ? 0u : 1u)});
      const bool is_exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_exchanged) row[j + 1] = std::min(row[j + 1], older[j - 1] + 1);
    }
    older = std::move(before);
    before = std::move(row);
  }
  return before.back();
}

}  // namespace

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = kMaxTypos + 1;
  for (const std::string& name : names) {
    go_on(typed.size());
    const size_t typos = name.starts_with(typed) ? 1 : typos_between(typed, name);
    if (typos >= least) continue;
    least = typos;
    nearest = name;
  }
  return nearest;
}

}  // namespace etlens
