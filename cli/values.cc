// SPDX-License-Identifier: Apache-2.0
// `etlens values`: the values that a dump logged, on the lines that made them, and how far they are
// from a reference.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <unordered_map>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/formats/npz/npy.h"
#include "core/render/values_report.h"
#include "core/view/value_view.h"

namespace etlens::cli {
namespace {

struct ValuesOptions {
  CommonOptions common;
  bool compat = false;
  std::string metric = "MSE";
  bool with_histograms = false;
  std::string save;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : absolute_path(current_folder(), path);
}

// "e0_i12_native_call_addmm.out_0.npy"; "e0_output_0.npy" for what the method returned.
std::string file_name(const ValueFacts& value) {
  std::string event = value.event;
  for (char& c : event) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    if (!is_plain) c = '_';
  }
  constexpr size_t kMaxEvent = 100;
  event.resize(std::min(event.size(), kMaxEvent));
  if (value.role == ValueRole::Program)
    return fmt::format("e{}_output_{}.npy", value.execution, value.output);
  return fmt::format("e{}_i{}_{}_{}.npy", value.execution,
                     value.instruction.value_or(kNoInstruction).value, event, value.output);
}

// A name for each value: loops log several under one.
class FileNames {
 public:
  std::string unique(const std::string& name) {
    const uint32_t before = seen_[name]++;
    return before == 0 ? name : fmt::format("{}_{}.npy", stem(name), before);
  }

 private:
  std::unordered_map<std::string, uint32_t> seen_;
};

Result<void> save_value(const StoredTensor& tensor, const std::string& path) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) return file.error();
  bool writes = true;
  Result<void> written =
      write_npy(tensor, [&](std::string_view part) { return writes = file->write(part); });
  if (written || !writes) return file->commit();
  Error error = std::move(written).error();
  error.message = path + " " + error.message;
  return error;
}

// Writes every value that can be read; a value that cannot is said and passed over.
Result<void> save_all(const ValuesFacts& facts, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Error{ErrorCode::Io, "cannot make the folder " + folder + ": " + error.message()};
  }
  FileNames names;
  size_t saved = 0;
  for (size_t v = 0; v < facts.size(); ++v) {
    const std::optional<StoredTensor>& tensor = facts.study().values[v].tensor;
    const std::string path = join_path(folder, names.unique(file_name(facts.value(v))));
    if (!tensor) {
      say(fmt::format("{} is not written: the value {}", path, facts.value(v).problem));
      continue;
    }
    if (Result<void> written = save_value(*tensor, path); !written) return written;
    ++saved;
  }
  say(fmt::format("{} values are in {}", saved, folder));
  return {};
}

int print_gaps(const ValuesOptions& options, const ValueStudy& study) {
  const std::optional<GapMetric> metric = parse_gap_metric(options.metric);
  if (study.kind != ReferenceKind::Arrays) {
    return fail({ErrorCode::InvalidParams,
                 "--compat compares with values from Python: give them with --reference as an .npz "
                 "whose arrays are named h<debug handle>"});
  }
  const ValueSide side = study.side();
  const std::vector<InspectorGapRow> rows =
      inspector_gaps(side, arrays_by_handle(study.arrays), *metric);
  for (const InspectorGapRow& row : rows) {
    if (!row.note.empty())
      say(fmt::format("debug handle {}: {}", row.handles.back().value, row.note));
  }
  return print_table(
      options.common,
      {.table = [&](TableStyle) { return gaps_table(rows, *metric); },
       .json = [&](const RowChoice&) { return json_text(gaps_view(rows, *metric)); },
       .text = [&](TablePrinter& printer) { return printer.ranked(gaps_table(rows, *metric)); },
       .json_is_whole = true});
}

// `json`: of all blocks. What is for people, and tables, show one.
int print_values(const ValuesOptions& options, const ValuesFacts& facts, const std::string& json) {
  const auto origins = [&] {
    return facts.has_reference() ? to_markdown(origins_table(facts, TableStyle::Human)) + "\n" : "";
  };
  return print_table(options.common,
                     {.table = [&](TableStyle style) { return values_table(facts, style); },
                      .json = [&](const RowChoice&) { return json; },
                      .text = [&](TablePrinter& printer) { return values_text(facts, printer); },
                      .json_is_whole = true,
                      .head = origins});
}

void print_notes(const ValueStudy& values) {
  if (!values.buffer_problem.empty()) say(values.buffer_problem);
  for (const std::string& note : values.notes) say(note);
}

