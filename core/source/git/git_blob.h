// SPDX-License-Identifier: Apache-2.0
// The version in git of a source file that was recorded: the newest one in which every recorded
// line is where it was recorded.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/source/anchor/anchor.h"
#include "core/source/document.h"

namespace etlens {

// `path`: absolute, of a file in a working tree. Null if it is in none, no version among the newest
// commits fits, or the repository cannot be read. Takes milliseconds to a second: for the
// background.
std::shared_ptr<const Document> find_recorded_version(const FileSystem& files,
                                                      std::string_view path,
                                                      const std::vector<RecordedLine>& lines,
                                                      const CancelToken& cancel = {});

}  // namespace etlens
