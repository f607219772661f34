// SPDX-License-Identifier: Apache-2.0
// std::fopen for reading, with paths in UTF-8 on every system.
#pragma once

#include <cstdio>
#include <string>

namespace etlens {

// No other process inherits it. Files that are written: core/base/output_file.h.
std::FILE* open_to_read(const std::string& path);

}  // namespace etlens
