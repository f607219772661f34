// SPDX-License-Identifier: Apache-2.0
// Files as they were when somebody looked at them: whether something is still fresh is asked here.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/base/file_system.h"

namespace etlens {

// By path, absolute. nullopt: there was no such file, or it could not be asked for.
using FileStamps = std::map<std::string, std::optional<FileStamp>>;

std::optional<FileStamp> stamp_of(const FileSystem& files, const std::string& path);

// Adds the file as it is now. What is known stays as it was; "" is no file.
void look_at(const FileSystem& files, const std::string& path, FileStamps& stamps);

// Whether every file is as it was.
bool is_current(const FileStamps& stamps, const FileSystem& files);

}  // namespace etlens
