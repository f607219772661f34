// SPDX-License-Identifier: Apache-2.0
// The dumps below a folder, for benchmarks of what numbers are worth.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/join/join.h"

namespace etlens {

namespace fs = std::filesystem;

struct DumpFiles {
  fs::path dump;  // .etdp, .etdump, or .etdp.gz
  fs::path record;
  fs::path program;  // need not exist
};

// The dump's block of executions; nullopt, and a word why, if the files do not belong together.
std::optional<Join> join_of(const DumpFiles& of);

// Folder and everything below it, in order.
std::vector<fs::path> folders_below(const fs::path& folder);

// Every dump of the folder with its first record; none without one.
std::vector<DumpFiles> dumps_in(const fs::path& folder);

}  // namespace etlens
