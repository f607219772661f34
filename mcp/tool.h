// SPDX-License-Identifier: Apache-2.0
// Tool: a row of the table of tools; each is a file in mcp/tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mcp/arguments.h"
#include "mcp/workspace.h"

namespace etlens::mcp {

struct Tool {
  const char* name;
  const char* title;
  const char* description;
  std::vector<ArgumentRow> arguments;
  std::string (*output_schema)();
  // The answer as JSON text of that schema. Errors are one sentence for who called.
  Result<std::string> (*run)(const Arguments& arguments, Workspace& workspace,
                             const CancelToken& cancel);
};

const std::vector<Tool>& tools();
// Null if there is none of that name.
const Tool* find_tool(std::string_view name);

Tool advise_tool();
Tool check_tool();
Tool compare_tool();
Tool explain_line_tool();
Tool hot_lines_tool();
Tool memory_peak_tool();
Tool modules_tool();
Tool numeric_errors_tool();
Tool profile_summary_tool();

}  // namespace etlens::mcp
