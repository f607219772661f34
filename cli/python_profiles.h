// SPDX-License-Identifier: Apache-2.0
// Python profiles (.prof) that a command names.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens::cli {

struct PythonProfiles {
  PythonProfile all;               // added up
  std::vector<std::string> paths;  // as they were given
  std::vector<std::string> lines;  // that say where it is from, as pstats does
};

// Added in the order of pstats: the first, then the others from the last on. At least one path.
Result<PythonProfiles> load_python_profiles(const std::vector<std::string>& paths);

// By its content.
bool is_python_profile(const std::string& path);

}  // namespace etlens::cli
