// SPDX-License-Identifier: Apache-2.0
// Hints: which source lines say something at their end, and what, as values. Command line, language
// server and tests get their hints here and nowhere else; core/render/hint_text.h words them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/facts/export_facts.h"
#include "core/facts/facts.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

enum class HintKind : uint8_t {
  Cost,       // what the line costs
  Fused,      // its work is done by the event of another line
  Partition,  // known only for the whole delegate call
  Operators,  // it has not run yet: where its operators will run
};

struct Hint {
  LineId line;
  HintKind kind = HintKind::Cost;
  bool is_inclusive = false;  // the cost is with what it calls: its own is small beside it
  bool is_inferred = false;
  bool is_recovered = false;    // the export lost the line: it was found again
  bool is_edited = false;       // its text is no longer the recorded one
  Cost cost;                    // what is shown; of Partition: the whole calls
  std::optional<double> level;  // of the line, where the cost is its own (LineFacts)
  uint64_t runs = 0;            // of contributions that are events
  std::vector<std::string> where;
  LineId fused_into;                    // of Fused: the most costly of the lines that do its work
  std::vector<PartitionId> partitions;  // of Partition
  size_t partition_lines = 0;           // lines that these calls run
  OperatorCount operators;              // of Operators
  std::optional<double> bytes;          // of Operators: bytes of the constants that are for it
};

struct HintOptions {
  // Share of everything below which a line stays quiet. Lines that fell back to the CPU between two
  // calls of a delegate speak all the same.
  double threshold = 0.005;
};

// nullopt: the line has nothing to say.
std::optional<Hint> hint_of(const Facts& facts, LineId line, bool edited,
                            const HintOptions& options);

// A hint, and the line of now at whose end it stands (1-based).
struct PlacedHint {
  uint32_t line = 0;
  Hint hint;
};

struct SourceHints {
  std::vector<PlacedHint> placed;  // ascending; one per line
  std::vector<Hint> unplaced;      // of recorded lines that are nowhere any more
};

// Where two recorded lines are one now, the more costly speaks; of equals the one recorded first.
bool speaks_instead(const Hint& later, const Hint& earlier);

// Of the lines [first, last] of now.
SourceHints hints(const Facts& facts, const AnchoredSource& source, const HintOptions& options,
                  uint32_t first = 1, uint32_t last = UINT32_MAX);

// The same for a source that is not at hand: all its recorded lines, by their recorded numbers.
std::vector<PlacedHint> recorded_hints(const Facts& facts, FileId file, const HintOptions& options);

}  // namespace etlens
