// SPDX-License-Identifier: Apache-2.0
// A comparison for a pull request: one sentence, a table of at most ten rows, the rest folded.
#pragma once

#include <optional>
#include <string>

#include "core/render/diff_rows.h"

namespace etlens {

std::string diff_markdown(const Comparison& comparison, DiffGrouping grouping,
                          std::optional<TimeScale> unit);

}  // namespace etlens
