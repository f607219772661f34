// SPDX-License-Identifier: Apache-2.0
#include "mcp/tool.h"

#include <algorithm>

namespace etlens::mcp {

// In the order in which they are of use.
const std::vector<Tool>& tools() {
  static const std::vector<Tool> kTools{check_tool(),       profile_summary_tool(), advise_tool(),
                                        hot_lines_tool(),   explain_line_tool(),    modules_tool(),
                                        memory_peak_tool(), numeric_errors_tool(),  compare_tool()};
  return kTools;
}

const Tool* find_tool(std::string_view name) {
  const auto at = std::find_if(tools().begin(), tools().end(),
                               [&](const Tool& tool) { return tool.name == name; });
  return at == tools().end() ? nullptr : &*at;
}

}  // namespace etlens::mcp
