// SPDX-License-Identifier: Apache-2.0
// What Python's pstats prints, letter for letter: print_stats, print_callers, print_callees. Only
// control characters in names are shown as blanks: a name commands no terminal.
#pragma once

#include <string>
#include <vector>

#include "core/pstats/order.h"
#include "core/pstats/restriction.h"

namespace etlens::pstats {

struct ListOptions {
  SortOrder order;
  bool is_reversed = false;  // Stats.reverse_order; of the order of the file, nothing
  std::vector<Restriction> restrictions;
};

// The functions to print, and what is said above them.
struct FunctionList {
  std::vector<PythonFunctionId> functions;
  std::string message;  // lines
  size_t width = 0;     // of the longest name
};
FunctionList list_functions(const PythonProfile& profile, const ListOptions& options);

// `files`: lines that say where the profile is from, see file_line.
std::string stats_text(const PythonProfile& profile, const std::vector<std::string>& files,
                       const FunctionList& list);
std::string callers_text(const PythonProfile& profile, const FunctionList& list);
std::string callees_text(const PythonProfile& profile, const FunctionList& list);

// "Fri Nov 20 20:45:10 2026    out/model.prof": when the file was written, in local time.
std::string file_line(int64_t modified_ns, std::string_view path);

}  // namespace etlens::pstats
