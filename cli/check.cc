// SPDX-License-Identifier: Apache-2.0
// `etlens check`: do the artifacts belong together, what was read, what is odd, how much is placed.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/render/check_pair.h"
#include "core/render/format.h"
#include "core/render/report_json.h"
#include "core/render/summary.h"

namespace etlens::cli {
namespace {

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
  Result<CheckedPair> checked = check_pair(real_file_system(), inputs->request, inputs->unit);
  if (!checked) return fail(checked.error());
  CheckResult& check = checked->result;
  check.other_models = inputs->other_models;
  const int status =
      write_output(options, options.format == "json" ? check_json(check, inputs->target)
                                                     : check_text(check, inputs->unit));
  if (status != kSuccess || checked->facts) return status;
  return fail({ErrorCode::Unsupported, check.error});
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
