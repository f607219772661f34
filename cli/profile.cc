// SPDX-License-Identifier: Apache-2.0
// `etlens profile`: exports a model, runs it and shows its numbers, with the user's Python. The one command that starts
// programs: Python, and for a phone the script that `etlens init` writes, with adb.
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/profile_answer.h"
#include "cli/profile_options.h"
#include "cli/profile_probe.h"
#include "cli/profile_runners.h"
#include "cli/stored_runs.h"
#include "core/base/path.h"
#include "core/workspace/load.h"

namespace etlens::cli {
namespace {

constexpr const char* kProfileHelp =
    "Python is that of --python, else of VIRTUAL_ENV, of .venv or venv next to the model or in a folder above it, else "
    "python3.\nThe script profile_NAME.py is written once, next to the model; it is yours to edit. Inputs are those of "
    "--input, else of the\nscript, else of example_inputs() or get_example_inputs() in the model's file or class, else a "
    "guess that you confirm.\nThe model runs in Python's process with your rights. docs/profile.md describes each step.\n"
    "JSON etlens/profile-probe@1 (--probe --json): model, class_name, script, python, versions, backends, problems, inputs, "
    "dump.";

// "model.py:Net"; the colon of a drive does not count.
void split_class(InitOptions& script) {
  const size_t colon = script.model.rfind(':');
  if (colon == std::string::npos || colon < 2 ||
      real_file_system().stat(absolute_path(current_folder(), script.model)))
    return;
  script.class_name = script.model.substr(colon + 1);
  script.model.resize(colon);
}

void store(const std::string& dump) {
  CommonOptions common;
  common.etdump = dump;
  const Result<Inputs> inputs = resolve_inputs(common);
  if (!inputs) return say(inputs.error().message);
  const auto study = load_study(real_file_system(), inputs->request);
  if (!study) return say(study.error().message);
  const Result<std::string> done = store_study(*study, {});
  say(done ? *done : "the run is not stored: " + done.error().message);
}

int annotate(const std::string& dump) {
  CLI::App app;
  int status = kSuccess;
  add_annotate(app, status);
  app.parse(std::vector<std::string>{dump, "--etdump", "annotate"});
  return status;
}

// What a run wrote: the dump, or "" for a runner that writes it later. An error has been printed if the status is not 0.
struct Exported {
  int status = kSuccess;
  std::string dump;
};

Exported export_model(const ProfileOptions& options, const InitScript& script) {
  const Result<ChildOutcome> ended = run_python(options, script);
  if (!ended) return {fail({ended.error().code, sentence_of(no_python(ended.error()))}), ""};
  if (ended->status != 0) return {kUnusableInput, ""};  // Python has printed why
  ProfileProbeView answer;
  read_answer(ended->output, answer);
  return {kSuccess, std::move(answer.dump)};
}

int finish(const ProfileOptions& options, const InitScript& script, std::string dump) {
  if (options.script.runner == "cpp") return write_output({}, steps_of_cpp(script));
  if (options.script.runner == "adb") {
    if (const Result<void> ran = run_on_phone(options, script); !ran) return fail(ran.error());
    dump = join_path(script.folder, "model.etdp");
  }
  if (dump.empty())
    return fail({ErrorCode::NotFound, script.path + " wrote no ETDump; move it away, and etlens "
                                                    "writes it again"});
  if (options.logs_values) {
    const std::string folder(parent_path(dump));
    say("values: etlens values --etdump " + join_path(folder, "values/model.etdp") +
        " --etrecord " + join_path(folder, "model.etrecord") + " --reference " +
        join_path(folder, "reference.npz"));
  }
  if (options.stores) store(dump);
  return annotate(dump);
}

int run_profile(ProfileOptions options) {
  split_class(options.script);
  const Result<InitScript> script = plan_script(options.script);
  if (!script) return fail(script.error());
  if (options.only_probes) return print_probe(options, *script);
  if (options.is_json) return fail({ErrorCode::InvalidParams, "--json needs --probe"});
  if (const Result<void> fits = check_class(options, *script); !fits) return fail(fits.error());
  if (const auto missing = missing_for_runner(options, *script))
    return fail({ErrorCode::NotFound, sentence_of(*missing)});
  if (const Result<void> written = write_missing(*script); !written) return fail(written.error());
  say(script->is_there ? "running " + script->path + ", which was there already"
                       : "wrote " + script->path);
  Exported exported = export_model(options, *script);
  if (exported.status != kSuccess) return exported.status;
  return finish(options, *script, std::move(exported.dump));
}

void add_choices(CLI::App& command, ProfileOptions& options) {
  command
      .add_option("--quantize", options.quantize,
                  "Quantize first, with XNNPACK's quantizer or torchao: for times, not for values")
      ->check(CLI::IsMember({"none", "int8", "int8dyn", "int4w"}))
      ->capture_default_str();
  command
      .add_option("--strict", options.strict,
                  "torch.export's strict; auto: as the script has it, and false if that fails")
      ->check(CLI::IsMember({"auto", "true", "false"}))
      ->capture_default_str();
  command.add_option("--method", options.method, "The method to run")->type_name("NAME");
  command
      .add_option("--executions", options.executions,
                  "How often it runs; without, until the time is known, or as the script has it")
      ->type_name("N")
      ->check(CLI::Range(1U, 100'000U));
  command.add_flag("--values", options.logs_values,
                   "Log every value, too, and what it should be, for `etlens values`");
  add_runner_option(command, options.script.runner);
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = app.add_subcommand(
      "profile",
      "Export a model with your Python, run it, and print its source with what each line costs");
  command
      ->add_option("MODEL", options->script.model,
                   "Python file with the model's class; MODEL.py:CLASS names the class")
      ->type_name("FILE[:CLASS]")
      ->required();
  command->add_option("--python", options->python, "Python to run, or an environment that has it")
      ->type_name("PATH");
  add_repeatable_option(*command, "--input", options->inputs, "SHAPE",
                        "An input of the model: 1x3x224x224 or 1x16:int64; repeatable, in order");
  command->add_flag("--yes", options->takes_guess, "Take the guess of the input without asking");
  CLI::Option* backend = add_backend_option(
      *command, options->script.backend,
      "What the model is lowered to, instead of what a script that is there already has");
  add_choices(*command, *options);
  command->add_flag("!--no-store", options->stores, "Do not store the run (`etlens runs`)");
  command->add_flag("--probe", options->only_probes,
                    "Run nothing: print what there is, what is missing, and the inputs");
  command->add_flag("--json", options->is_json, "With --probe: as JSON");
  command->add_option("-o", options->script.folder, "Write into FOLDER instead of the model's")
      ->type_name("FOLDER");
  command->footer(kProfileHelp);
  command->callback([options, backend, &status] {
    options->is_backend_named = backend->count() > 0;
    status = run_profile(*options);
  });
}

}  // namespace etlens::cli
