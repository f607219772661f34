// SPDX-License-Identifier: Apache-2.0
// Which function a recorded line belongs to: several of one file may have one name.
#pragma once

#include <cstdint>
#include <vector>

#include "core/export/export.h"

namespace etlens {

// Per line of the code the line of the definition around it (1-based), in the file as it is. Of
// functions whose file was not found, and of lambdas, the first line that was recorded in the same
// classes of modules.
std::vector<uint32_t> definition_lines(const ExportInput& input);

}  // namespace etlens
