// SPDX-License-Identifier: Apache-2.0
// What `etlens profile` is asked for, and what it runs.
#pragma once

#include <string>
#include <vector>

#include "cli/child.h"
#include "cli/init_script.h"

namespace etlens::cli {

struct ProfileOptions {
  InitOptions script;
  std::string python;               // "": the first that is found
  std::vector<std::string> inputs;  // "1x3x224x224:float32"
  bool is_backend_named = false;
  std::string quantize = "none";
  std::string strict = "auto";
  std::string method;       // "": that of the script
  unsigned executions = 0;  // 0: as the script has it
  bool takes_guess = false;
  bool logs_values = false;
  bool stores = true;
  bool only_probes = false;
  bool is_json = false;
};

// Runs cli/profile_driver with the Python of the user: --python, VIRTUAL_ENV, an environment in the script's folder or above
// it, python3, python. The answer is rows (cli/profile_answer.h). Error: NotFound, Io.
Result<ChildOutcome> run_python(const ProfileOptions& options, const InitScript& script);

}  // namespace etlens::cli
