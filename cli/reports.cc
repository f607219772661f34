// SPDX-License-Identifier: Apache-2.0
// `etlens lines`, `modules`, `events` and `partitions`: tables of one profile.
#include <functional>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/render/report_json.h"
#include "core/render/summary.h"
#include "core/render/tables.h"

namespace etlens::cli {
namespace {

const std::vector<std::string> kFormats{"table", "tsv", "csv", "json", "markdown"};

struct Options {
  CommonOptions common;
  std::string module;
};

// What one command prints of a loaded profile.
struct Report {
  const ProfileSnapshot& snapshot;
  std::vector<AnchoredSource> sources;
  TimeScale target;
};

using TableOf = std::function<Table(const Report&, TableStyle)>;
using JsonOf = std::function<std::string(const Report&)>;
// Further text for people, below the table.
using NotesOf = std::function<std::string(const Report&)>;

int run(const Options& options, const TableOf& table, const JsonOf& json, const NotesOf& notes) {
  Result<Inputs> inputs = resolve_inputs(options.common);
  if (!inputs) return fail(inputs.error());
  const auto snapshot = load_snapshot(real_file_system(), inputs->request);
  if (!snapshot) return fail(snapshot.error());
  const ProfileSnapshot& loaded = **snapshot;
  if (!options.module.empty() &&
      std::none_of(loaded.profile.modules.begin(), loaded.profile.modules.end(),
                   [&](const ModuleRow& module) { return module.path == options.module; })) {
    return fail({ErrorCode::NotFound,
                 "there is no module " + options.module + "; `etlens modules` lists them"});
  }
  const Report report{loaded, read_and_anchor(real_file_system(), loaded), inputs->target};
  const std::string& format = options.common.format;
  if (format == "json") return write_output(options.common, json(report));
  if (format == "tsv") return write_output(options.common, to_tsv(table(report, TableStyle::Data)));
  if (format == "csv") return write_output(options.common, to_csv(table(report, TableStyle::Data)));
  if (format == "markdown") {
    return write_output(options.common, to_markdown(table(report, TableStyle::Human)));
  }
  return write_output(options.common, to_text(table(report, TableStyle::Human)) + "\n" +
                                          (notes ? notes(report) : std::string()) +
                                          describe_selection(loaded) + "\n" + summary_text(loaded));
}

std::shared_ptr<Options> add_report(CLI::App& app, int& status, const char* name, const char* help,
                                    TableOf table, JsonOf json, NotesOf notes = {}) {
  CLI::App* command = app.add_subcommand(name, help);
  auto options = std::make_shared<Options>();
  add_common_options(*command, options->common, kFormats);
  command->callback([options, &status, table = std::move(table), json = std::move(json),
                     notes = std::move(notes)] { status = run(*options, table, json, notes); });
  return options;
}

}  // namespace

void add_lines(CLI::App& app, int& status) {
  add_report(
      app, status, "lines", "List source lines with their time, the most costly first",
      [](const Report& r, TableStyle style) {
        return lines_table(r.snapshot, r.sources, style, r.target);
      },
      [](const Report& r) { return lines_json(r.snapshot, r.sources, r.target); });
}

void add_modules(CLI::App& app, int& status) {
  auto module = std::make_shared<std::string>();
  const auto options = add_report(
      app, status, "modules", "Print the module tree with self and inclusive time",
      [module](const Report& r, TableStyle style) {
        return modules_table(r.snapshot, *module, style, r.target);
      },
      [module](const Report& r) { return modules_json(r.snapshot, *module, r.target); });
  CLI::App* command = app.get_subcommand("modules");
  command
      ->add_option_function<std::string>(
          "--module",
          [module, options](const std::string& path) { *module = options->module = path; },
          "Only this module and what is below it, e.g. layers.0.attn")
      ->type_name("PATH");
}

void add_events(CLI::App& app, int& status) {
  add_report(
      app, status, "events", "List runtime events with their source lines, the most costly first",
      [](const Report& r, TableStyle style) {
        return events_table(r.snapshot, r.sources, style, r.target);
      },
      [](const Report& r) { return events_json(r.snapshot, r.sources, r.target); });
}

void add_partitions(CLI::App& app, int& status) {
  add_report(
      app, status, "partitions",
      "List delegate calls: their time, what explains it, and why they were cut",
      [](const Report& r, TableStyle style) {
        return partitions_table(r.snapshot, style, r.target);
      },
      [](const Report& r) { return partitions_json(r.snapshot, r.target); },
      [](const Report& r) {
        const Table fallbacks = fallbacks_table(r.snapshot, TableStyle::Human, r.target);
        if (fallbacks.rows.empty()) return std::string();
        return "on the CPU between two calls of one backend\n" + to_text(fallbacks) + "\n";
      });
}

}  // namespace etlens::cli