// Takes the execution blocks but the one that is shown, one after the other: each is read, written
// and dropped before the next, so that a dump may have many.
Result<void> take_others(const Artifacts& artifacts, LoadRequest load, const ValuesRequest& request,
                         std::string_view shown, const Rows<ValuesFacts>::Take& take) {
  load.looks_at_others = false;
  for (const Block& block : artifacts.blocks) {
    if (!block.is_execution || block.name == shown) continue;
    load.selection.block = block.name;
    const Result<std::shared_ptr<const Study>> study =
        build_study(real_file_system(), artifacts, load);
    if (!study) {
      say(fmt::format("block {} is left out: {}", block.name, study.error().message));
      continue;
    }
    Result<ValueStudy> values = load_values(real_file_system(), **study, load, request);
    if (!values) return std::move(values).error();
    take(ValuesFacts(std::make_shared<const ValueStudy>(std::move(*values))));
  }
  return {};
}

// As JSON with all other blocks, unless one was asked for.
Result<std::string> json_of(const ValuesOptions& options, const ValuesFacts& facts,
                            const Artifacts& artifacts, const LoadRequest& load,
                            ValuesRequest request) {
  if (options.common.format != "json") return std::string();
  request.reference.clear();  // of the block that is shown
  const bool is_chosen = !load.selection.block.empty() || !load.selection.method.empty();
  Result<void> read;
  const Rows<ValuesFacts> blocks([&](const Rows<ValuesFacts>::Take& take) {
    take(facts);
    if (!is_chosen)
      read = take_others(artifacts, load, request, facts.study().join->selected().name, take);
  });
  std::string json = json_text(values_view(facts, blocks, options.with_histograms));
  if (!read) return std::move(read).error();
  return json;
}

int run_values(const ValuesOptions& options) {
  CommonOptions common = options.common;
  common.needs_dump = true;
  const Result<Inputs> inputs = resolve_inputs(common);
  if (!inputs) return fail(inputs.error());
  const LoadRequest& load = inputs->request;
  const Result<Artifacts> artifacts = load_artifacts(real_file_system(), load);
  if (!artifacts) return fail(artifacts.error());
  const Result<std::shared_ptr<const Study>> study =
      build_study(real_file_system(), *artifacts, load);
  if (!study) return fail(study.error());
  for (const std::string& sentence : sentences_before_numbers((*study)->report)) say(sentence);
  const ValuesRequest& request = inputs->values;
  Result<ValueStudy> values = load_values(real_file_system(), **study, load, request);
  if (!values) return fail(values.error());
  print_notes(*values);
  if (options.compat) return print_gaps(options, *values);
  const ValuesFacts facts(std::make_shared<const ValueStudy>(std::move(*values)));
  if (!options.save.empty()) {
    if (Result<void> saved = save_all(facts, absolute(options.save)); !saved)
      return fail(saved.error());
  }
  const Result<std::string> json = json_of(options, facts, *artifacts, load, request);
  if (!json) return fail(json.error());
  return print_values(options, facts, *json);
}

}  // namespace

void add_values(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "values", "Show the values that a dump logged on their lines, and where they go wrong");
  auto options = std::make_shared<ValuesOptions>();
  add_common_options(*command, options->common, kTableFormats);
  add_view_options(*command, options->common);
  command
      ->add_option(
          "--debug-buffer", options->common.named_values.debug_buffer,
          "Bytes of the values (default: the file next to the dump with its name and .bin)")
      ->type_name("FILE");
  command
      ->add_option("--reference", options->common.named_values.reference,
                   "Compare with another dump, a bundled program (.bpte), an ETRecord's reference "
                   "outputs, or an .npz of arrays named h<debug handle>")
      ->type_name("FILE");
  command
      ->add_option("--reference-debug-buffer", options->common.named_values.reference_debug_buffer,
                   "Bytes of the values of a dump given with --reference")
      ->type_name("FILE");
  command
      ->add_option("--reference-etrecord", options->common.named_values.reference_etrecord,
                   "ETRecord of a dump given with --reference")
      ->type_name("FILE");
  command->add_flag("--compat", options->compat,
                    "Print the rows of the Inspector's calculate_numeric_gap");
  command->add_option("--metric", options->metric, "What --compat compares by")
      ->check(CLI::IsMember({"MSE", "L1", "SNR"}))
      ->capture_default_str();
  command->add_flag("--histogram", options->with_histograms,
                    "Add histograms to the JSON, with bins of powers of two");
  command->add_option("--save", options->save, "Write every value as .npy into this folder")
      ->type_name("DIR");
  command->callback([options, &status] { status = run_values(*options); });
}

}  // namespace etlens::cli
