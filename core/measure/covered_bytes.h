// SPDX-License-Identifier: Apache-2.0
// CoveredBytes: how many bytes a changing set of ranges covers, whatever overlaps. Each change
// takes logarithmic time, so that no plan, however damaged, takes long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etlens {

class CoveredBytes {
 public:
  // `bounds`: begin and end of every range that will ever be in the set.
  explicit CoveredBytes(std::vector<uint64_t> bounds);

  void add(uint64_t begin, uint64_t end) { change(begin, end, 1); }
  // Only what was added.
  void remove(uint64_t begin, uint64_t end) { change(begin, end, -1); }
  uint64_t total() const { return nodes_.empty() ? 0 : nodes_[1].covered; }

 private:
  // A node of a segment tree over the spans between the bounds.
  struct Node {
    int32_t whole = 0;  // ranges that hold all of it and not all of its parent
    uint64_t covered = 0;
  };

  void change(uint64_t begin, uint64_t end, int32_t step);
  void change(size_t node, size_t first, size_t last, size_t from, size_t to, int32_t step);
  size_t index_of(uint64_t bound) const;

  std::vector<uint64_t> bounds_;  // distinct, ascending
  std::vector<Node> nodes_;
};

}  // namespace etlens
