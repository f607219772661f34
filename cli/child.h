// SPDX-License-Identifier: Apache-2.0
// A program that a command of the user starts, and waits for. Only `etlens profile` starts one.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace etlens::cli {

// Runs `program` (a path, or a name that is looked up in PATH) with this process's standard streams, and returns its exit
// status; 128 and more for a signal. Ctrl-C goes to it alone: it ends in its own way. Error: NotFound, Io.
Result<int> run_child(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace etlens::cli
