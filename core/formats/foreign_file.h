// SPDX-License-Identifier: Apache-2.0
// Files that people have beside an ExecuTorch model and give by mistake: weights, archives of
// torch.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/file_kind.h"

namespace etlens {

// What the file is, and which one to give where one of the kind `wanted` is needed: a sentence that
// does not name the file. nullopt if it is none of these. `kind`: of the file.
std::optional<Error> foreign_file(const FileSystem& files, std::string_view path, FileKind kind,
                                  FileKind wanted);

}  // namespace etlens
