// SPDX-License-Identifier: Apache-2.0
#include "core/view/check_view.h"

#include "core/facts/recovery_facts.h"

namespace etlens {
namespace {

Nullable<RecoveryView> recovery_view(const Facts& facts, const Scale& scale) {
  const std::optional<RecoveryFacts> recovery = recovery_of(facts);
  if (!recovery) return std::nullopt;
  const Cost& found = recovery->recovered;
  const Cost& lost = recovery->lost;
  RecoveryView view{scale.of(found),   found.amount.value, found.share, scale.of(lost),
                    lost.amount.value, lost.share,         {}};
  for (const UnrecoveredFacts& call : recovery->calls) {
    UnrecoveredView& row = view.calls.emplace_back();
    row.module = call.module_path;
    row.type = call.type;
    row.why = name_of(call.why);
    row.recorded_path = text_or_null(call.file);
    if (call.line > 0) row.line = call.line;
    row.self = scale.of(call.cost);
    row.self_ticks = call.cost.amount.value;
  }
  return view;
}

RunView run_view(const RunCheck& check, const RunFacts& facts) {
  RunView view;
  view.file = check.path;
  view.record = name_of(check.record);
  view.program = name_of(check.program);
  view.traced = facts.traced;
  view.untraced = facts.untraced;
  view.tracer_cost = facts.tracer_cost;
  view.speed_change = facts.speed_change;
  view.load = facts.load;
  view.processors = facts.processors;
  const auto text = [](const Nullable<std::string>& from) -> Nullable<std::string_view> {
    if (!from.value) return std::nullopt;
    return std::string_view(*from.value);
  };
  view.started = text(check.run.started);
  view.commit = text(check.run.commit);
  return view;
}

}  // namespace

CheckView check_view(const CheckResult& check) {
  CheckView view;
  view.etdump = text_or_null(check.etdump);
  view.etrecord = text_or_null(check.etrecord);
  view.error = text_or_null(check.error);
  if (check.fit)
    view.pair = PairView{check.fit->score, name_of(check.fit->verdict()), check.fit->reasons,
                         pair_confidence(check.run.get())};
  view.other_models = check.other_models;
  for (const ReportRow& row : check.report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    view.report.push_back(
        {info.id, name_of(info.severity), row.count, row.first, advice_of(row.oddity)});
  }
  return view;
}

CheckView check_view(const CheckResult& check, const Scale& scale, ReportView report) {
  const Headline& headline = check.headline;
  CheckView view = check_view(check);
  view.head = std::move(report.head);
  view.coverage = CoverageView{headline.on_lines, headline.in_modules, headline.delegated};
  view.reconciliation = report.reconciliation;
  view.recovery = recovery_view(*check.facts, scale);
  if (const std::optional<RunFacts> run = run_facts(*check.facts); run && check.run)
    view.run = run_view(*check.run, *run);
  return view;
}

}  // namespace etlens
