// SPDX-License-Identifier: Apache-2.0
#include "core/compare/false_discovery.h"

#include <algorithm>
#include <numeric>

namespace etlens {

std::vector<double> adjust_for_many(std::span<const double> ps) {
  std::vector<size_t> order(ps.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return ps[a] < ps[b]; });
  std::vector<double> adjusted(ps.size());
  double least = 1;
  for (size_t rank = order.size(); rank > 0; --rank) {
    const size_t i = order[rank - 1];
    least = std::min(least, ps[i] * static_cast<double>(ps.size()) / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

}  // namespace etlens
