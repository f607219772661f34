// SPDX-License-Identifier: Apache-2.0
// etlens/status: what is shown, of what, and what is odd about it. etlens/profileChanged: ask
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/comparison.h"

namespace etlens::extensions {

struct StatusWarning {
  std::string id;  // as `etlens check` names it
  std::string severity;
  uint64_t count = 0;
  std::string first;
  std::string advice;
};
FIELDS(StatusWarning, id, severity, count, first, advice)

// An execution that is far from the others.
struct OddExecution {
  uint32_t execution = 0;  // 1-based
  Time total;
  std::string text;  // why: "1 event took 2.85 ms, line 83"
};
FIELDS(OddExecution, execution, total, text)

struct StatusProfile {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
  int64_t modified = 0;  // milliseconds since 1970
  std::optional<std::string> method;
  std::string block;
  std::string statistic;        // of every number: typical, mean, median, min, max
  bool raw = false;             // durations are as they were logged, not centred
  uint64_t executions = 0;      // of the block
  uint64_t executionsUsed = 0;  // that the numbers are of; 1: a single sample
  std::string executionsShown;  // which: "1-25,30", "all"
  Time total;                   // of the statistic, per execution
  Time mean;                    // of the executions used, as they were
  Time disturbance;             // mean - total
  double disturbanceShare = 0;  // of the mean
  std::string headline;         // "0.82 ms typical · 1.17 ms mean, 30% of it disturbance (…)"
  std::vector<std::string> findings;  // sentences about what limits all numbers: noise, a clock
                                      // that stands, backends that report no operators
  std::string strip;                  // "▁▁▁█▁": one character per execution, at most 60
  std::vector<OddExecution> odd;      // ascending
  std::optional<std::string> kinds;   // of executions, in words; absent if all do the same work
  std::optional<std::string> also;  // "also: decode 6 × 4.89 µs"; absent if there is nothing else
  std::optional<std::string> coldStart;  // "cold start 41 ms: load …"; absent if it was not logged
  double onLines = 0;                    // fractions of the total
  double inModules = 0;
  double delegated = 0;
  std::optional<double> pairScore;
  std::optional<std::string> pairVerdict;
  std::vector<std::string> pairReasons;
  std::optional<std::string> recordProblem;  // why the record that was found is not used
};
FIELDS(StatusProfile, etdump, etrecord, pte, modified, method, block, statistic, raw, executions,
       executionsUsed, executionsShown, total, mean, disturbance, disturbanceShare, headline,
       findings, strip, odd, kinds, also, coldStart, onLines, inModules, delegated, pairScore,
       pairVerdict, pairReasons, recordProblem)

// What can be chosen for lines, modules and lists (etlens.selectMeasure).
struct MeasureItem {
  std::string id;
  std::string label;
  bool current = false;
  Time total;
};
FIELDS(MeasureItem, id, label, current, total)

// Many dumps beside the shown one. While it is read, or with a problem, lines say nothing of it.
struct FleetItem {
  std::string message;  // "fleet of 10000 dumps, p50 …", "reading the fleet …", or the problem
  bool reading = false;
  uint64_t dumps = 0;  // 0: none are shown
  uint64_t leftOut = 0;
};
FIELDS(FleetItem, message, reading, dumps, leftOut)

struct StatusResult {
  std::string state;  // "none", "loading", "ready", "failed" (`profile` is then the last good one)
  std::string message;  // one sentence: what is shown, or why nothing is
  uint64_t generation = 0;
  std::optional<StatusProfile> profile;
  std::string measure;                // the id of the one that is shown; "" without a profile
  std::vector<MeasureItem> measures;  // time first
  std::vector<StatusWarning> warnings;
  std::optional<ComparisonItem> comparison;  // absent without a baseline
  // One sentence, if another dump took the place of one: "model.etdp is new: 19.7 ms typical
  // before, 18.9 ms typical now". Until something else is loaded.
  std::optional<std::string> replaced;
  std::optional<FleetItem> fleet;  // absent without one
  // In a few words what there is to wait for, no matter of an error: "exported again, not run yet",
  // "receiving model.etdp". `message` says it in a sentence, `details` why that was found.
  std::optional<std::string> waiting;
  std::optional<std::string> details;
};
FIELDS(StatusResult, state, message, generation, profile, measure, measures, warnings, comparison,
       replaced, fleet, waiting, details)

struct ProfileChangedParams {
  uint64_t generation = 0;
};
FIELDS(ProfileChangedParams, generation)

}  // namespace etlens::extensions
