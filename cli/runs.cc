// SPDX-License-Identifier: Apache-2.0
// `etlens runs`: the memory of runs: what is stored, and what is added, pinned or removed.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stored_runs.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"
#include "core/render/runs_table.h"
#include "core/runs/choose_run.h"
#include "core/view/runs_view.h"
#include "core/workspace/load.h"

namespace etlens::cli {
namespace {

constexpr const char* kRunsHelp =
    "Runs are kept in .etlens/runs next to the dump, or in the folder above that has it already. Git ignores it.\n"
    "A RUN is a number, or prev, best, a day (2026-11-20), a branch or a commit, as in "
    "`etlens diff --base @prev`.\n"
    "JSON etlens/runs@1: runs [{run, time, total, unit, change, since, dump, branch, commit, pinned, etdump, "
    "etrecord, pte}].";

struct RunsOptions {
  CommonOptions common;
  bool stores = false;
  std::vector<std::string> pinned;
  std::vector<std::string> unpinned;
  std::vector<std::string> removed;
  std::string limit = "1 GB";
};

// "1 GB", "500MB".
Result<uint64_t> parse_size(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view unit = trim(std::string_view(text).substr(digits));
  const std::optional<double> number = parse_double(text.substr(0, digits));
  const double factor = unit == "kB" ? 1e3 : unit == "MB" ? 1e6 : unit == "GB" ? 1e9 : 0;
  const double bytes = number.value_or(0) * factor;
  if (bytes >= 1 && bytes < 1e18) return static_cast<uint64_t>(bytes);
  return Error{ErrorCode::InvalidParams,
               fmt::format("--limit {} is not a size; give one like 500MB or 2GB", text)};
}

Result<StoredRuns> runs_here(const CommonOptions& options) {
  const std::string here = current_folder();
  if (options.paths.size() > 1)
    return Error{ErrorCode::InvalidParams, "name one folder; runs are listed of one at a time"};
  const std::string folder =
      options.paths.empty() ? here : absolute_path(here, options.paths.front());
  const Result<FileStamp> stamp = real_file_system().stat(folder);
  if (!stamp) return stamp.error();
  if (!stamp->is_directory)
    return Error{ErrorCode::InvalidParams,
                 folder + " is not a folder; name the folder that has runs"};
  return find_runs(folder);
}

int list(const CommonOptions& options) {
  const Result<StoredRuns> stored = runs_here(options);
  if (!stored) return fail(stored.error());
  if (stored->runs.empty() && options.format == "table")
    say(fmt::format("no runs are stored for {}; `etlens runs --store` stores the newest dump",
                    stored->folder));
  std::optional<TimeScale> unit;
  if (!options.target_scale.empty()) unit = parse_time_scale(options.target_scale);
  const TableOptions human{.style = TableStyle::Human, .unit = unit};
  return print_table(
      options,
      {.table =
           [&](TableStyle style) { return runs_table(*stored, {.style = style, .unit = unit}); },
       .json = [&](const RowChoice& rows) { return json_text(runs_view(*stored, rows)); },
       .text = [&](TablePrinter& printer) { return runs_text(*stored, human, printer); }});
}

int store(const RunsOptions& options, const RunLimits& limits) {
  Result<Inputs> inputs = resolve_inputs(options.common);
  if (!inputs) return fail(inputs.error());
  if (inputs->request.etdump.empty())
    return fail({ErrorCode::NotFound,
                 "there is no ETDump to store; run the model with the event tracer first"});
  const auto study = load_study(real_file_system(), inputs->request);
  if (!study) return fail(study.error());
  const Result<std::string> done = store_study(*study, limits);
  if (!done) return fail(done.error());
  return write_output(options.common, *done + "\n");
}

// Applies `change` to each of the runs that are named.
int change_runs(const StoredRuns& stored, const std::vector<std::string>& names,
                const auto& change) {
  for (const std::string& name : names) {
    const std::string reference = is_run_reference(name) ? name : "@" + name;
    const Result<StoredRun> run = choose_run(stored, reference, std::nullopt);
    if (!run) return fail(run.error());
    if (const Result<void> done = change(run->number); !done) return fail(done.error());
  }
  return kSuccess;
}

int run_runs(const RunsOptions& options) {
  const Result<uint64_t> limit = parse_size(options.limit);
  if (!limit) return fail(limit.error());
  RunLimits limits;
  limits.bytes = *limit;
  if (options.stores) return store(options, limits);
  if (options.pinned.empty() && options.unpinned.empty() && options.removed.empty())
    return list(options.common);
  const Result<StoredRuns> stored = runs_here(options.common);
  if (!stored) return fail(stored.error());
  const std::string& folder = stored->folder;
  const auto pin = [&](bool is_pinned) {
    return [&folder, is_pinned](uint32_t number) { return pin_run(folder, number, is_pinned); };
  };
  if (const int status = change_runs(*stored, options.pinned, pin(true)); status != kSuccess)
    return status;
  if (const int status = change_runs(*stored, options.unpinned, pin(false)); status != kSuccess)
    return status;
  return change_runs(*stored, options.removed,
                     [&](uint32_t number) { return remove_run(folder, number); });
}

}  // namespace

void add_runs(CLI::App& app, int& status) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command = app.add_subcommand("runs", "List stored runs; store, pin or remove them");
  add_common_options(*command, options->common, kTableFormats);
  add_view_options(*command, options->common);
  command->add_flag("--store", options->stores,
                    "Store the newest dump, or that of --etdump, with its record and program");
  add_repeatable_option(*command, "--pin", options->pinned, "RUN",
                        "Never remove this run to make room; repeatable");
  add_repeatable_option(*command, "--unpin", options->unpinned, "RUN",
                        "The reverse of --pin; repeatable");
  add_repeatable_option(*command, "--remove", options->removed, "RUN",
                        "Remove this run; repeatable");
  command
      ->add_option("--limit", options->limit,
                   "What all runs may have; --store removes the oldest above it")
      ->type_name("SIZE")
      ->capture_default_str();
  command->footer(kRunsHelp);
  command->callback([options, &status] { status = run_runs(*options); });
}

}  // namespace etlens::cli
