// SPDX-License-Identifier: Apache-2.0
// Writing what nobody has to read: a program that waits for the reader of its log waits for ever
// where there is none.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string_view>

namespace etlens {

// What is written at once: a pipe that takes anything takes so much.
inline constexpr size_t kMostWrittenAtOnce = 4096;

// Writes at most kMostWrittenAtOnce bytes. False, and nothing is written, if the file is a pipe or
// a terminal that takes nothing now, or is gone.
bool write_soon(std::FILE* file, std::string_view bytes);

}  // namespace etlens
