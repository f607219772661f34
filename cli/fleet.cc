// SPDX-License-Identifier: Apache-2.0
// `etlens fleet`: what many dumps of one program say together.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/fleet_inputs.h"
#include "cli/fleet_rows.h"
#include "cli/options.h"
#include "core/base/fields_json.h"
#include "core/base/text.h"
#include "core/export/trend_picture.h"
#include "core/fleet/trend.h"
#include "core/render/fleet_table.h"
#include "core/view/fleet_view.h"

namespace etlens::cli {
namespace {

struct FleetCommand {
  FleetInputOptions input;
  FleetOptions fleet;
  std::string from;
  std::string by = "line";
  std::string trend;  // a fact; "": no trend
  std::vector<std::string> builds;
  std::string threshold = "2%";
  std::string picture;
};

// Ticks of rows say themselves what they are.
Result<Inputs> units_of_rows(const CommonOptions& common, const Fleet& fleet) {
  Inputs inputs;
  inputs.request.time_scale = *parse_time_scale(fleet.tick);
  if (inputs.request.time_scale == TimeScale::Cycles) inputs.target = TimeScale::Cycles;
  if (!common.target_scale.empty())
    inputs.unit = inputs.target = *parse_time_scale(common.target_scale);
  if (is_convertible(inputs.request.time_scale, inputs.target)) return inputs;
  return Error{ErrorCode::InvalidParams, "times cannot be shown in " + common.target_scale +
                                             ": the rows are in " + fleet.tick};
}

Result<Fleet> read_fleet(const FleetCommand& command) {
  FleetOptions options = command.fleet;
  if (!command.trend.empty()) {
    std::erase(options.group_by, command.trend);
    if (options.group_by.empty()) options.group_by.emplace_back("device");
    options.group_by.push_back(command.trend);
    options.keeps_dumps = true;
  }
  FleetBuilder builder(options);
  if (!command.from.empty()) {
    if (Result<void> added = add_rows_of(command.from, builder); !added)
      return std::move(added).error();
    return std::move(builder).finish();
  }
  const Result<FleetInputs> inputs = resolve_fleet(command.input);
  if (!inputs) return inputs.error();
  const Result<void> read = read_with_progress(
      inputs->work,
      [&](DumpText text) -> Result<void> {
        if (auto* broken = std::get_if<BrokenDump>(&text)) {
          builder.add(std::move(*broken));
          return {};
        }
        return builder.add(rows_from_text(std::get<std::string>(text)));
      },
      [&](std::string sentence) { builder.leave_out_record(std::move(sentence)); });
  if (!read) return read.error();
  return std::move(builder).finish();
}

int write_picture(const FleetCommand& command, const Fleet& fleet, const Trend& trend) {
  CommonOptions file;
  file.output = command.picture;
  std::string svg;
  Sink sink([&](std::string_view piece) {
    svg += piece;
    return true;
  });
  write_trend_picture(fleet, trend, *parse_place_kind(command.by), sink);
  (void)sink.finish();
  return write_output(file, svg);
}

FleetTableOptions in_style(FleetTableOptions options, TableStyle style) {
  options.table.style = style;
  return options;
}

// With what is said around the table.
bool is_whole_markdown(const CommonOptions& common) {
  return common.format == "markdown" && common.arrangement.columns.empty() &&
         !common.arrangement.chooses_rows();
}

int print_trend(const FleetCommand& command, const Fleet& fleet, const FleetTableOptions& table,
                TimeScale target) {
  TrendOptions options;
  options.builds = command.builds;
  const Result<double> threshold = parse_fraction("--threshold", command.threshold);
  if (!threshold) return fail(threshold.error());
  options.threshold = *threshold;
  const Result<Trend> trend = find_trend(fleet, options);
  if (!trend) return fail(trend.error());
  if (!command.picture.empty()) {
    if (const int written = write_picture(command, fleet, *trend); written != kSuccess)
      return written;
  }
  const CommonOptions& common = command.input.common;
  if (is_whole_markdown(common)) return write_output(common, trend_markdown(fleet, *trend, table));
  return print_table(
      common,
      {.table =
           [&](TableStyle style) { return trend_table(fleet, *trend, in_style(table, style)); },
       .json = [&](const RowChoice&) { return json_text(trend_view(fleet, *trend, target)); },
       .text = [&](TablePrinter& printer) { return trend_text(fleet, *trend, table, printer); },
       .json_is_whole = true});
}

int print_fleet(const FleetCommand& command, const Fleet& fleet, const FleetTableOptions& table,
                TimeScale target) {
  const CommonOptions& common = command.input.common;
  if (is_whole_markdown(common)) return write_output(common, fleet_markdown(fleet, table));
  return print_table(
      common,
      {.table = [&](TableStyle style) { return fleet_table(fleet, in_style(table, style)); },
       .json = [&](const RowChoice&) { return json_text(fleet_report_view(fleet, target)); },
       .text = [&](TablePrinter& printer) { return fleet_text(fleet, table, printer); },
       .json_is_whole = true});
}

// Facts that no dump has tell none from another.
Result<void> check_groups(const Fleet& fleet) {
  for (size_t f = 0; f < fleet.group_by.size(); ++f) {
    const bool is_known =
        std::any_of(fleet.groups.begin(), fleet.groups.end(),
                    [&](const std::vector<std::string>& group) { return !group[f].empty(); });
    // A trend is within devices where those are known.
    const bool may_lack = fleet.group_by.size() > 1 && fleet.group_by[f] == "device";
    if (is_known || may_lack) continue;
    return Error{
        ErrorCode::InvalidParams,
        fmt::format("no dump has the fact {0}; write it into NAME.json next to the dumps, or "
                    "give its place with --facts (an engine's answer has it "
                    "if places.sql lists it)",
                    fleet.group_by[f])};
  }
  return {};
}

int run_fleet(const FleetCommand& command) {
  if (!command.from.empty() && !command.input.common.paths.empty())
    return fail({ErrorCode::InvalidParams, "--from reads rows, and paths are dumps; give one"});
  if (!command.picture.empty() && command.trend.empty())
    return fail({ErrorCode::InvalidParams, "--picture shows a trend; name its fact with --trend"});
  const Result<Fleet> fleet = read_fleet(command);
  if (!fleet) return fail(fleet.error());
  if (fleet->lines_left_out.count > 0) say(lines_left_out_text(*fleet));
  if (fleet->dumps == 0) {
    const std::string left_out = left_out_text(*fleet);
    for (const std::string_view line : split_lines(left_out)) say(line);
    return fail({ErrorCode::Unsupported, "there is no dump that can be used"});
  }
  if (const Result<void> groups = check_groups(*fleet); !groups) return fail(groups.error());
  const Result<Inputs> units = units_of_rows(command.input.common, *fleet);
  if (!units) return fail(units.error());
  FleetTableOptions table;
  table.by = *parse_place_kind(command.by);
  table.table = {TableStyle::Human, units->target, units->unit,
                 !command.input.common.arrangement.chooses_rows()};
  return command.trend.empty() ? print_fleet(command, *fleet, table, units->target)
                               : print_trend(command, *fleet, table, units->target);
}

void add_output(CLI::App& command, FleetCommand& options) {
  CommonOptions& common = options.input.common;
  command
      .add_option("--target-time-scale", common.target_scale,
                  "Unit of printed times (default: ms; in tables what fits each value)")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "cycles"}));
  command.add_option("--by", options.by, "What the table lists")
      ->check(CLI::IsMember({"line", "module", "operator"}))
      ->capture_default_str();
  command.add_option("--format", common.format, "Form of the result")
      ->check(CLI::IsMember(kTableFormats))
      ->capture_default_str();
  command.add_option("-o", common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
}

}  // namespace

