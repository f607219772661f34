// SPDX-License-Identifier: Apache-2.0
// What Python's pstats.Stats does with profiles before it prints them: adds, strips folders, finds
// callees. Sums are its own, in its order, so that every digit is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/pstats/python_profile.h"

namespace etlens::pstats {

// Stats.add: functions of both, numbers of the same function added; `a`'s come first.
PythonProfile merged(const PythonProfile& a, const PythonProfile& b);

// Stats.strip_dirs: files by their last component. Functions that are one then are added; of
// callers that are one then, the last stays, as in pstats.
PythonProfile without_folders(const PythonProfile& profile);

// "file:line(name)"; "{built-in method …}" and the like for built-in functions.
std::string standard_name(const PythonProfile& profile, PythonFunctionId id);

// What a function called, with what these calls cost.
struct Callee {
  PythonFunctionId function;
  CallCost cost;
  bool has_times = true;
};
// Per function, in the order of pstats: by file, line and name.
std::vector<std::vector<Callee>> callees_of_all(const PythonProfile& profile);
// Who called it, in the same order.
std::vector<PythonCaller> sorted_callers(const PythonProfile& profile, PythonFunctionId id);

// Characters, a surrogate that stands alone being one.
size_t width_of(std::string_view text);

}  // namespace etlens::pstats
