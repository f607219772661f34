// SPDX-License-Identifier: Apache-2.0
// `etlens profile`: exports a model, runs it and shows its numbers, with the user's Python. The one command that starts a
// program: Python, with the script of `etlens init` and what runs it (profile_driver.py).
#include <cstdlib>
#include <memory>

#include "cli/child.h"
#include "cli/commands.h"
#include "cli/init_script.h"
#include "cli/options.h"
#include "cli/profile_driver.h"
#include "cli/stored_runs.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/workspace/load.h"

namespace etlens::cli {
namespace {

constexpr const char* kProfileHelp =
    "Python is that of --python, else of VIRTUAL_ENV, of .venv or venv next to the model or in a folder above it, else "
    "python3.\nThe script profile_NAME.py is written once, next to the model; it is yours to edit. Inputs are those of the "
    "script, else of\nexample_inputs() or get_example_inputs() in the model's file, else --input, else a guess that you "
    "confirm.\nThe model runs in Python's process: it does what it does. etlens itself reads what comes of it.";

struct ProfileOptions {
  std::string model;
  std::string python;
  std::vector<std::string> inputs;
  std::string backend = "xnnpack";
  std::string quantize = "none";
  std::string strict = "auto";
  unsigned executions = 0;  // 0: as the script has it
  bool takes_guess = false;
  bool stores = true;
  InitOptions script;
};

// "model.py:Net"; a drive's colon is none of a class.
void split_class(ProfileOptions& options) {
  options.script.model = options.model;
  const size_t colon = options.model.rfind(':');
  if (colon == std::string::npos || colon < 2 ||
      real_file_system().stat(absolute_path(current_folder(), options.model)))
    return;
  options.script.model = options.model.substr(0, colon);
  options.script.class_name = options.model.substr(colon + 1);
}

bool is_file(const std::string& path) {
  const Result<FileStamp> stamp = real_file_system().stat(path);
  return stamp && !stamp->is_directory;
}

// "" if the environment has none.
std::string python_in(const std::string& environment) {
  for (const std::string_view name : {"bin/python", "Scripts/python.exe"})
    if (std::string path = join_path(environment, name); is_file(path)) return path;
  return "";
}

std::string find_python(const ProfileOptions& options, std::string folder) {
  if (!options.python.empty()) {
    const std::string named = absolute_path(current_folder(), options.python);
    const std::string inside = python_in(named);
    // A name without a folder is looked up in PATH.
    return !inside.empty() ? inside : is_file(named) ? named : options.python;
  }
  if (const char* active = std::getenv("VIRTUAL_ENV"); active != nullptr && *active != '\0')
    if (std::string path = python_in(active); !path.empty()) return path;
  for (int up = 0; up < 64 && !folder.empty(); ++up) {
    for (const std::string_view name : {".venv", "venv"})
      if (std::string path = python_in(join_path(folder, name)); !path.empty()) return path;
    std::string above(parent_path(folder));
    if (above == folder) break;
    folder = std::move(above);
  }
  return "python3";
}

std::vector<std::string> driver_arguments(const ProfileOptions& options, const InitScript& script) {
  std::vector<std::string> arguments{"-c", std::string(kProfileDriver), "script=" + script.path};
  arguments.push_back("backend=" + options.backend);
  arguments.push_back("quantize=" + options.quantize);
  arguments.push_back("strict=" + options.strict);
  if (!options.inputs.empty()) arguments.push_back("input=" + join(options.inputs, ","));
  if (options.executions > 0)
    arguments.push_back("executions=" + std::to_string(options.executions));
  if (options.takes_guess) arguments.emplace_back("yes=1");
  return arguments;
}

void store(const std::string& folder) {
  CommonOptions common;
  common.etdump = join_path(folder, "model.etdp");
  const Result<Inputs> inputs = resolve_inputs(common);
  if (!inputs) return say(inputs.error().message);
  const auto study = load_study(real_file_system(), inputs->request);
  if (!study) return say(study.error().message);
  const Result<std::string> done = store_study(*study, {});
  say(done ? *done : "the run is not stored: " + done.error().message);
}

int annotate(const std::string& folder) {
  CLI::App app;
  int status = kSuccess;
  add_annotate(app, status);
  app.parse(std::vector<std::string>{join_path(folder, "model.etdp"), "--etdump", "annotate"});
  return status;
}

int run_profile(ProfileOptions options) {
  split_class(options);
  options.script.backend = options.backend;
  const Result<InitScript> script = ensure_script(options.script);
  if (!script) return fail(script.error());
  const std::string folder(parent_path(script->path));
  say((script->is_new ? "wrote " : "running ") + script->path +
      (script->is_new ? "" : ", which was there already"));
  const std::string python = find_python(options, folder);
  const Result<int> ended = run_child(python, driver_arguments(options, *script));
  if (!ended)
    return fail({ended.error().code,
                 ended.error().message + "; name the Python that has executorch with --python"});
  if (*ended != 0) return kUnusableInput;  // the driver has printed why
  if (!is_file(join_path(folder, "model.etdp")))
    return fail(
        {ErrorCode::NotFound,
         script->path +
             " wrote no model.etdp next to itself; name its files: `etlens --etdump FILE`"});
  if (options.stores) store(folder);
  return annotate(folder);
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = app.add_subcommand(
      "profile",
      "Export a model with your Python, run it, and print its source with what each line costs");
  command
      ->add_option("MODEL", options->model,
                   "Python file with the model's class; MODEL.py:CLASS names the class")
      ->type_name("FILE[:CLASS]")
      ->required();
  command->add_option("--python", options->python, "Python to run, or an environment that has it")
      ->type_name("PATH");
  add_repeatable_option(*command, "--input", options->inputs, "SHAPE",
                        "An input of the model: 1x3x224x224 or 1x16:int64; repeatable, in order");
  command->add_flag("--yes", options->takes_guess, "Take the guess of the input without asking");
  command
      ->add_option("--backend", options->backend,
                   "What the model is lowered to, if the script is written now")
      ->check(CLI::IsMember({"xnnpack", "portable"}))
      ->capture_default_str();
  command
      ->add_option(
          "--quantize", options->quantize,
          "Quantize with XNNPACK's quantizer, calibrated with the one input: for times, not for values")
      ->check(CLI::IsMember({"none", "int8", "int8dyn"}))
      ->capture_default_str();
  command
      ->add_option("--strict", options->strict,
                   "torch.export's strict; auto: as the script has it, else false")
      ->check(CLI::IsMember({"auto", "true", "false"}))
      ->capture_default_str();
  command
      ->add_option("--executions", options->executions,
                   "How often it runs, if the script has EXECUTIONS")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_flag("!--no-store", options->stores, "Do not store the run (`etlens runs`)");
  command->add_option("-o", options->script.folder, "Write into FOLDER instead of the model's")
      ->type_name("FOLDER");
  command->footer(kProfileHelp);
  command->callback([options, &status] { status = run_profile(*options); });
}

}  // namespace etlens::cli
