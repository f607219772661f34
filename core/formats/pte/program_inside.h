// SPDX-License-Identifier: Apache-2.0
// Where the program lies inside a bundled program (.bpte, .bp): whole, as the bytes of one vector.
// Nothing else of the bundle is read.
#pragma once

#include <string_view>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/pte/program.h"

namespace etlens {

// The range is inside the file, of `file_bytes`. Errors: Corrupt if the bundle holds no program, or
// one that ends outside of the file; Io.
Result<ByteRange> find_program_inside(const FileSystem& files, std::string_view path,
                                      uint64_t file_bytes);

}  // namespace etlens
