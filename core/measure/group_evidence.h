// SPDX-License-Identifier: Apache-2.0
// What tells executions of one block apart: the events whose work depends on a symbolic size, and
// those whose work does not.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/join/join.h"
#include "core/measure/group_split.h"
#include "core/measure/series.h"
#include "core/measure/symbolic_work.h"

namespace etlens {

// Columns are `samples`, ascending. No rows where nothing scales.
GroupSignals group_signals(const Join& join, const SymbolicWork& work, const Series& series,
                           std::span<const uint32_t> samples);

// Of each execution a number that tells it from others by the sizes of the values that it logged: by
// the inputs' symbolic size where these values show it. Empty if that is not known of all.
std::vector<uint32_t> groups_by_logged_sizes(const Join& join, const SymbolicWork& work);

// The size that the inputs' one symbol had in the sample, by the values that it logged; nullopt if
// they do not show it, or contradict each other.
std::optional<int64_t> logged_size(const Join& join, const SymbolicWork& work, uint32_t sample);

}  // namespace etlens
