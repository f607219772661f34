// SPDX-License-Identifier: Apache-2.0
// A program that a command of the user starts, and waits for. Only `etlens profile` starts one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace etlens::cli {

struct ChildRequest {
  std::string program;  // a path, or a name that is looked up in PATH
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> variables;  // added to the environment
};

struct ChildOutcome {
  int status = 0;      // its exit status; 128 and more for a signal
  std::string output;  // what it wrote to stdout, of at most 1 MiB
};

// Runs it with this process's stdin and stderr. Ctrl-C goes to it alone, and it gets the signals that would end this process:
// it ends in its own way. Error: NotFound, Io.
Result<ChildOutcome> run_child(const ChildRequest& request);

inline constexpr size_t kMaxChildOutput = 1 << 20;

}  // namespace etlens::cli
