// SPDX-License-Identifier: Apache-2.0
// The measure of size: what makes the program's file this big. A contribution is a part of the file
// (core/measure/file_bytes.h); constants land on the line, or in the module, whose work they are
// for. All of them add up to the file's size.
#pragma once

#include <memory>

#include "core/measure/file_bytes.h"
#include "core/measure/measure.h"

namespace etlens {

inline constexpr std::string_view kSizeId = "size";

// `code` is that of row `method` of the program; parts of other methods land on no line.
Measure measure_size(std::shared_ptr<const Code> code, size_t method, const FileBytes& bytes);

}  // namespace etlens
