// SPDX-License-Identifier: Apache-2.0
// Real histories: lines of a file as it was, looked for in a later version of the file.
//
// The truth is made step by step, from each version of the file to the next (truth.h); a line with
// an unclear fate in any step is not counted. So git's own figures over one step are flattered;
// over several they are not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/anchoring/truth.h"

namespace etlens::bench {

struct HistoryOptions {
  size_t files = 40;  // at most
  Reading reading = Reading::Lenient;
  bool verbose =
      false;  // also the lines missed, placed wrongly (WRONG) or placed though gone (GONE)
};

// Tables for the next commit that touches the file and for about a year later. Python files of the
// repository's present commit.
void print_history(const std::string& repository, const HistoryOptions& options);
// For the same files below several folders, from the oldest release to the newest: the next
// release, and two and three releases later.
void print_releases(const std::vector<std::string>& folders, const HistoryOptions& options);

}  // namespace etlens::bench
