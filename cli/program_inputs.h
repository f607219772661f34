// SPDX-License-Identifier: Apache-2.0
// Options and inputs of the commands that look at a program without a dump: `memory` and `size`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options.h"
#include "core/code/code.h"
#include "core/workspace/load_program.h"

namespace etlens::cli {

// Adds --pte, --etrecord, --method, --library-frames, --format and -o.
void add_program_options(CLI::App& command, CommonOptions& options,
                         const std::vector<std::string>& formats);

// The program and the record that the options name. What they leave open is found, with a note on
// stderr.
Result<LoadRequest> find_program(const CommonOptions& options);

struct ProgramInputs {
  LoadedProgram loaded;
  std::vector<std::shared_ptr<const Code>> codes;  // one per method of the program
  size_t method = 0;                               // the one asked for, or forward, or the first
};

// The program and the record that fits it. NotFound if there is no program.
Result<LoadRequest> find_program(const CommonOptions& options);
Result<ProgramInputs> load_found_program(const LoadRequest& request, const CommonOptions& options);

// Both. Finds what was not named. Notes about choices made go to stderr.
Result<ProgramInputs> resolve_program(const CommonOptions& options);

}  // namespace etlens::cli
