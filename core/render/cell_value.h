// SPDX-License-Identifier: Apache-2.0
// What a cell of a table says, so that rows can be ordered by what their reader sees.
#pragma once

#include <optional>
#include <string_view>

namespace etlens {

// The number at the front of a cell in the smallest unit of its kind: "12.4 ms" is 12.4 million
// (nanoseconds), "61%" 0.61, "2.4×" a change by 1.4, "10–12" 10, "<1 µs" a little less than 1000.
// nullopt if the cell begins with no number.
std::optional<double> cell_value(std::string_view cell);

}  // namespace etlens
