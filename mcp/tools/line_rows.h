// SPDX-License-Identifier: Apache-2.0
// Rows that tools about lines share: a line's operators, and the file that an argument names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mcp/tools/study_tool.h"

namespace etlens::mcp {

struct OpRow {
  std::string op;     // of the graph
  std::string event;  // as the runtime logged it
  std::string module;
  double self = 0;
  double share = 0;
  double occurrences = 0;
  std::string where;
  std::string confidence;
};
FIELDS(OpRow, op, event, module, self, share, occurrences, where, confidence)

std::vector<OpRow> op_rows(const Asked& asked, std::span<const ContributionId> rows, size_t limit);

// Of the code that the question is about. NotFound if nothing was recorded there.
Result<FileId> find_file(const Asked& asked, const Workspace& workspace, const std::string& path);

}  // namespace etlens::mcp
