// SPDX-License-Identifier: Apache-2.0
#include "core/measure/covered_bytes.h"

#include <algorithm>

namespace etlens {

CoveredBytes::CoveredBytes(std::vector<uint64_t> bounds) : bounds_(std::move(bounds)) {
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  if (bounds_.size() > 1) nodes_.resize(4 * (bounds_.size() - 1));
}

size_t CoveredBytes::index_of(uint64_t bound) const {
  return static_cast<size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) -
                             bounds_.begin());
}

void CoveredBytes::change(uint64_t begin, uint64_t end, int32_t step) {
  if (begin < end) change(1, 0, bounds_.size() - 1, index_of(begin), index_of(end), step);
}

// The tree is as deep as the logarithm of its bounds: at most 33 calls within each other.
void CoveredBytes::change(size_t node, size_t first, size_t last, size_t from, size_t to,
                          int32_t step) {
  if (from >= last || to <= first) return;
  Node& row = nodes_[node];
  if (from <= first && last <= to) {
    row.whole += step;
  } else {
    const size_t middle = first + (last - first) / 2;
    change(2 * node, first, middle, from, to, step);
    change(2 * node + 1, middle, last, from, to, step);
  }
  if (row.whole > 0) row.covered = bounds_[last] - bounds_[first];
  else if (last - first == 1) row.covered = 0;
  else row.covered = nodes_[2 * node].covered + nodes_[2 * node + 1].covered;
}

}  // namespace etlens
