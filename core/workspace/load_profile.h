// SPDX-License-Identifier: Apache-2.0
// Reads a Python profile (.prof) from a file.
#pragma once

#include <string>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

// Errors are one sentence: which file, what is wrong, what to do.
Result<PythonProfile> load_profile(const FileSystem& files, const std::string& path);

}  // namespace etlens
