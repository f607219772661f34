// SPDX-License-Identifier: Apache-2.0
// etlens/status: what is shown, of what, and what is odd about it. etlens/profileChanged: ask
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/view/gate_view.h"
#include "core/view/report_view.h"
#include "server/extensions/commands.h"
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
  std::string total_text;
  std::string text;  // why: "1 event took 2.85 ms, line 83"
};
FIELDS(OddExecution, execution, total_text, text)

// As the command line's reports begin, and what is shown of it.
struct StatusProfile {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
  int64_t modified = 0;  // milliseconds since 1970
  Spread<HeadView> head;
  std::string total_text;
  std::string mean_text;
  std::string headline;           // "0.82 ms typical · 1.17 ms mean, 30% of it disturbance (…)"
  std::string strip;              // "▁▁▁█▁": one character per execution, at most 60
  std::vector<OddExecution> odd;  // ascending
  std::optional<std::string> kinds_text;  // of executions; absent if all do the same work
  std::vector<std::string> group_texts;   // "decode ×30: 375 µs": one for each of the groups
  std::optional<std::string> also_text;   // "also: decode 6 × 4.89 µs"; absent for nothing else
  std::optional<std::string> cold_start_text;  // "cold start 41 ms: …"; absent if it was not logged
  double on_lines = 0;                         // fractions of the total
  double in_modules = 0;
  double delegated = 0;
  std::optional<double> pair_score;
  std::optional<std::string> pair_verdict;
  std::vector<std::string> pair_reasons;
  std::optional<std::string> pair_confidence;  // "certain" by their hashes, "inferred"
  std::optional<std::string> record_problem;   // why the record that was found is not used
};
FIELDS(StatusProfile, etdump, etrecord, pte, modified, head, total_text, mean_text, headline, strip,
       odd, kinds_text, group_texts, also_text, cold_start_text, on_lines, in_modules, delegated,
       pair_score, pair_verdict, pair_reasons, pair_confidence, record_problem)

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
  uint64_t left_out = 0;
};
FIELDS(FleetItem, message, reading, dumps, left_out)

// A stored run before the shown one, of the same model: its files, as etlens.selectBaseline takes them, to see what
// changed. The change is of totals, and no verdict.
struct LastRunItem {
  double change = 0;  // of the total, as a fraction
  std::string text;  // "−43% since the last run", "+2.1% against the best run", "−43% since main"
  uint32_t run = 0;  // its number
  SelectBaselineArguments selection;
};
FIELDS(LastRunItem, change, text, run, selection)

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
  std::optional<LastRunItem> last_run;  // absent if runs are not stored, or none is before it
  // In this order, each where there is one: the best run, the newest of an earlier day, the newest of
  // the branch main (else master). Empty if runs are not stored.
  std::vector<LastRunItem> earlier_runs;
  // Of the policy (etlens.toml) of the workspace; absent without one, and until it is checked.
  std::optional<BudgetsView> budgets;
};
FIELDS(StatusResult, state, message, generation, profile, measure, measures, warnings, comparison,
       replaced, fleet, waiting, details, last_run, earlier_runs, budgets)

struct ProfileChangedParams {
  uint64_t generation = 0;
};
FIELDS(ProfileChangedParams, generation)

}  // namespace etlens::extensions
