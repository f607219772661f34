// SPDX-License-Identifier: Apache-2.0
// Real histories: recorded lines of a file in an old commit, looked for in a later one.
#pragma once

#include <string>

namespace etlens::bench {

// Prints one table for the repository: the next commit that touches the file, and about a year later.
// The truth is what a whole-file diff matches without doubt.
void print_history(const std::string& repository, size_t files, bool verbose);

}  // namespace etlens::bench
