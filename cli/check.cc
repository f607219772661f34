// SPDX-License-Identifier: Apache-2.0
// `etlens check`: do the artifacts belong together, what was read, what is odd, how much is placed.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/workspace/anchored_source.h"
#include "core/base/path.h"
#include "core/render/report_json.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens::cli {
namespace {

// Source lines whose text is no longer the recorded one.
void note_changed_sources(const ProfileSnapshot& snapshot, LoadReport& report) {
  const std::vector<AnchoredSource> sources = read_and_anchor(real_file_system(), snapshot);
  for (size_t f = 0; f < sources.size(); ++f) {
    if (sources[f].document == nullptr) continue;
    uint64_t changed = 0;
    for (const Anchor& anchor : sources[f].anchors)
      changed += anchor.verdict != AnchorVerdict::Exact;
    report.add(Oddity::SourceChanged,
               fmt::format("{}: {} of {} recorded lines are not where they were",
                           snapshot.sources[f].path, changed, sources[f].anchors.size()),
               changed);
  }
}

std::string check_text(const CheckResult& check) {
  std::string text = fmt::format("dump    {}\nrecord  {}\n", check.etdump,
                                 check.etrecord.empty() ? "none" : check.etrecord);
  if (check.fit) {
    text +=
        fmt::format("pair    {} (score {:.3g})\n", name_of(check.fit->verdict()), check.fit->score);
    for (const std::string& reason : check.fit->reasons) text += "        " + reason + "\n";
  }
  if (!check.error.empty()) text += "error   " + check.error + "\n";
  if (check.snapshot != nullptr) {
    const Profile& profile = check.snapshot->profile;
    text += fmt::format("placed  {} on lines, {} in modules; {} inside delegate calls\n",
                        format_share(profile.share(profile.total[TimePart::Line])),
                        format_share(profile.share(profile.in_modules_ticks)),
                        format_share(profile.share(profile.delegated_ticks)));
    text += "\n" + describe_selection(*check.snapshot) + "\n" + summary_text(*check.snapshot);
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
  Result<Artifacts> artifacts = load_artifacts(real_file_system(), request);
  if (!artifacts) return fail(artifacts.error());
  CheckResult check;
  check.etdump = request.etdump;
  check.etrecord = request.etrecord;
  const Result<Selection> selection =
      select_block(*artifacts->log, artifacts->trees, artifacts->blocks, artifacts->record.get(),
                   request.selection);
  if (selection) check.fit = selection->fit;
  check.report.append(artifacts->log->report);
  if (artifacts->record) check.report.append(artifacts->record->report);
  const auto snapshot = build_snapshot(real_file_system(), std::move(*artifacts), request);
  if (snapshot) {
    check.snapshot = snapshot->get();
    check.report = (*snapshot)->report;
    note_changed_sources(**snapshot, check.report);
  } else {
    check.error = snapshot.error().message;
  }
  const int status =
      write_output(options, options.format == "json" ? check_json(check) : check_text(check));
  if (status != kSuccess || snapshot) return status;
  return fail(snapshot.error());
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Say whether the artifacts belong together, what is odd, and how much time is placed");
  auto options = std::make_shared<CommonOptions>();
  add_common_options(*command, *options, {"table", "json"});
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
