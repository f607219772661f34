// SPDX-License-Identifier: Apache-2.0
// Chains: stacks of found frames, each distinct one once. Nodes of one line share theirs, and so do
// all layers that repeat: what is said of a node is a number.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/recover/interpreter/task.h"

namespace etlens::recover {

class Chains {
 public:
  static constexpr uint32_t kEmpty = 0;

  uint32_t id_of(std::span<const PredictedFrame> frames) { return extended(kEmpty, frames); }
  // `inner` called from where `outer` ends.
  uint32_t joined(uint32_t outer, uint32_t inner);
  // The last frame alone.
  uint32_t last_of(uint32_t chain);
  // Outermost first.
  std::vector<PredictedFrame> frames_of(uint32_t chain) const;
  size_t size() const { return links_.size(); }

 private:
  // A chain is one that is a frame shorter, and the frame.
  struct Link {
    uint32_t outer = kEmpty;
    PredictedFrame frame;
  };
  using Key = std::tuple<uint32_t, const SourceFile*, uint32_t, uint32_t, std::string_view>;

  uint32_t extended(uint32_t chain, std::span<const PredictedFrame> frames);

  std::vector<Link> links_{1};
  std::map<Key, uint32_t> rows_;
  std::unordered_map<uint64_t, uint32_t> joined_;  // by outer and inner
};

}  // namespace etlens::recover
