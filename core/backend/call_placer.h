// SPDX-License-Identifier: Apache-2.0
// What a backend is asked to do with the events of one delegate call, and what it is told for that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/code/node_placement.h"

namespace etlens {

// What a backend keeps of one call for those behind it, because layers of a model repeat each other.
class CallMemory {
 public:
  virtual ~CallMemory() = default;
};

// What the artifacts tell of one delegate call.
struct DelegateCall {
  const MethodContext* context = nullptr;  // never null; outlives the call and what it is given to
  Instruction instruction;
  std::vector<NodeId> nodes;             // that it runs, in graph order
  std::vector<NodeId> payload_order;     // the same in the order in which the backend got them
  std::span<const DebugHandle> handles;  // that the map lists for it; of the context's record
  std::vector<uint8_t> payload;  // the part of it that describes operators; empty without one
  bool is_lowered = false;       // the record holds the module that was lowered
  // Of all calls of the backend, empty before the first of them; null where nothing is kept.
  // Outlives what the call is given to.
  std::shared_ptr<CallMemory>* memory = nullptr;
};

// Places the events of one delegate call. An interface because what a placer prepares once per call
// is different for every backend.
class CallPlacer {
 public:
  virtual ~CallPlacer() = default;

  // One placement per event, `ids` being those of one run of the call in the order in which they
  // were reported, integers in decimal. A placement without a node leaves the event's time with the
  // whole call.
  virtual std::vector<NodePlacement> place(std::span<const std::string_view> ids) = 0;
};

}  // namespace etlens
