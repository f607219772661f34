// SPDX-License-Identifier: Apache-2.0
// What `etlens fleet` and `etlens rows` have in common: many dumps, and what is known of them.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "core/fleet/dump_work.h"

namespace etlens::cli {

struct FleetInputOptions {
  CommonOptions common;
  std::vector<std::string> facts;
  size_t jobs = 0;  // 0: one for each processor
};

// Adds the options but --format and -o.
void add_fleet_inputs(CLI::App& command, FleetInputOptions& options);

struct FleetInputs {
  DumpWork work;
  Inputs inputs;
};
// NotFound if there is no dump.
Result<FleetInputs> resolve_fleet(const FleetInputOptions& options);

// read_dumps, with how far it is on stderr where that is a terminal.
Result<void> read_with_progress(const DumpWork& work,
                                const std::function<Result<void>(DumpText)>& take,
                                const std::function<void(std::string)>& leave_out);

}  // namespace etlens::cli
