// SPDX-License-Identifier: Apache-2.0
// Does what a backend reported inside a call fit what the record has for it? Where a whole model is
// one delegate call, the names of its events are all that tells one model from another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/backend/backend.h"
#include "core/code/method_nodes.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

struct DelegateFit {
  size_t events = 0;         // that could be checked
  size_t agreeing = 0;       // of these
  bool has_payload = false;  // checked against the call's own operators, not only its nodes
};

// Who else uses a method's debug handles.
struct HandleUse {
  // A row, with the kernel's base operator, for each instruction that ran with the handle; sorted.
  std::vector<std::pair<DebugHandle, std::string_view>> ran;
  // The handle once for each delegate call that lists it; sorted.
  std::vector<DebugHandle> calls;
};

// How many events contradicted, by all that was compared: layers of a model repeat each other.
using KnownContradictions = std::unordered_map<std::string, size_t>;

// `names` are the call's events in the order in which they were reported. No event is checked of
// backends that cannot tell, and of records that hold nothing about the call.
DelegateFit fit_delegate_call(const EtRecord& record, const MethodMap& map,
                              const MethodNodes& nodes, Instruction instruction,
                              std::span<const std::string_view> names, const HandleUse& use,
                              const Backends& backends, KnownContradictions& known);

// The distinct handles that the map lists for a delegate call; ascending.
std::vector<DebugHandle> distinct_handles(const EtRecord& record, const MethodMap& map,
                                          Instruction instruction);

}  // namespace etlens
