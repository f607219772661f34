// SPDX-License-Identifier: Apache-2.0
// Source files of the workspace as a load reads them.
#pragma once

#include <memory>
#include <string>

#include "core/base/file_system.h"
#include "core/source/document.h"

namespace etlens {

// Longer than any source is.
inline constexpr uint64_t kMaxSourceBytes = 16 << 20;

// The text of a source file; null if it cannot be read, or is longer than that.
std::shared_ptr<const Document> read_source(const FileSystem& files, const std::string& path);

}  // namespace etlens
