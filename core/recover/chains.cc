// SPDX-License-Identifier: Apache-2.0
#include "core/recover/chains.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens::recover {

uint32_t Chains::extended(uint32_t chain, std::span<const PredictedFrame> frames) {
  for (const PredictedFrame& frame : frames) {
    go_on();
    const auto [at, is_new] =
        rows_.try_emplace({chain, frame.file, frame.line, frame.site, frame.function},
                          static_cast<uint32_t>(links_.size()));
    if (is_new) links_.push_back({chain, frame});
    chain = at->second;
  }
  return chain;
}

uint32_t Chains::joined(uint32_t outer, uint32_t inner) {
  if (outer == kEmpty) return inner;
  const auto [at, is_new] = joined_.try_emplace(uint64_t{outer} << 32 | inner, kEmpty);
  if (is_new) at->second = extended(outer, frames_of(inner));
  return at->second;
}

uint32_t Chains::last_of(uint32_t chain) {
  return chain == kEmpty ? kEmpty : id_of(std::vector{links_[chain].frame});
}

std::vector<PredictedFrame> Chains::frames_of(uint32_t chain) const {
  std::vector<PredictedFrame> frames;
  for (; chain != kEmpty; chain = links_[chain].outer) frames.push_back(links_[chain].frame);
  std::reverse(frames.begin(), frames.end());
  return frames;
}

}  // namespace etlens::recover
