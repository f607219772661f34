// SPDX-License-Identifier: Apache-2.0
// std::fopen for paths in UTF-8, which every system understands that way then.
#pragma once

#include <cstdio>
#include <string>

namespace etlens {

// `mode`: "rb", "wb" or "ab", and "e" behind it for a file that no other process inherits.
std::FILE* open_file(const std::string& path, const char* mode);

}  // namespace etlens
