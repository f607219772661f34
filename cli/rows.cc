// SPDX-License-Identifier: Apache-2.0
// `etlens rows`: dumps as rows for a database.
#include <memory>

#include "cli/commands.h"
#include "cli/fleet_inputs.h"
#include "core/base/text.h"
#include "core/fleet/fleet.h"
#include "core/render/fleet_table.h"

namespace etlens::cli {
namespace {

struct RowsOptions {
  FleetInputOptions fleet;
  bool each_execution = false;
  bool has_header = true;
};

int run_rows(const RowsOptions& options) {
  Result<FleetInputs> fleet = resolve_fleet(options.fleet);
  if (!fleet) return fail(fleet.error());
  fleet->work.reader.each_execution = options.each_execution;
  fleet->work.form = options.fleet.common.format == "tsv" ? RowForm::Tsv : RowForm::Ndjson;
  Result<OutputFile> file = open_output(options.fleet.common);
  if (!file) return fail(file.error());
  bool writes = true;
  const auto write = [&](std::string_view text) -> Result<void> {
    writes = file->write(text);
    if (writes) return {};
    return Error{ErrorCode::Io, "nothing more can be written"};  // the file knows why
  };
  FleetBuilder broken({});  // counts what could not be read
  size_t written = 0;
  Result<void> result;
  if (options.has_header) result = write(dump_rows_header(fleet->work.form));
  if (result) {
    result = read_with_progress(
        fleet->work,
        [&](DumpText text) -> Result<void> {
          if (auto* one = std::get_if<BrokenDump>(&text)) {
            broken.add(std::move(*one));
            return {};
          }
          ++written;
          return write(std::get<std::string>(text));
        },
        [&](std::string sentence) { broken.leave_out_record(std::move(sentence)); });
  }
  if (!result && writes) return fail(result.error());
  if (const Result<void> placed = file->commit(); !placed) return fail(placed.error());
  if (!writes) return kSuccess;  // the reader has what it wanted
  const std::string left_out = left_out_text(std::move(broken).finish());
  for (const std::string_view line : split_lines(left_out)) say(line);
  return written > 0 ? kSuccess : kUnusableInput;
}

}  // namespace

void add_rows(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("rows", "Write dumps as rows for a database, one for each place");
  auto options = std::make_shared<RowsOptions>();
  CommonOptions& common = options->fleet.common;
  common.format = "ndjson";
  add_fleet_inputs(*command, options->fleet);
  command->add_flag("--each-execution", options->each_execution,
                    "In addition to the row of the statistic, one for every execution used");
  command->add_option("--format", common.format, "Form of the rows")
      ->check(CLI::IsMember({"ndjson", "tsv"}))
      ->capture_default_str();
  command->add_flag("!--no-header", options->has_header,
                    "TSV without the line that names the columns");
  command->add_option("-o", common.output, "Write the rows to FILE instead of stdout")
      ->type_name("FILE");
  command->footer(
      "A dump's rows name the hash of its content (`git hash-object`): rows that are written twice "
      "count once.\n"
      "docs/fleet.md has the columns, and fleet/clickhouse the tables and queries for them.");
  command->callback([options, &status] { status = run_rows(*options); });
}

}  // namespace etlens::cli
