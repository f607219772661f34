// SPDX-License-Identifier: Apache-2.0
// Which part of a tensor a subscript is of, against the nodes that find the part: by the dimensions,
// indices and bounds of both, be they numbers or sizes that only a run of the program knows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/recover/interpreter/value.h"
#include "core/recover/units.h"

namespace etlens::recover {

inline constexpr int64_t kToTheEnd = 1LL << 40;  // slices to the end have larger bounds

// Whether x[indices] may be what these nodes read.
bool reads_part(const GraphUnits& graph, std::span<const NodeId> nodes,
                const std::vector<Value>& indices);
// Whether x[indices] may be what these nodes find, to write to it or to compute with it in place.
// If x is a view, or not what the nodes begin with, they may find x first.
bool writes_part(const GraphUnits& graph, std::span<const NodeId> nodes, Value x,
                 const std::vector<Value>& indices);
// slice: x[slice] of a dimension of this size is empty, as far as that is known.
bool is_empty_slice(Value slice, Value size);

}  // namespace etlens::recover
