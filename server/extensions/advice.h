// SPDX-License-Identifier: Apache-2.0
// etlens/advice: what to look at first, in the words of `etlens advise`. Always of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct AdviceItem {
  std::string kind;   // "fallback", "small-call", …
  std::string title;  // a sentence without the number
  std::string won;    // "up to 30.0 µs 4.4%"; "" where no time follows
  std::optional<Time> at_most;
  double share = 0;
  std::string arithmetic;         // how that was worked out; "" likewise
  std::string action;             // a sentence: what one can do
  std::string page;               // of the documentation
  std::vector<SourceLine> lines;  // the most costly first
};
FIELDS(AdviceItem, kind, title, won, at_most, share, arithmetic, action, page, lines)

struct AdviceResult {
  uint64_t generation = 0;
  std::vector<AdviceItem> advice;  // at most seven
};
FIELDS(AdviceResult, generation, advice)

}  // namespace etlens::extensions
