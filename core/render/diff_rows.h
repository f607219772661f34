// SPDX-License-Identifier: Apache-2.0
// The rows of a comparison that tables and Markdown list.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/compare.h"

namespace etlens {

enum class DiffGrouping { Line, Module, Operator, Partition };
// "line", "module", "operator", "partition".
std::optional<DiffGrouping> parse_diff_grouping(std::string_view name);
std::string_view name_of(DiffGrouping grouping);

struct DiffRow {
  std::string place;
  std::string text;                // the source line, or the module's type
  std::string kernels;             // if they are others than before
  const Change* change = nullptr;  // of the comparison

  bool has_change() const {
    return change->judged.verdict == Verdict::Slower || change->judged.verdict == Verdict::Faster;
  }
  bool is_one_sided() const {
    return change->judged.verdict == Verdict::Gone || change->judged.verdict == Verdict::New;
  }
};

// Slower and faster first, then gone and new, then what nobody can tell, then the same; the
// greatest difference first. Rows without any time are left out. `comparison` must outlive the
// rows.
std::vector<DiffRow> diff_rows(const Comparison& comparison, DiffGrouping grouping);

// "4 more lines: 3 the same, 1 cannot tell"; "" for no rows.
std::string rest_text(const std::vector<DiffRow>& rows, size_t first, DiffGrouping grouping);

}  // namespace etlens
