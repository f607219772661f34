// SPDX-License-Identifier: Apache-2.0
// Labels: what is known of an event beside its time, as names and values. Viewers show them as the
// arguments of a slice; every form that has such arguments has the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/export/export.h"

namespace etlens {

struct Label {
  std::string_view name;
  std::variant<std::string, int64_t> value;
};

// Of those that are known, in this order: source ("layers.py:43" with the path of the file here or
// as recorded), function, text, module, module type, operator, confidence, part, instruction,
// delegate, delegate call.
std::vector<Label> labels_of(const ExportInput& input, ContributionId id);

// Why a slice stands where it stands, if the dump does not say when it began: the label "start".
// `step`: to which the backend cuts durations; 0 if it does not.
Label in_order_label(const ExportInput& input, double step);

// Where a recorded line is now, with its file as it is here; as recorded where it is not found.
struct SourcePlace {
  std::string path;
  uint32_t line = 0;  // 1-based
};
SourcePlace source_place(const ExportInput& input, LineId line);

// "attend (layers.py:40)": functions of one name in other files and other classes are others.
// `definition`: the line of its definition, 1-based.
std::string function_name(const Facts& facts, LineId line, uint32_t definition);

// What kind of slice it is: "execution", "instruction", "kernel", "delegate", "framework".
std::string_view category_of(const Facts& facts, ContributionId id);

// Whole nanoseconds; a cycle counts as one. The greatest number for what does not fit.
inline uint64_t nanoseconds(uint64_t ticks, TimeScale clock) {
  uint64_t factor = 1;
  if (clock == TimeScale::Microseconds) factor = 1'000;
  if (clock == TimeScale::Milliseconds) factor = 1'000'000;
  if (clock == TimeScale::Seconds) factor = 1'000'000'000;
  uint64_t product = 0;  // a division, for each of millions of slices, is slow
  return __builtin_mul_overflow(ticks, factor, &product) ? UINT64_MAX : product;
}

}  // namespace etlens
