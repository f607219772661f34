// SPDX-License-Identifier: Apache-2.0
// `etlens lines`, `modules`, `events`, `partitions` and `advise`: what one study tells.
#include <functional>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/render/advice_text.h"
#include "core/render/control_text.h"
#include "core/render/event_groups_report.h"
#include "core/render/findings.h"
#include "core/render/group_columns.h"
#include "core/render/report_json.h"
#include "core/render/summary.h"
#include "core/render/tables.h"

namespace etlens::cli {
namespace {

struct StudyOptions {
  CommonOptions common;
  std::string module;
  std::string by;       // of events: what they are gathered by
  bool groups = false;  // of executions: side by side
};

// What one command prints of.
struct Report {
  const Facts& facts;
  std::vector<AnchoredSource> sources;
  TimeScale target;
  std::string module;
  std::optional<EventGrouping> by;
};

// What tells the commands apart.
struct Forms {
  std::function<Table(const Report&, const TableOptions&)> table;
  std::function<std::string(const Report&, const RowChoice&)> json;
  // A further table for people, below the first; null: there is none.
  std::function<Table(const Report&, const TableOptions&)> more = nullptr;
  const char* more_title = "";
  bool tells_reasons = false;  // why operators are on the CPU
  bool needs_dump = false;     // an export that has not run has none of these rows
  bool is_of_lines = false;    // time without a line is printed before the table
  bool has_groups = false;     // groups of executions can stand side by side
  // For people instead of tables; null: the tables.
  std::function<std::string(const Report&, const TableOptions&, const RowChoice&)> text = nullptr;
};

std::string text_for_people(const Report& report, const Forms& forms, const TableOptions& style,
                            TablePrinter& printer) {
  const Headline head = headline(report.facts);
  std::string text;
  if (forms.is_of_lines) {
    for (const std::string& silence : silence_texts(head, report.facts, style.unit))
      text += silence + "\n\n";
  }
  text += printer.ranked(forms.table(report, style)) + "\n";
  if (forms.more) {
    const Table more = forms.more(report, style);
    if (!more.rows.empty())
      text += std::string(forms.more_title) + "\n" + printer.beside(more) + "\n";
  }
  if (style.by_group) {
    if (const Table parts = parts_by_group_table(report.facts, style); !parts.rows.empty())
      text += "one execution of each group\n" + printer.words(to_text(parts)) + "\n";
  }
  return text + printer.words(summary_text(head, report.facts, style.unit));
}

int run_table(const StudyOptions& options, const Forms& forms) {
  if (options.groups && !options.by.empty()) {
    return fail(
        {ErrorCode::InvalidParams,
         "--groups compares groups of executions and --by adds up events; give one of them"});
  }
  CommonOptions common = options.common;
  common.needs_dump = forms.needs_dump;
  Result<Inputs> inputs = resolve_inputs(common);
  if (!inputs) return fail(inputs.error());
  inputs->request.finds_reasons = forms.tells_reasons;
  const Result<Facts> chosen = open_facts(inputs->request, options.common);
  if (!chosen) return fail(chosen.error());
  const Facts& facts = *chosen;
  if (!inputs->sources.empty()) {
    say("this is of all files; `etlens annotate " + inputs->sources.front() +
        "` shows one file alone");
  }
  if (!options.module.empty() && !facts.code().find_module(options.module).valid()) {
    return fail({ErrorCode::NotFound,
                 "there is no module " + options.module + "; `etlens modules` lists them"});
  }
  LoadReport problems;
  const Report report{facts,
                      read_and_anchor(real_file_system(), facts.code(), facts.sources(), &problems,
                                      {}, inputs->request.source_files.get()),
                      inputs->target, options.module, parse_event_grouping(options.by)};
  say_oddities(problems);
  if (options.groups && headline(facts).groups.empty())
    say("nothing distinguishes the executions, so there are no groups of them");
  const TableOptions data{
      .style = TableStyle::Data, .target = inputs->target, .by_group = options.groups};
  const TableOptions people{TableStyle::Human, inputs->target, inputs->unit,
                            !options.common.arrangement.chooses_rows(), options.groups};
  const auto table = [&](TableStyle style) {
    return forms.table(report, style == TableStyle::Data ? data : people);
  };
  // Which rows of what is no table.
  RowChoice rows;
  if (forms.text) {
    const Result<RowChoice> wanted = row_choice(options.common, table(TableStyle::Data));
    if (!wanted) return fail(wanted.error());
    rows = *wanted;
  }
  const auto text = [&](TablePrinter& printer) {
    return forms.text ? printer.words(forms.text(report, people, rows))
                      : text_for_people(report, forms, people, printer);
  };
  const auto json = [&](const RowChoice& asked) { return forms.json(report, asked); };
  return print_table(options.common, {table, json, text});
}

// Returns the options of the command, for those that it alone has.
std::shared_ptr<StudyOptions> add_report(CLI::App& app, int& status, const char* name,
                                         const char* help, Forms forms) {
  CLI::App* command = app.add_subcommand(name, help);
  auto options = std::make_shared<StudyOptions>();
  add_common_options(*command, options->common, kTableFormats);
  add_time_options(*command, options->common);
  add_view_options(*command, options->common);
  if (forms.has_groups) {
    command->add_flag("--groups", options->groups,
                      "A column for each group of executions, like decode and prefill");
  }
  command->callback(
      [options, &status, forms = std::move(forms)] { status = run_table(*options, forms); });
  return options;
}

void add_measure(CLI::App& app, const char* name, const std::shared_ptr<StudyOptions>& options) {
  add_measure_option(*app.get_subcommand(name), options->common);
}

}  // namespace

void add_lines(CLI::App& app, int& status) {
  const auto options = add_report(
      app, status, "lines", "List source lines with what they cost, the most costly first",
      {.table = [](const Report& r,
                   const TableOptions& style) { return lines_table(r.facts, r.sources, style); },
       .json = [](const Report& r,
                  const RowChoice& rows) { return lines_json(r.facts, r.sources, r.target, rows); },
       .more = [](const Report& r,
                  const TableOptions& style) { return control_table(r.facts, style); },
       .more_title = "branches, loops and state",
       .is_of_lines = true,
       .has_groups = true});
  add_measure(app, "lines", options);
}

void add_modules(CLI::App& app, int& status) {
  const auto options = add_report(
      app, status, "modules", "Print the module tree with self and inclusive cost",
      {.table = [](const Report& r,
                   const TableOptions& style) { return modules_table(r.facts, r.module, style); },
       .json =
           [](const Report& r, const RowChoice& rows) {
             return modules_json(r.facts, r.module, r.target, rows);
           },
       .has_groups = true});
  add_measure(app, "modules", options);
  app.get_subcommand("modules")
      ->add_option("--module", options->module,
                   "Only this module and what is below it, e.g. layers.0.attn")
      ->type_name("PATH");
}

void add_events(CLI::App& app, int& status) {
  const auto options = add_report(
      app, status, "events", "List runtime events with their source lines, the most costly first",
      {.table =
           [](const Report& r, const TableOptions& style) {
             return r.by ? event_groups_table(r.facts, *r.by, style)
                         : events_table(r.facts, r.sources, style);
           },
       .json =
           [](const Report& r, const RowChoice& rows) {
             return r.by ? event_groups_json(r.facts, *r.by, r.target, rows)
                         : events_json(r.facts, r.sources, r.target, rows);
           },
       .needs_dump = true,
       .has_groups = true});
  app.get_subcommand("events")
      ->add_option("--by", options->by,
                   "Add up events of one operator, line, module, backend or delegate call")
      ->check(CLI::IsMember({"operator", "line", "module", "delegate", "partition"}));
}

void add_partitions(CLI::App& app, int& status) {
  add_report(
      app, status, "partitions",
      "List delegate calls: their time, what explains it, and why they were cut",
      {.table = [](const Report& r,
                   const TableOptions& style) { return partitions_table(r.facts, style); },
       .json = [](const Report& r,
                  const RowChoice& rows) { return partitions_json(r.facts, r.target, rows); },
       .more = [](const Report& r,
                  const TableOptions& style) { return fallbacks_table(r.facts, style); },
       .more_title = "on the CPU between two calls of one backend"});
}

void add_advise(CLI::App& app, int& status) {
  add_report(app, status, "advise", "Print what to look at first, by the time that it could save",
             {.table = [](const Report& r,
                          const TableOptions& style) { return advice_table(r.facts, style); },
              .json = [](const Report& r,
                         const RowChoice& rows) { return advice_json(r.facts, r.target, rows); },
              .tells_reasons = true,
              .text =
                  [](const Report& r, const TableOptions& style, const RowChoice& rows) {
                    return advice_text(r.facts, r.sources, style.unit, rows);
                  }});
}

}  // namespace etlens::cli
