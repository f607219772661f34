// SPDX-License-Identifier: Apache-2.0
// etlens/delegateLines: the lines that ran in one delegate call with the line at a position.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct DelegateLinesResult {
  uint64_t generation = 0;
  std::string message;               // "XNNPACK #2 ran 5 lines"
  std::vector<uint32_t> partitions;  // numbers; none where one fused event did the work
  std::vector<SourceLine> lines;     // of all files, that of the position among them
};
FIELDS(DelegateLinesResult, generation, message, partitions, lines)

}  // namespace etlens::extensions
