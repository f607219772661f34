// SPDX-License-Identifier: Apache-2.0
#include "cli/report_inputs.h"

#include <algorithm>

#include "cli/open_study.h"
#include "cli/sent_sources.h"
#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/facts/headline.h"
#include "core/join/program_code.h"
#include "core/render/runs_table.h"
#include "core/runs/choose_run.h"
#include "core/runs/run_of_study.h"
#include "core/workspace/load_graph.h"
#include "core/workspace/load_program.h"
#include "etlens_version.h"

namespace etlens::cli {
namespace {

bool is_compared(const SideOptions& base) { return !base.paths.empty() || !base.etdumps.empty(); }

// What a report has of the program of the method that ran; nothing where that cannot be told.
struct OfProgram {
  std::optional<MemoryFacts> memory;
  std::optional<ProgramGraph> graph;
};

enum class Wanted : uint8_t { MemoryAndGraph, Memory };

Result<OfProgram> read_program(const Facts& facts, const LoadRequest& request, Wanted wanted) {
  const Study& study = facts.study();
  if (study.pte_path.empty()) {
    OfProgram of_record;
    const std::shared_ptr<const Code>& code = facts.measure().landings->code;
    const bool has_graph = wanted == Wanted::MemoryAndGraph && code->record && code->method;
    if (has_graph) of_record.graph = graph_of_record(code);
    return of_record;
  }
  LoadRequest of_program = request;
  of_program.pte = study.pte_path;
  of_program.etrecord = study.etrecord_path;
  const Result<LoadedProgram> loaded = load_program(real_file_system(), of_program);
  if (!loaded) return loaded.error();
  for (size_t m = 0; m < loaded->program->methods.size(); ++m) {
    const ProgramMethod& method = loaded->program->methods[m];
    if (method.name != facts.code().method_name()) continue;
    const auto code = code_of_program(loaded->record, method, request.library_frames);
    OfProgram found{MemoryFacts(loaded->program, m, code), std::nullopt};
    if (wanted == Wanted::MemoryAndGraph)
      found.graph =
          graph_of_loaded(real_file_system(), *loaded->program, method, code, request.backends);
    return found;
  }
  return OfProgram();
}

// What it costs or what is wrong with it is no reason to show no times.
OfProgram load_of_program(const Facts& facts, const LoadRequest& request, LoadReport& problems) {
  const auto read_within = [&](Wanted wanted) {
    return within_budget({}, [&] { return read_program(facts, request, wanted); });
  };
  Result<OfProgram> read = read_within(Wanted::MemoryAndGraph);
  if (!read) read = read_within(Wanted::Memory);  // a graph that costs too much costs only itself
  if (read) return *std::move(read);
  problems.add(Oddity::MemoryUnreadable, read.error().message);
  return {};
}

std::optional<ValuesFacts> load_logged_values(const Facts& facts, const Inputs& inputs,
                                              LoadReport& problems) {
  if (facts.study().join->log->debug_values.empty()) return std::nullopt;
  Result<ValuesFacts> values = within_budget({}, [&]() -> Result<ValuesFacts> {
    Result<ValueStudy> study =
        load_values(real_file_system(), facts.study(), inputs.request, inputs.values);
    if (!study) return std::move(study).error();
    return ValuesFacts(std::make_shared<const ValueStudy>(std::move(*study)));
  });
  if (values) return *std::move(values);
  problems.add(Oddity::ValuesUnreadable, values.error().message);
  return std::nullopt;
}

// What changed since the stored run before this dump; "" if nothing is stored, or if the totals do not compare.
std::string change_since_last_run(const Facts& facts) {
  const FileSystem& files = real_file_system();
  const Study& study = facts.study();
  const bool is_of_time = facts.quantity().dimension == Dimension::Time;
  if (study.etdump_path.empty() || study.is_of_export() || !is_of_time) return "";
  const Result<FileStamp> stamp = files.stat(study.etdump_path);
  const std::string folder = folder_of_runs(files, std::string(parent_path(study.etdump_path)));
  const Result<StoredRuns> stored = list_runs(files, folder);
  if (!stamp || !stored || stored->runs.empty()) return "";
  StoredRun run = run_of_study(files, study, headline(facts), *stamp, folder).run;
  const std::optional<StoredRun> known = run_of_dump(files, *stored, study.etdump_path);
  if (known) run.number = known->number;
  for (const StoredRun& other : stored->runs)
    if (!known && other.time_ms <= run.time_ms) run.number = std::max(run.number, other.number + 1);
  return since_text(*stored, run);
}

// The side that the report is about: all dumps of its folders, or the one that was named.
SideOptions new_side(const CommonOptions& common, const Inputs& inputs) {
  SideOptions side;
  if (common.etdump.empty()) side.paths = common.paths;
  if (side.paths.empty()) side.etdumps = {inputs.request.etdump};
  side.etrecord = inputs.request.etrecord;
  side.pte = inputs.request.pte;
  return side;
}

Result<Comparison> load_comparison(const ReportOptions& options, const Inputs& inputs) {
  CommonOptions common = options.common;
  common.paths.clear();
  common.etdump.clear();
  common.etrecord.clear();
  common.pte.clear();
  common.is_page = true;
  const Result<ResolvedSide> base = resolve_side(common, options.base, "base");
  if (!base) return base.error();
  const Result<ResolvedSide> fresh = resolve_side(common, new_side(options.common, inputs), "new");
  if (!fresh) return fresh.error();
  const Result<BothSides> sides = load_both_sides(*base, *fresh);
  if (!sides) return sides.error();
  return compare(sides->base, sides->fresh);
}

}  // namespace

void add_report_options(CLI::App& command, ReportOptions& options) {
  add_common_options(command, options.common, {});
  add_time_options(command, options.common);
  command
      .add_option("--debug-buffer", options.common.named_values.debug_buffer,
                  "Bytes of logged values (default: the file "
                  "next to the dump with its name and .bin)")
      ->type_name("FILE");
  command
      .add_option("--base", options.base.paths,
                  "Compare with the dumps of a base: files, folders or globs; its record and "
                  "program too")
      ->type_name("PATH")
      ->expected(1, -1);
}

ExportInput ReportInputs::view() const {
  ExportInput input{*facts, sources, unit};
  input.comparison = comparison ? &*comparison : nullptr;
  input.memory = memory ? &*memory : nullptr;
  input.values = values ? &*values : nullptr;
  input.graph = graph ? &*graph : nullptr;
  input.generator = "etlens " ETLENS_VERSION;
  input.problems = &problems;
  input.left_out = left_out;
  input.since = since;
  return input;
}

Result<ReportInputs> load_report(const ReportOptions& options, bool wants_all) {
  CommonOptions common = options.common;
  common.is_page = true;
  common.needs_dump = !wants_all;
  Result<Inputs> inputs = resolve_inputs(common);
  if (!inputs) return std::move(inputs).error();
  inputs->request.finds_reasons = true;
  auto study = open_study(real_file_system(), inputs->request);
  if (!study) return std::move(study).error();
  say_what_is_missing(options.common, inputs->request, (*study)->report);
  ReportInputs report;
  const size_t measure = (*study)->first_measure();
  report.facts = std::make_unique<Facts>(std::move(*study), measure, FactsFor::Reports);
  const Code& code = report.facts->code();
  report.sources = read_and_anchor(real_file_system(), code, report.facts->sources(),
                                   &report.problems, {}, inputs->request.source_files.get());
  report.left_out = left_out_sources(code, report.facts->sources(), inputs->request);
  report.unit = inputs->unit;
  if (!wants_all) {
    say_oddities(report.problems);
    return report;
  }
  report.since = change_since_last_run(*report.facts);
  OfProgram of_program = load_of_program(*report.facts, inputs->request, report.problems);
  report.memory = std::move(of_program.memory);
  report.graph = std::move(of_program.graph);
  report.values = load_logged_values(*report.facts, *inputs, report.problems);
  if (is_compared(options.base)) {
    Result<Comparison> comparison = load_comparison(options, *inputs);
    if (!comparison) return std::move(comparison).error();
    report.comparison = std::move(*comparison);
  }
  return report;
}

int write_to(const ReportOptions& options, const std::function<void(Sink&)>& write) {
  Result<OutputFile> file = open_output(options.common);
  if (!file) return fail(file.error());
  Sink sink([&](std::string_view piece) { return file->write(piece); });
  write(sink);
  (void)sink.finish();  // the file knows better why
  const Result<void> written = file->commit();
  return written ? kSuccess : fail(written.error());
}

int write_form(const ReportOptions& options, const ExportForm& form, const ReportInputs& inputs) {
  return write_to(options, [&](Sink& sink) { form.write(inputs.view(), sink); });
}

}  // namespace etlens::cli
