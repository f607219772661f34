// SPDX-License-Identifier: Apache-2.0
// ETDumps that a runner without a file system printed into its log, in base64.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/file_system.h"

namespace etlens {

struct DumpInLog {
  Bytes dump;        // decoded; cut off where the log is
  size_t line = 0;   // 1-based, that the base64 begins on
  size_t dumps = 0;  // in the log; this is the last whole one
};

// The text may be UTF-16 (a redirection of PowerShell), and the base64 broken into lines, each with
// a front as long as that of its first line (times of a console). nullopt if there is none.
std::optional<DumpInLog> find_dump_in_log(std::string_view text);

// Whether the file at `path` is a text with a dump in it. Reads all of it.
bool is_log_with_dump(const FileSystem& files, const std::string& path);

}  // namespace etlens
