// SPDX-License-Identifier: Apache-2.0
// Python files to edit, and which of their lines a trace would have recorded.
#pragma once

#include <string>
#include <vector>

#include "bench/anchoring/baselines.h"
#include "bench/anchoring/program.h"

namespace etlens::bench {

struct SourceFile {
  std::string path;
  std::string text;
};

// The Python files below the folders, or the files themselves; files without a function are left
// out.
std::vector<SourceFile> read_sources(const std::vector<std::string>& paths);

// Lines with calls or operators, in functions as traces see them; `share` of them, drawn at random.
std::vector<Recorded> record_lines(const Program& program, Random& random, double share);

}  // namespace etlens::bench
