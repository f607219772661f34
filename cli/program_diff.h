// SPDX-License-Identifier: Apache-2.0
// `etlens diff --measure size` and `--measure memory`: two programs, without dumps.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/sides.h"

namespace etlens::cli {

struct ProgramDiffOptions {
  const CommonOptions& common;
  const SideOptions& base;
  const SideOptions& fresh;
  std::string measure;          // "size", "memory"
  std::optional<double> limit;  // more growth than this share of the base is status 3
};

// Returns the exit status.
int run_program_diff(const ProgramDiffOptions& options);

}  // namespace etlens::cli
