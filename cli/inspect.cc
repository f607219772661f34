// SPDX-License-Identifier: Apache-2.0
// `etlens inspect`: the table of ExecuTorch's Inspector.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/fields_json.h"
#include "core/inspector/inspect_view.h"

namespace etlens::cli {
namespace {

struct InspectOptions {
  CommonOptions common;
  bool compat = false;
  std::string release;
  bool no_units = false;
  bool is_raw = false;
};

// As the Inspector of that release joins them; nullopt, which is reported, where it could not.
std::optional<std::vector<InspectorBlock>> compat_blocks(const InspectorRequest& request,
                                                         InspectorRelease release) {
  Result<std::vector<InspectorBlock>> blocks = inspect_compat(request, release);
  if (blocks) return std::move(*blocks);
  say(blocks.error().message + "; these are etlens's own joins");
  return std::nullopt;
}

int run_inspect(const InspectOptions& options) {
  InspectorFormat format;
  if (!options.release.empty()) {
    const std::optional<InspectorRelease> release = parse_release(options.release);
    if (!release) {
      return fail({ErrorCode::InvalidParams,
                   "--compat=" + options.release + " is not a release; give one such as 1.2"});
    }
    format.release = *release;
  }
  // A dump that was named alone is shown alone, as the Inspector does.
  CommonOptions common = options.common;
  common.needs_dump = true;
  Result<Inputs> inputs = resolve_inputs(common, RecordSearch::Never);
  if (!inputs) return fail(inputs.error());
  inputs->request.recovers = false;  // the table shows stacks as they were recorded
  const Result<Artifacts> artifacts = load_artifacts(real_file_system(), inputs->request);
  if (!artifacts) return fail(artifacts.error());
  if (std::optional<Error> other = check_record_of_run(*artifacts, inputs->request);
      other && !options.compat)
    return fail(*other);
  for (const std::string& sentence : sentences_before_numbers(artifacts->report)) say(sentence);

  InspectorRequest request;
  request.log = artifacts->log.get();
  request.record = artifacts->record.get();
  request.source = inputs->request.time_scale;
  request.target = inputs->target;
  request.files = &real_file_system();
  if (!inputs->values.debug_buffer.empty()) {
    request.debug_buffer = inputs->values.debug_buffer;
    if (const Result<FileStamp> stamp = real_file_system().stat(request.debug_buffer); !stamp) {
      return fail(stamp.error());
    }
  }
  if (options.compat && options.release.empty() && artifacts->record) {
    format.release = release_of(artifacts->record->layout);
  }
  format.include_units = !options.no_units;
  format.source = request.source;
  format.target = request.target;

  std::optional<std::vector<InspectorBlock>> compat;
  if (options.compat) compat = compat_blocks(request, format.release);
  const std::vector<InspectorBlock> blocks =
      compat ? std::move(*compat)
             : inspect_own(real_file_system(), request, *artifacts, inputs->request);
  const auto write = [&](const CommonOptions& to, std::string_view text) {
    return options.is_raw ? write_raw_output(to, text) : write_output(to, text);
  };
  const std::string& form = options.common.format;
  if (form == "json")
    return write(options.common, json_text(inspect_view(blocks, request.record, format)));
  if (form == "tsv") return write(options.common, inspector_tsv(blocks, format));
  if (form == "csv") return write(options.common, inspector_tsv(blocks, format, ','));
  return write(options.common, inspector_grid(blocks, format));
}

}  // namespace

void add_inspect(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("inspect", "Print the table of ExecuTorch's Inspector");
  auto options = std::make_shared<InspectOptions>();
  add_common_options(*command, options->common, {"table", "tsv", "csv", "json"});
  command
      ->add_option("--debug-buffer", options->common.named_values.debug_buffer,
                   "Values that the runtime logged, for debug_data in JSON")
      ->type_name("FILE");
  command
      ->add_option_function<std::string>(
          "--compat",
          [options](const std::string& release) {
            options->compat = true;
            if (release != "auto") options->release = release;
          },
          "Repeat the joins, columns and quirks of that release's Inspector (default: the one "
          "that the record's layout points to, else the newest)")
      ->type_name("RELEASE")
      ->expected(0, 1)
      ->default_str("auto");
  command->add_flag(
      "--raw", options->is_raw,
      "Control characters of the artifacts' names as they are, which a terminal obeys");
  command->add_flag("--no-units", options->no_units, "Headers without units");
  command->callback([options, &status] { status = run_inspect(*options); });
}

}  // namespace etlens::cli
