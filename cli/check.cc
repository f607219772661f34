// SPDX-License-Identifier: Apache-2.0
// `etlens check`: do the artifacts belong together, what was read, what is odd, how much is placed.
#include <fmt/format.h>

#include <memory>

#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/path.h"
#include "core/facts/recovery_facts.h"
#include "core/render/check_pair.h"
#include "core/render/format.h"
#include "core/render/report_json.h"
#include "core/render/run_text.h"
#include "core/render/summary.h"

namespace etlens::cli {
namespace {

struct CheckOptions {
  CommonOptions common;
  bool is_verbose = false;
};

// Why operators may belong to other lines than theirs.
std::string lost_text(const RecoveryFacts& recovery, const Facts& facts,
                      std::optional<TimeScale> unit) {
  std::string text;
  for (const UnrecoveredFacts& call : recovery.calls) {
    std::string why(name_of(call.why));
    if (call.line > 0) why += fmt::format(", {}:{}", base_name(call.file), call.line);
    text += fmt::format("        {} in {} ({}): {}\n", format_cost_share(facts, call.cost, unit),
                        call.module_path.empty() ? "the model" : call.module_path,
                        call.type.substr(call.type.rfind('.') + 1), why);
  }
  return text;
}

std::string recovery_text(const Facts& facts, std::optional<TimeScale> unit, bool is_verbose) {
  const std::optional<RecoveryFacts> recovery = recovery_of(facts);
  if (!recovery) return "";
  std::string text = fmt::format(
      "helpers {} on lines that the export lost, found again in the sources; {} may be on "
      "others{}\n",
      format_share(recovery->recovered.share), format_share(recovery->lost.share),
      recovery->calls.empty() || is_verbose ? "" : " (--verbose shows why)");
  return is_verbose ? text + lost_text(*recovery, facts, unit) : text;
}

// "pair    match (score 1), certain: the hashes in model.etdp.json agree".
std::string pair_text(const CheckResult& check) {
  std::string text =
      fmt::format("pair    {} (score {:.3g})", name_of(check.fit->verdict()), check.fit->score);
  if (check.run && check.run->is_certain())
    text += fmt::format(", certain: the hashes in {} agree", base_name(check.run->path));
  return text;
}

}  // namespace

std::string check_text(const CheckResult& check, std::optional<TimeScale> unit, bool is_verbose) {
  std::string text = fmt::format("dump    {}\nrecord  {}\n",
                                 check.etdump.empty() ? "none: not run yet" : check.etdump,
                                 check.etrecord.empty() ? "none" : check.etrecord);
  if (check.etdump.empty() && !check.pte.empty()) text += fmt::format("program {}\n", check.pte);
  for (const std::string& path : check.other_models)
    text += fmt::format("other   {}, of another model (--etdump)\n", path);
  if (check.fit) {
    text += pair_text(check) + "\n";
    for (const std::string& reason : check.fit->reasons) text += "        " + reason + "\n";
  }
  if (!check.error.empty()) text += "error   " + check.error + "\n";
  if (check.facts != nullptr) {
    const Headline& head = check.headline;
    text += fmt::format("placed  {} on lines, {} in modules; {} inside delegate calls\n",
                        format_share(head.on_lines), format_share(head.in_modules),
                        format_share(head.delegated));
    text += recovery_text(*check.facts, unit, is_verbose);
    if (const std::string run = head.run ? run_text(*head.run) : ""; !run.empty())
      text += "run     " + run + "\n";
    text += "\n" + summary_text(head, *check.facts, unit);
  }
  if (!check.report.rows().empty()) text += "\n";
  for (const ReportRow& row : check.report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    text += fmt::format("{:<9} {} ×{}: {}\n          first: {}\n", name_of(info.severity), info.id,
                        row.count, advice_of(row.oddity), row.first);
  }
  return text;
}

namespace {

int run_check(const CheckOptions& check_options) {
  const CommonOptions& options = check_options.common;
  Result<Inputs> inputs = resolve_inputs(options);
  if (!inputs) return fail(inputs.error());
  inputs->request.measures = measures_for(inputs->request, options);
  Result<CheckedPair> checked = check_pair(real_file_system(), inputs->request, inputs->unit);
  if (!checked) return fail(checked.error());
  CheckResult& check = checked->result;
  say_what_is_missing(options, inputs->request, check.report);
  check.other_models = inputs->other_models;
  const int status =
      write_output(options, options.format == "json"
                                ? check_json(check, inputs->target)
                                : check_text(check, inputs->unit, check_options.is_verbose));
  if (status != kSuccess || checked->facts) return status;
  return fail({ErrorCode::Unsupported, check.error});
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Print whether the artifacts belong together, what is odd, and how much time is placed");
  auto options = std::make_shared<CheckOptions>();
  add_common_options(*command, options->common, {"table", "json"});
  add_time_options(*command, options->common);
  command->add_flag("--verbose", options->is_verbose,
                    "Print why lines inside helpers that the export lost were not found again");
  options->common.wants_values = true;
  command->callback([options, &status] { status = run_check(*options); });
}

}  // namespace etlens::cli
