// SPDX-License-Identifier: Apache-2.0
// The sum under every report: where one execution's time went, adding up to Method::execute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/workspace/snapshot.h"

namespace etlens {

// "on source lines", "framework", …
std::string_view describe(TimePart part);

struct SummaryRow {
  std::string label;
  uint64_t ticks = 0;  // over all executions
  std::string note;    // "" or a remark such as "up to 3.00 µs of it is rounding"
};

// One row per part that is not zero (lines always), in the order of TimePart.
std::vector<SummaryRow> summary_rows(const ProfileSnapshot& snapshot);

// "method forward, block Execute, average of 10 executions".
std::string describe_selection(const ProfileSnapshot& snapshot);

// The rows with times and shares, the total, the load time, and executions that are far off.
std::string summary_text(const ProfileSnapshot& snapshot);

}  // namespace etlens
