// SPDX-License-Identifier: Apache-2.0
// What changed from the baseline to what is shown. etlens/changes: the lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/diff_view.h"
#include "server/extensions/place.h"

namespace etlens::extensions {

// Of one place. The words are those of `etlens diff`.
struct ChangeItem {
  std::string verdict;       // slower, faster, same, cannot_tell, gone, new
  std::string verdict_text;  // "likely faster"
  bool likely = false;
  std::string mark;              // "▲" slower, "▼" faster, else ""
  std::string text;              // "−12% ▼ likely", "new"; "" where there is no such verdict
  Time before;                   // of one execution
  Time after;                    // likewise
  std::string interval;          // "−58 … −23%"; "" where there is none
  std::optional<double> change;  // a fraction of before, beyond the machine's factor
  std::optional<double> low;     // of its interval
  std::optional<double> high;
  std::optional<std::string> reason;  // a sentence: why nobody can tell
};
FIELDS(ChangeItem, verdict, verdict_text, likely, mark, text, before, after, interval, change, low,
       high, reason)

// What is compared; with a problem nothing is.
struct ComparisonItem {
  std::vector<std::string> baseline;   // as it was named, or the dump's path
  std::optional<std::string> problem;  // a sentence
  uint32_t dumps_before = 0;
  uint32_t dumps_after = 0;
  std::optional<ChangeItem> total;
  std::string headline;  // "20.0 ms → 11.3 ms: −43% likely faster (−58 … −23%); …"
  std::string counts;    // of lines: "1 slower, 2 gone"
  std::optional<std::string> machine;  // "the machine was 1.40× slower on the new side (…)"
  std::vector<std::string> caveats;    // sentences, that of the machine among them
};
FIELDS(ComparisonItem, baseline, problem, dumps_before, dumps_after, total, headline, counts,
       machine, caveats)

struct ChangedLine {
  std::string place;                 // "layers.py:41 → 44"
  std::string text;                  // of the line
  std::string kernels;               // if they are others than before
  std::optional<SourceLine> source;  // absent for a line that is gone
  ChangeItem change;
};
FIELDS(ChangedLine, place, text, kernels, source, change)

// Operators of one line that left the delegate, or entered it.
struct MovedOperators {
  Spread<DelegationMoveView> facts;
  std::string place;                 // "layers.py:17 → 19"
  std::string text;                  // "5 × aten.mean.dim"
  std::optional<SourceLine> source;  // absent if the line is gone
};
FIELDS(MovedOperators, facts, place, text, source)

struct ChangesResult {
  uint64_t generation = 0;
  std::optional<ComparisonItem> comparison;  // absent without a baseline
  // Slower, faster, gone and new ones, the greatest difference first.
  std::vector<ChangedLine> lines;
  std::vector<MovedOperators> delegation;           // those that left first
  std::optional<std::string> delegation_not_known;  // a sentence: why nothing is known of it
};
FIELDS(ChangesResult, generation, comparison, lines, delegation, delegation_not_known)

}  // namespace etlens::extensions
