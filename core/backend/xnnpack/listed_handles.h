// SPDX-License-Identifier: Apache-2.0
// Alignment of an XNNPACK call's events without its payload: only with the handles that the record
// lists for the call, in the payload's order. Never certain.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"

namespace etlens {

// A node of a listed handle: positions in the list, and among the nodes of the handle.
struct ListedNode {
  uint32_t handle = 0;
  uint32_t node = 0;
};
// Per event the nodes that it may be of, those of the likeliest handle first; empty: unknown.
using XnnpackHandleMatches = std::vector<std::vector<ListedNode>>;

// `handles`: for each listed handle the base operators of all its nodes, of which only some may be
// in the call. `names`: the call's events in the order in which they were reported.
XnnpackHandleMatches align_xnnpack_handles(std::span<const std::vector<std::string_view>> handles,
                                           std::span<const std::string_view> names);

// How many of the events contradict the handles: names that no handle may report under, products
// (of convolutions, linears, matrices) that are missing on one side, quantized values on one side
// only. 0 for a call of the export that the handles are from. What libraries fold and insert is no
// contradiction.
size_t count_contradictions(std::span<const ListedHandle> handles,
                            std::span<const std::string_view> names);

// True for names of operators that exporters insert to change layouts and types.
bool is_xnnpack_layout_name(std::string_view event_name);

}  // namespace etlens
