// SPDX-License-Identifier: Apache-2.0
// The alignments of a method's XNNPACK calls. Layers of a model are calls with equal operators, and
// log equal names: their events are aligned once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/backend/call_placer.h"
#include "core/backend/xnnpack/alignment.h"

namespace etlens {

class KnownAlignments final : public CallMemory {
 public:
  // What the calls before this one left, or the first of its kind.
  static std::shared_ptr<KnownAlignments> of(const DelegateCall& call);

  // As align_xnnpack. Never null.
  std::shared_ptr<const XnnpackAlignment> align(const XnnpackPayload& payload,
                                                std::span<const std::string_view> names);

 private:
  std::unordered_map<std::string, std::shared_ptr<const XnnpackAlignment>> known_;
};

}  // namespace etlens
