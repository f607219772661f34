// SPDX-License-Identifier: Apache-2.0
// The order of pstats.Stats.sort_stats: keys, their abbreviations, and what they are called.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens::pstats {

enum class SortField : uint8_t { Primitive, Calls, Own, Cumulative, File, Line, Name, Standard };

struct SortOrder {
  std::vector<SortField> fields;  // most significant first; numbers but lines are largest first
  std::string label;              // "cumulative time, function name"

  bool is_none() const { return fields.empty(); }
};

// `words`: keys such as "cumulative", those beginnings of keys that pstats takes ("cumu", "tot"),
// or one of the numbers -1, 0, 1, 2 of old profilers. None, or "none": the order of the file.
// InvalidParams for other words.
Result<SortOrder> parse_order(std::span<const std::string> words);

// "calls, cumtime, …" for help.
std::string sort_keys();

// Sorts stably.
void sort_functions(const PythonProfile& profile, const SortOrder& order,
                    std::vector<PythonFunctionId>& functions);

}  // namespace etlens::pstats
