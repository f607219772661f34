// SPDX-License-Identifier: Apache-2.0
// `etlens check`: do the artifacts belong together, what was read, what is odd, how much is placed.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/render/format.h"
#include "core/render/report_json.h"
#include "core/render/summary.h"

namespace etlens::cli {
namespace {

// Source lines whose text is no longer the recorded one.
void note_changed_sources(const Study& study, LoadReport& report) {
  const std::vector<AnchoredSource> sources =
      read_and_anchor(real_file_system(), study.code(), study.sources);
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
void note_executions(const Facts& facts, std::optional<TimeScale> unit, LoadReport& report) {
  const Headline head = headline(facts);
  if (!head.kinds.empty())
    report.add(Oddity::ExecutionsDiffer, kinds_text(head, facts, unit), head.kinds.size());
  if (head.used.size() == 1)
    report.add(Oddity::SingleSample, fmt::format("execution {}", head.used.front() + 1));
}

std::string check_text(const CheckResult& check, std::optional<TimeScale> unit) {
  std::string text = fmt::format("dump    {}\nrecord  {}\n", check.etdump,
                                 check.etrecord.empty() ? "none" : check.etrecord);
  for (const std::string& path : check.other_models)
    text += fmt::format("other   {}, of another model (--etdump)\n", path);
  if (check.fit) {
    text +=
        fmt::format("pair    {} (score {:.3g})\n", name_of(check.fit->verdict()), check.fit->score);
    for (const std::string& reason : check.fit->reasons) text += "        " + reason + "\n";
  }
  if (!check.error.empty()) text += "error   " + check.error + "\n";
  if (check.facts != nullptr) {
    const Headline head = headline(*check.facts);
    text += fmt::format("placed  {} on lines, {} in modules; {} inside delegate calls\n",
                        format_share(head.on_lines), format_share(head.in_modules),
                        format_share(head.delegated));
    text += "\n" + summary_text(*check.facts, unit);
  }
  if (!check.report.rows().empty()) text += "\n";
  for (const ReportRow& row : check.report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    text += fmt::format("{:<9} {} ×{}: {}\n          first: {}\n", name_of(info.severity), info.id,
                        row.count, info.advice, row.first);
  }
  return text;
}

int run(const CommonOptions& options) {
  Result<Inputs> inputs = resolve_inputs(options);
  if (!inputs) return fail(inputs.error());
  const LoadRequest& request = inputs->request;
  const Result<Artifacts> artifacts = load_artifacts(real_file_system(), request);
  if (!artifacts) return fail(artifacts.error());
  CheckResult check;
  check.etdump = request.etdump;
  check.etrecord = request.etrecord;
  check.other_models = inputs->other_models;
  const auto study = build_study(real_file_system(), *artifacts, request);
  std::optional<Facts> facts;
  if (study) {
    facts.emplace(*study);
    check.facts = &*facts;
    check.fit = (*study)->fit;
    check.report = (*study)->report;
    note_executions(*facts, inputs->unit, check.report);
    note_changed_sources(**study, check.report);
  } else {
    if (study.error().code == ErrorCode::InvalidParams) return fail(study.error());
    const Result<Selection> selection =
        select_block(*artifacts->log, artifacts->trees, artifacts->blocks, artifacts->record.get(),
                     request.selection, artifacts->backends);
    if (selection) check.fit = selection->fit;
    check.error = study.error().message;
    check.report.append(artifacts->log->report);
    if (artifacts->record) check.report.append(artifacts->record->report);
  }
  const int status =
      write_output(options, options.format == "json" ? check_json(check, inputs->target)
                                                     : check_text(check, inputs->unit));
  if (status != kSuccess || study) return status;
  return fail(study.error());
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Say whether the artifacts belong together, what is odd, and how much time is placed");
  auto options = std::make_shared<CommonOptions>();
  add_common_options(*command, *options, {"table", "json"});
  add_time_options(*command, *options);
  options->wants_values = true;
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
