// SPDX-License-Identifier: Apache-2.0
// `etlens diff`: what changed from one side to the other, on which line, and is it real.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/program_diff.h"
#include "cli/sides.h"
#include "cli/stored_runs.h"
#include "core/base/fields_json.h"
#include "core/compare/compare.h"
#include "core/render/diff_markdown.h"
#include "core/render/diff_table.h"
#include "core/view/diff_view.h"

namespace etlens::cli {
namespace {

// Exit status of --fail-above: no error, but what a script was waiting for.
constexpr int kSlowerThanAllowed = 3;

constexpr const char* kHelp =
    "A side is one or more dumps of one program: files, globs or folders. Each dump is one "
    "process, and processes\n"
    "are what verdicts are made of: take five or more of each "
    "side, in turn (docs/comparing.md). The record, the\n"
    "program and the sources are found next to the dumps unless they are named.\n"
    "Verdicts: slower, faster, same (within the threshold), "
    "cannot tell. With few dumps a verdict is likely at best.\n"
    "JSON etlens/diff@1: dumps, machine {factor, low, high}, total, lines [{before, after: "
    "{recorded_path, line, text, self,\n"
    "share, with}, change, low, high, p, verdict, likely, reason, needs_dumps}], modules, "
    "operators, partitions, parts and\n"
    "the reconciliation of both sides in ticks; change is "
    "a fraction of before, beyond the machine's factor.\n"
    "With --measure size or memory a side is a program (.pte, or a folder that holds one); JSON "
    "etlens/program-diff@1.\n"
    "Exit status: 3 if the total is slower, or the program larger, by more than --fail-above.";

struct DiffOptions {
  CommonOptions common;
  SideOptions base;
  SideOptions fresh;
  std::string by = "line";
  std::string threshold = "2%";
  std::string fail_above;
  std::string measure = "time";
  bool all = false;
};

int print_comparison(const Comparison& comparison, const DiffOptions& options,
                     const Inputs& inputs) {
  const CommonOptions& common = options.common;
  const DiffGrouping grouping = *parse_diff_grouping(options.by);
  if (common.format != "table" &&
      (common.arrangement.chooses_rows() || !common.arrangement.columns.empty())) {
    return fail({ErrorCode::InvalidParams,
                 fmt::format("--format {} lists everything; leave out --top, --sort, --reverse and "
                             "--columns, or choose the table",
                             common.format)});
  }
  if (common.format == "json")
    return write_output(common, json_text(diff_view(comparison, inputs.target)));
  if (common.format == "markdown")
    return write_output(common, diff_markdown(comparison, grouping, inputs.unit));
  TablePrinter printer(print_style(common));
  const std::string text = diff_table(comparison, {grouping, inputs.unit, options.all}, printer);
  if (printer.problem()) return fail(*printer.problem());
  return write_output(common, text + printer.legend(), printer.style().in_color);
}

int run_diff(DiffOptions options) {
  if (const Result<void> used = use_stored_runs(options.base, options.fresh); !used)
    return fail(used.error());
  CompareOptions compare_options;
  const Result<double> threshold = parse_fraction("--threshold", options.threshold);
  if (!threshold) return fail(threshold.error());
  compare_options.judge.threshold = *threshold;
  std::optional<double> limit;
  if (!options.fail_above.empty()) {
    const Result<double> share = parse_fraction("--fail-above", options.fail_above);
    if (!share) return fail(share.error());
    limit = *share;
  }
  if (options.measure != "time")
    return run_program_diff({options.common, options.base, options.fresh, options.measure, limit});
  const Result<ResolvedSide> base = resolve_side(options.common, options.base, "base");
  if (!base) return fail(base.error());
  const Result<ResolvedSide> fresh = resolve_side(options.common, options.fresh, "new");
  if (!fresh) return fail(fresh.error());
  const Result<BothSides> sides = load_both_sides(*base, *fresh);
  if (!sides) return fail(sides.error());
  const Result<Comparison> comparison = compare(sides->base, sides->fresh, compare_options);
  if (!comparison) return fail(comparison.error());
  const int written = print_comparison(*comparison, options, fresh->inputs);
  if (written != kSuccess) return written;
  const bool fails = limit && is_slower_than_allowed(comparison->total.judged, *limit);
  return fails ? kSlowerThanAllowed : kSuccess;
}

void add_side(CLI::App& command, const std::string& name, const std::string& label,
              SideOptions& options) {
  const auto flag = [&](const std::string& rest) { return "--" + name + rest; };
  command
      .add_option(
          flag(""), options.paths,
          "Dumps of " + label +
              ": files, folders or globs, also of a git revision (main:artifacts), or "
              "a stored run (@prev, @best, @42, @2026-11-20, @main); its record and program too")
      ->type_name("PATH")
      ->expected(1, -1);
  command.add_option(flag("-etdump"), options.etdumps, "A dump of " + label + "; repeatable")
      ->type_name("FILE");
  command.add_option(flag("-etrecord"), options.etrecord, "The record of " + label)
      ->type_name("FILE");
  command.add_option(flag("-pte"), options.pte, "The program of " + label)->type_name("FILE");
  command.add_option(flag("-method"), options.method, "The method of " + label)->type_name("NAME");
  add_repeatable_option(command, flag("-root"), options.roots, "DIR",
                        "Folder that holds the sources of " + label + "; repeatable");
  command
      .add_option(flag("-revision"), options.revision,
                  "Git revision that has the sources of " + label + " (branch, tag, commit)")
      ->type_name("REV");
  command
      .add_option(flag("-source-time-scale"), options.source_scale,
                  "Unit of the ticks of " + label + " (default: as --source-time-scale)")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "cycles"}));
}

void add_common(CLI::App& command, CommonOptions& common) {
  command.add_option("--method", common.selection.method, "Method of both sides")
      ->type_name("NAME");
  command.add_option("--block", common.selection.block, "Block of executions of both sides")
      ->type_name("NAME");
  add_no_record_option(command, common);
  add_source_options(command, common);
  add_recover_option(command, common);
  add_scale_option(command, common);
  command
      .add_option("--target-time-scale", common.target_scale,
                  "Unit of printed times (default: ms; in tables what fits each value)")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "cycles"}));
  command.add_option("--format", common.format, "Form of the result")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
  command.add_option("-o", common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
}

}  // namespace

void add_diff(CLI::App& app, int& status) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand("diff", "What changed between two sides, and is it real");
  add_side(*command, "base", "the base", options->base);
  add_side(*command, "new", "the new side", options->fresh);
  add_common(*command, options->common);
  add_time_options(*command, options->common);
  add_view_options(*command, options->common);
  command
      ->add_option("--measure", options->measure,
                   "What is compared: time, by dumps; or the size or the planned memory of two "
                   "programs, without dumps")
      ->check(CLI::IsMember({"time", "size", "memory"}))
      ->capture_default_str();
  command->add_option("--by", options->by, "What the table lists")
      ->check(CLI::IsMember({"line", "module", "operator", "partition"}))
      ->capture_default_str();
  command->add_option("--threshold", options->threshold, "Changes below it do not matter")
      ->type_name("SHARE")
      ->capture_default_str();
  command
      ->add_option("--fail-above", options->fail_above,
                   "Exit with status 3 if the total is slower, or the program larger, by more "
                   "than this")
      ->type_name("SHARE");
  command->add_flag("--all", options->all, "List what did not change as well");
  command->footer(kHelp);
  command->callback([options, &status] { status = run_diff(*options); });
}

}  // namespace etlens::cli
