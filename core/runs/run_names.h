// SPDX-License-Identifier: Apache-2.0
// Names of files in the memory of runs, for those that read and write it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/path.h"
#include "core/runs/run.h"

namespace etlens {

inline constexpr std::string_view kRunText = "run";
inline constexpr std::string_view kPinned = "pinned";
inline constexpr std::string_view kKept = "kept";
inline constexpr std::string_view kRecordEnding = ".etrecord";
inline constexpr std::string_view kProgramEnding = ".pte";
inline constexpr std::string_view kSourcesEnding =
    ".sources.json";  // of the sidecar next to a record
inline constexpr std::string_view kSidecarEnding =
    ".json";  // of that next to a dump, behind its name

inline std::string kept_path(std::string_view runs, const StoredFile& file,
                             std::string_view ending) {
  return join_path(join_path(runs, kKept), file.hash + std::string(ending));
}

}  // namespace etlens
