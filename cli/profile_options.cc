// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.h"

#include <cstdlib>

#include "cli/options.h"
#include "cli/profile_driver.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/scaffold/lowering_target.h"

namespace etlens::cli {
namespace {

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

std::string driver() {
  std::string text;
  for (const std::string_view part : kProfileDriver) text += part;
  return text;
}

std::string find_python(const std::string& named, std::string folder) {
  if (!named.empty()) {
    const std::string path = absolute_path(current_folder(), named);
    if (std::string inside = python_in(path); !inside.empty()) return inside;
    // A name without a folder is looked up in PATH.
    return is_file(path) ? path : named;
  }
  if (const char* active = std::getenv("VIRTUAL_ENV"); active != nullptr && *active != '\0')
    if (std::string path = python_in(active); !path.empty()) return path;
  constexpr int kMaxFoldersAbove = 64;
  for (int up = 0; up < kMaxFoldersAbove && !folder.empty(); ++up) {
    for (const std::string_view name : {".venv", "venv"})
      if (std::string path = python_in(join_path(folder, name)); !path.empty()) return path;
    std::string above(parent_path(folder));
    if (above == folder) break;
    folder = std::move(above);
  }
  return "python3";
}

ChildRequest python_request(const ProfileOptions& options, const InitScript& script,
                            const std::string& python) {
  constexpr const char* kVariable = "ETLENS_PROFILE_DRIVER";
  ChildRequest request{python, {"-c"}, {{kVariable, driver()}}};
  request.arguments.push_back(std::string("import os; exec(compile(os.environ.pop('") + kVariable +
                              "'), 'etlens profile', 'exec'))");
  const auto add = [&](const std::string& name, const std::string& value) {
    request.arguments.push_back(name + "=" + value);
  };
  add("mode", options.only_probes ? "probe" : "run");
  add("script", script.path);
  // The probe writes no script.
  if (options.only_probes && !script.is_there) add("source", script.files.front().text);
  add("runner", options.script.runner);
  add("backend", options.script.backend);
  const LoweringTarget* lowering = find_lowering_target(options.script.backend);
  // A script that is there has its own partitioner.
  if (lowering != nullptr && (options.is_backend_named || !script.is_there)) {
    add("registered", std::string(lowering->registered));
    add("partitioner_import", std::string(lowering->import));
    add("partitioner", "[" + std::string(lowering->partitioner) + "]");
  }
  add("quantize", options.quantize);
  add("strict", options.strict);
  if (!options.inputs.empty()) add("input", join(options.inputs, ","));
  if (!options.method.empty()) add("method", options.method);
  if (options.executions > 0) add("executions", std::to_string(options.executions));
  if (options.logs_values) add("values", "1");
  if (options.takes_guess) add("yes", "1");
  return request;
}

}  // namespace

Result<ChildOutcome> run_python(const ProfileOptions& options, const InitScript& script) {
  const std::string python = find_python(options.python, script.folder);
  Result<ChildOutcome> ended = run_child(python_request(options, script, python));
  // Windows has no python3.
  if (ended || ended.error().code != ErrorCode::NotFound || python != "python3") return ended;
  if (Result<ChildOutcome> other = run_child(python_request(options, script, "python")))
    return other;
  return ended;
}

}  // namespace etlens::cli
