// SPDX-License-Identifier: Apache-2.0
// The table of the Inspector's calculate_numeric_gap (ExecuTorch 1.0 to 1.5), from the values that
// it got on the host: its way of pairing them with the runtime's, its arithmetic, its order of
// rows. Where it raises, etlens's own pairing answers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/values/value_reference.h"

namespace etlens {

enum class GapMetric : uint8_t { Mse, L1, Snr };
// "MSE", "L1", "SNR".
std::string_view name_of(GapMetric metric);
std::optional<GapMetric> parse_gap_metric(std::string_view name);

struct InspectorGapRow {
  std::vector<DebugHandle> handles;  // of the runtime's side, and so of the host's
  std::vector<std::string> ops;      // events
  std::vector<double> gap;           // one; more only where the Inspector raises, none if nothing
                                     // can be compared
  std::string note;                  // why this row is not the Inspector's; "" if it is
};

// Of the first execution. `arrays`: of the host, one handle each.
std::vector<InspectorGapRow> inspector_gaps(const ValueSide& side,
                                            std::span<const HandleArray> arrays, GapMetric metric);

}  // namespace etlens