void add_fleet(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("fleet", "Quantiles of each line over many dumps of one program");
  auto options = std::make_shared<FleetCommand>();
  add_fleet_inputs(*command, options->input);
  command
      ->add_option("--from", options->from,
                   "Rows of `etlens rows`, or an engine's answer, instead of dumps; - is stdin")
      ->type_name("FILE");
  add_list_option(*command, "--group-by", options->fleet.group_by,
                  "Facts to group dumps by: device, soc, build, …")
      ->type_name("FACT,…");
  command
      ->add_option("--trend", options->trend,
                   "What changed from one value of this fact to the next, and with which first; "
                   "like is compared with like by --group-by (default: device)")
      ->type_name("FACT");
  add_list_option(*command, "--builds", options->builds,
                  "Values of that fact in their order (default: by name, numbers as numbers)")
      ->type_name("NAME,…");
  command->add_option("--threshold", options->threshold, "Changes below it do not matter")
      ->type_name("SHARE")
      ->capture_default_str();
  command->add_option("--picture", options->picture, "Draw the trend into FILE, too (SVG)")
      ->type_name("FILE");
  command
      ->add_option("--exact-values", options->fleet.exact_values,
                   "Values to keep for exact quantiles; with "
                   "more of them, quantiles are within 0.5%")
      ->type_name("N")
      ->capture_default_str();
  add_output(*command, *options);
  add_view_options(*command, options->input.common);
  command->footer(
      "A dump counts once, whatever it is called. Files "
      "that cannot be used are named and left out.\n"
      "Values are each dump's typical time of one execution: "
      "of lines and operators their own, of modules with what\n"
      "they contain. docs/fleet.md explains what the "
      "numbers are, and how many dumps a database takes.");
  command->callback([options, &status] { status = run_fleet(*options); });
}

}  // namespace etlens::cli
