// SPDX-License-Identifier: Apache-2.0
// The right file in the wrong place gets a better word than "no identifier".
#pragma once

#include <string_view>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/file_kind.h"

namespace etlens {

// An error if the file is plainly of another kind than `wanted`; a sentence that does not name the
// file. Else its kind: what else is wrong with it, the reader says.
Result<FileKind> check_kind(const FileSystem& files, std::string_view path, FileKind wanted);

}  // namespace etlens
