// SPDX-License-Identifier: Apache-2.0
// `etlens delegation`: which operators of an export a delegate runs, and why not the others.
#include <memory>

#include "cli/commands.h"
#include "cli/program_inputs.h"
#include "cli/record_inputs.h"
#include "core/render/delegation_report.h"
#include "core/workspace/load_delegation.h"

namespace etlens::cli {
namespace {

int run_delegation(CommonOptions options) {
  if (options.format == "text") options.format = "table";
  const Result<LoadRequest> request = find_record(options);
  if (!request) return fail(request.error());
  const Result<LoadedDelegation> loaded = load_delegation(real_file_system(), *request);
  if (!loaded) return fail(loaded.error());
  const DelegationView view = delegation_view(*loaded);
  return print_table(options,
                     {.table = [&](TableStyle) { return delegated_operators_table(view); },
                      .json = [&](const RowChoice&) { return delegation_json(view); },
                      .text = [&](TablePrinter& printer) { return delegation_text(view, printer); },
                      .json_is_whole = true,
                      .head = [&] { return delegation_markdown_head(view); }});
}

}  // namespace

void add_delegation(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "delegation",
      "Show which operators a delegate runs, and why the others run on the CPU; needs no dump");
  auto options = std::make_shared<CommonOptions>();
  add_program_options(*command, *options, {"text", "json", "markdown", "csv", "tsv", "table"});
  add_view_options(*command, *options);
  command->callback([options, &status] { status = run_delegation(*options); });
}

}  // namespace etlens::cli
