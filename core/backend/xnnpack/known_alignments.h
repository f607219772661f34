// SPDX-License-Identifier: Apache-2.0
// The alignments of a method's XNNPACK calls. Layers of a model are calls with equal operators, and
// log equal names: their events are aligned once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/backend/call_placer.h"
#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/listed_handles.h"

namespace etlens {

class KnownAlignments final : public CallMemory {
 public:
  // What the calls before this one left, or the first of its kind.
  static std::shared_ptr<KnownAlignments> of(const DelegateCall& call);

  // As align_xnnpack. Never null.
  std::shared_ptr<const XnnpackAlignment> align(const XnnpackPayload& payload,
                                                std::span<const std::string_view> names);
  // As align_xnnpack_handles. Never null.
  std::shared_ptr<const XnnpackHandleMatches> align_handles(
      std::span<const std::vector<std::string_view>> handles,
      std::span<const std::string_view> names);

 private:
  template <typename Alignment>
  using ByText = std::unordered_map<std::string, std::shared_ptr<const Alignment>>;

  ByText<XnnpackAlignment> by_payload_;
  ByText<XnnpackHandleMatches> by_handles_;
};

}  // namespace etlens
