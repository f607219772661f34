// SPDX-License-Identifier: Apache-2.0
#include "core/render/check_pair.h"

#include <fmt/format.h>

#include "core/render/summary.h"

namespace etlens {
namespace {

// Source lines whose text is no longer the recorded one.
void note_changed_sources(const FileSystem& files, const Study& study, LoadReport& report) {
  const std::vector<AnchoredSource> sources =
      read_and_anchor(files, study.code(), study.sources, &report);
  for (size_t f = 0; f < sources.size(); ++f) {
    if (sources[f].document == nullptr) continue;
    uint64_t changed = 0;
    for (const Anchor& anchor : sources[f].anchors)
      changed += anchor.verdict != AnchorVerdict::Exact;
    report.add(Oddity::SourceChanged,
               fmt::format("{}: {} of {} recorded lines are not where they were",
                           study.sources[f].path, changed, sources[f].anchors.size()),
               changed);
  }
}

// What the numbers cannot say, because of the executions that they are of.
void note_executions(const Headline& head, const Facts& facts, std::optional<TimeScale> unit,
                     LoadReport& report) {
  if (!head.groups.empty())
    report.add(Oddity::ExecutionsDiffer, groups_text(head, facts, unit), head.groups.size());
  if (head.used.size() == 1 && facts.quantity().is_sampled())
    report.add(Oddity::SingleSample, fmt::format("execution {}", head.used.front() + 1));
}

// What can be said of artifacts that gave no study.
void note_unjoined(const Artifacts& artifacts, const LoadRequest& request, CheckResult& check) {
  const Result<Selection> selection =
      select_block(*artifacts.log, artifacts.trees, artifacts.blocks, artifacts.record.get(),
                   request.selection, artifacts.backends);
  if (selection) check.fit = selection->fit;
  check.run = artifacts.run;
  if (check.fit && check_record_of_run(artifacts, request)) {
    check.fit->score = 0;
    check.fit->reasons = {"the record is not the one of the run"};
  }
  check.report.append(artifacts.log->report);
  if (artifacts.record) check.report.append(artifacts.record->report);
}

}  // namespace

Result<CheckedPair> check_pair(const FileSystem& files, const LoadRequest& request,
                               std::optional<TimeScale> unit, const CancelToken& cancel) {
  const Result<Artifacts> artifacts = load_artifacts(files, request, cancel);
  if (!artifacts) return artifacts.error();
  CheckedPair checked;
  CheckResult& check = checked.result;
  check.etdump = request.etdump;
  check.etrecord = request.etrecord;
  const auto study = build_study(files, *artifacts, request, cancel);
  if (!study) {
    const ErrorCode code = study.error().code;
    if (code == ErrorCode::InvalidParams || code == ErrorCode::Cancelled) return study.error();
    check.error = study.error().message;
    note_unjoined(*artifacts, request, check);
    return checked;
  }
  checked.facts =
      std::make_unique<const Facts>(*study, (*study)->first_measure(), FactsFor::Reports);
  check.facts = checked.facts.get();
  check.headline = headline(*checked.facts);
  check.fit = (*study)->fit;
  check.run = (*study)->run;
  check.etrecord = (*study)->etrecord_path;
  check.pte = (*study)->pte_path;
  check.report = (*study)->report;
  note_executions(check.headline, *checked.facts, unit, check.report);
  note_changed_sources(files, **study, check.report);
  return checked;
}

}  // namespace etlens
