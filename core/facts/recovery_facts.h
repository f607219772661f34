// SPDX-License-Identifier: Apache-2.0
// What became of the lines inside helpers that the export lost: how much is on lines that were
// found again, and what may still belong to others.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"
#include "core/workspace/recovered_record.h"

namespace etlens {

// Operators of one module call that keep the line that the record gives them.
struct UnrecoveredFacts {
  std::string_view module_path;
  std::string_view type;
  NotRecovered why = NotRecovered::NoSource;
  std::string_view file;  // of the statement that fits nothing, as recorded; else ""
  uint32_t line = 0;      // 1-based
  Cost cost;
};

struct RecoveryFacts {
  Cost recovered;                       // on lines that were found again
  Cost lost;                            // of operators that may belong to other lines than theirs
  std::vector<UnrecoveredFacts> calls;  // that have a cost; the most costly first
};

// nullopt: the record lost nothing, or nothing was looked for.
std::optional<RecoveryFacts> recovery_of(const Facts& facts);

}  // namespace etlens
