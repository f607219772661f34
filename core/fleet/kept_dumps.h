// SPDX-License-Identifier: Apache-2.0
// What single dumps of a fleet say of all places together, which distributions no longer tell. When
// there are more values than may be kept, a sample of the dumps stays: every second one, every
// fourth one, … by the hash of their content, so that neither their order nor how often a dump is
// given matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace etlens {

struct KeptDump {
  size_t group = 0;
  std::vector<float> values;  // by place; below 0 where the dump does not have it
};

class KeptDumps {
 public:
  explicit KeptDumps(size_t most_values) : most_values_(most_values) {}

  // `dump`: the hash of its content.
  void add(uint64_t dump, size_t group, size_t place, double value);
  // Of the smallest hash first. `places` and `groups`: what the numbers given so far are now.
  std::vector<KeptDump> take(const std::vector<size_t>& places, const std::vector<size_t>& groups);
  // One dump in so many was kept.
  uint64_t one_in() const { return one_in_; }

 private:
  bool is_kept(uint64_t dump) const { return dump % one_in_ == 0; }

  size_t most_values_;
  size_t values_ = 0;
  uint64_t one_in_ = 1;
  std::unordered_map<uint64_t, KeptDump> dumps_;
};

}  // namespace etlens
