// SPDX-License-Identifier: Apache-2.0
// etlens/delegation: the operators that are not delegated, and why not. Of the study that is shown, with
// a dump and without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

// Operators of one kind that are on the CPU for one reason.
struct LeftOperators {
  std::string op;                 // "cumsum"
  std::string reason;             // why, in a sentence
  std::string remedy;             // what one can do, in a sentence; "" for nothing
  uint64_t count = 0;             // of them
  std::string cost;               // "1.87 ms 9.5%"; "" before the first run
  double share = 0;               // of the time; before the first run of all operators
  std::vector<SourceLine> lines;  // the most costly first
};
FIELDS(LeftOperators, op, reason, remedy, count, cost, share, lines)

struct DelegationResult {
  uint64_t generation = 0;
  std::string why;  // why there are no rows, in a sentence; "" if there are, or nothing is shown
  std::vector<LeftOperators> operators;  // those that take the most time first, or are the most
};
FIELDS(DelegationResult, generation, why, operators)

}  // namespace etlens::extensions
