// SPDX-License-Identifier: Apache-2.0
// `etlens init`: the scripts with which a model is exported, run and profiled for the first time.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/init_script.h"
#include "cli/options.h"
#include "core/base/file_system.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/scaffold/lowering_target.h"
#include "core/scaffold/python_names.h"
#include "core/scaffold/scaffold.h"
#include "core/workspace/source_file.h"

namespace etlens::cli {
namespace {

Error cannot_use(const std::string& path, const std::string& reason) {
  return {ErrorCode::Unsupported, path + ": " + reason};
}

std::string names_of(const std::vector<ModelClass>& models) {
  std::vector<std::string> names;
  for (const ModelClass& model : models) names.push_back(model.name);
  return join(names, ", ");
}

// The class that was asked for; else the last one that no other class of the file makes.
Result<ModelClass> choose(const std::vector<ModelClass>& models, const InitOptions& options) {
  if (models.empty())
    return cannot_use(options.model,
                      "no class with a forward at the top level; name the file that has the model");
  if (!options.class_name.empty()) {
    const auto found = std::ranges::find(models, options.class_name, &ModelClass::name);
    if (found != models.end()) return *found;
    return Error{ErrorCode::InvalidParams, options.model + ": no class " + options.class_name +
                                               " with a forward; there is: " + names_of(models)};
  }
  std::vector<ModelClass> whole;
  std::ranges::copy_if(models, std::back_inserter(whole), std::logical_not(), &ModelClass::is_part);
  if (whole.empty()) whole = models;
  if (whole.size() > 1)
    say(whole.back().name + " is taken for the model; --class names another: " + names_of(whole));
  return whole.back();
}

// As a shell takes it for one word and nothing else.
std::string shell_word(const std::string& path) {
  const bool is_plain = std::ranges::all_of(path, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:,+=@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !path.starts_with('-')) return path;
  std::string word = "'";
  for (const char c : path) {
    if (c == '\'') word += "'\\''";
    else word += c;
  }
  return word += '\'';
}

// How Python imports the file: through the packages that it lies in.
void place(const FileSystem& files, const std::string& path, const std::string& folder,
           ScaffoldRequest& request) {
  request.module = std::string(stem(base_name(path)));
  std::string root(parent_path(path));
  while (files.stat(join_path(root, "__init__.py")) && is_module_name(base_name(root))) {
    request.module = std::string(base_name(root)) + "." + request.module;
    root = std::string(parent_path(root));
  }
  if (root != folder) request.search_path = root;
}

Result<ModelClass> model_of(const InitOptions& options, const std::string& path) {
  const std::shared_ptr<const Document> source = read_source(real_file_system(), path);
  if (source == nullptr) return cannot_use(options.model, "cannot be read; check the path");
  const auto syntax = PythonSyntax::parse(source);
  if (!syntax->is_valid()) return cannot_use(options.model, "no valid Python; correct it first");
  if (!is_module_name(stem(base_name(path))))
    return cannot_use(options.model, "Python cannot import a file of this name; rename it");
  return choose(model_classes(*syntax), options);
}

namespace fs = std::filesystem;

// All of the files, or none. What takes a name in the meantime stays.
Result<void> write_all_of(const std::vector<ScaffoldFile>& written, const std::string& folder) {
  std::vector<OutputFile> files;
  for (const ScaffoldFile& file : written) {
    Result<OutputFile> made = OutputFile::create(
        join_path(folder, file.name), {.may_replace = false, .is_program = file.is_program});
    if (!made) return made.error();
    made->write(file.text);
    files.push_back(std::move(*made));
  }
  for (size_t f = 0; f < files.size(); ++f) {
    Result<void> placed = files[f].commit();
    if (placed) continue;
    std::error_code ignored;
    for (size_t before = 0; before < f; ++before)
      fs::remove(join_path(folder, written[before].name), ignored);
    return placed;
  }
  return {};
}

int write(const std::vector<ScaffoldFile>& written, const std::string& folder) {
  std::error_code ignored;
  for (const ScaffoldFile& file : written) {
    const std::string path = join_path(folder, file.name);
    if (fs::exists(fs::symlink_status(path, ignored)))
      return fail(
          cannot_use(path, "is there already; move it away, or choose another folder (-o)"));
  }
  const bool is_new = fs::create_directories(folder, ignored);
  const Result<void> result = write_all_of(written, folder);
  if (result) return kSuccess;
  if (is_new) fs::remove(folder, ignored);  // only if it is empty
  return fail(result.error());
}

int run_init(const InitOptions& options) {
  const Result<InitScript> planned = plan_script(options);
  if (!planned) return fail(planned.error());
  const auto& [model, folder, script, model_class, files, is_there] = *planned;
  if (const int status = write(files, folder); status != kSuccess) return status;
  std::string next =
      "1. fill in what is `...` in " + script + "\n2. python " + shell_word(script) + "\n";
  int step = 3;
  if (options.runner == "adb")
    next += std::to_string(step++) + ". RUNNER=…/executor_runner " +
            shell_word(join_path(folder, files[1].name)) + "\n";
  if (options.runner == "cpp")
    next += std::to_string(step++) + ". build " + join_path(folder, files[1].name) +
            " and run it next to model.pte, then " +
            shell_word(join_path(folder, files.back().name)) + "\n";
  next += std::to_string(step) + ". etlens " + shell_word(folder) + "\n";
  return write_output({}, next);
}

}  // namespace

Result<InitScript> plan_script(const InitOptions& options) {
  const FileSystem& files = real_file_system();
  const std::string here = current_folder();
  InitScript script;
  script.model = absolute_path(here, options.model);
  script.folder = options.folder.empty() ? std::string(parent_path(script.model))
                                         : absolute_path(here, options.folder);
  Result<ModelClass> model = model_of(options, script.model);
  if (!model) return model.error();
  script.model_class = *model;
  ScaffoldRequest request{std::move(*model), "", "", options.backend,
                          options.runner == "adb"   ? Runner::Adb
                          : options.runner == "cpp" ? Runner::Cpp
                                                    : Runner::Python};
  place(files, script.model, script.folder, request);
  Result<std::vector<ScaffoldFile>> made = scaffold(request);
  if (!made) return cannot_use(options.model, made.error().message);
  script.files = std::move(*made);
  script.path = join_path(script.folder, script.files.front().name);
  script.is_there = static_cast<bool>(files.stat(script.path));
  return script;
}

Result<void> write_missing(const InitScript& script) {
  std::error_code ignored;
  fs::create_directories(script.folder, ignored);
  std::vector<ScaffoldFile> missing;
  for (const ScaffoldFile& file : script.files)
    if (!real_file_system().stat(join_path(script.folder, file.name))) missing.push_back(file);
  return write_all_of(missing, script.folder);
}

CLI::Option* add_backend_option(CLI::App& command, std::string& backend,
                                const std::string& description) {
  std::vector<std::string> names;
  for (const LoweringTarget& lowering : lowering_targets()) names.emplace_back(lowering.name);
  return command.add_option("--backend", backend, description)
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

CLI::Option* add_runner_option(CLI::App& command, std::string& runner) {
  return command
      .add_option("--runner", runner,
                  "What runs it: Python's runtime, executor_runner on a phone, a C++ program")
      ->check(CLI::IsMember({"python", "adb", "cpp"}))
      ->capture_default_str();
}

void add_init(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "init", "Write a script that exports a model, runs it and saves what etlens reads");
  auto options = std::make_shared<InitOptions>();
  command->add_option("MODEL", options->model, "Python file with the model's class")
      ->type_name("FILE")
      ->required();
  command->add_option("--class", options->class_name, "The model's class")->type_name("NAME");
  add_runner_option(*command, options->runner);
  add_backend_option(*command, options->backend, "What the model is lowered to");
  command->add_option("-o", options->folder, "Write into FOLDER instead of the model's")
      ->type_name("FOLDER");
  command->callback([options, &status] { status = run_init(*options); });
}

}  // namespace etlens::cli
