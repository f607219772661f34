// SPDX-License-Identifier: Apache-2.0
// Whether artifacts belong together, what is odd about them and how much of the time is placed: the
// document of `etlens check`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/load_report.h"
#include "core/join/pairing.h"
#include "core/view/report_view.h"
#include "core/workspace/run_check.h"

namespace etlens {

// What `check` found; the facts are null where the pair gave none.
struct CheckResult {
  std::string etdump;
  std::string etrecord;
  std::string pte;
  const Facts* facts = nullptr;
  Headline headline;  // of the facts
  std::optional<MethodFit> fit;
  std::shared_ptr<const RunCheck> run;    // null without a file about the run
  std::string error;                      // why there are no facts
  std::vector<std::string> other_models;  // further dumps that were found
  LoadReport report;
};

struct PairView {
  double score = 0;
  std::string_view verdict;
  std::vector<std::string> reasons;
  std::string_view confidence;  // "certain" by their hashes, "inferred" from their instructions
};
FIELDS(PairView, score, verdict, reasons, confidence)

// What the file about the run says. Times are seconds of one execution.
struct RunView {
  std::string_view file;
  std::string_view record;   // its hash: "agrees", "differs", "unchecked"
  std::string_view program;  // its hash, the same words
  Nullable<double> traced;
  Nullable<double> untraced;
  Nullable<double> tracer_cost;   // a share of `untraced`
  Nullable<double> speed_change;  // of the machine during the run, a share
  Nullable<double> load;          // average of the minute before the run
  Nullable<uint64_t> processors;  // that the run was allowed to use
  Nullable<std::string_view> started;
  Nullable<std::string_view> commit;
};
FIELDS(RunView, file, record, program, traced, untraced, tracer_cost, speed_change, load,
       processors, started, commit)

// Shares of the total.
struct CoverageView {
  double lines = 0;
  double modules = 0;
  double delegated = 0;
};
FIELDS(CoverageView, lines, modules, delegated)

// A call whose operators keep the line that the record gives them.
struct UnrecoveredView {
  std::string_view module;
  std::string_view type;
  std::string_view why;
  Nullable<std::string_view> recorded_path;
  Nullable<uint32_t> line;
  double self = 0;
  int64_t self_ticks = 0;
};
FIELDS(UnrecoveredView, module, type, why, recorded_path, line, self, self_ticks)

// What became of lines that the record lost.
struct RecoveryView {
  double recovered = 0;
  int64_t recovered_ticks = 0;
  double recovered_share = 0;
  double lost = 0;
  int64_t lost_ticks = 0;
  double lost_share = 0;
  std::vector<UnrecoveredView> calls;
};
FIELDS(RecoveryView, recovered, recovered_ticks, recovered_share, lost, lost_ticks, lost_share,
       calls)

struct OddityView {
  std::string_view id;
  std::string_view severity;
  uint64_t count = 0;
  std::string first;  // the first example
  std::string advice;
};
FIELDS(OddityView, id, severity, count, first, advice)

struct CheckView {
  Literal<"etlens/check@2"> schema;
  SpreadIfAny<HeadView> head;
  Nullable<std::string_view> etdump;
  Nullable<std::string_view> etrecord;
  Nullable<std::string_view> error;
  Nullable<PairView> pair;
  Nullable<RunView> run;  // null without a file about the run, or without a study
  Nullable<CoverageView> coverage;
  std::optional<ReconciliationView> reconciliation;
  Nullable<RecoveryView> recovery;  // null where nothing was looked for
  std::vector<std::string> other_models;
  std::vector<OddityView> report;
};
FIELDS(CheckView, schema, head, etdump, etrecord, error, pair, run, coverage, reconciliation,
       recovery, other_models, report)

// Without what the facts say.
CheckView check_view(const CheckResult& check);
// `report`: of the facts.
CheckView check_view(const CheckResult& check, const Scale& scale, ReportView report);

}  // namespace etlens
