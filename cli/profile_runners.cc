// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_runners.h"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/options.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens::cli {
namespace {

std::optional<ProfileProblemView> missing_phone() {
  const Result<ChildOutcome> state = run_child({"adb", {"get-state"}, {}});
  if (!state)
    return ProfileProblemView{"adb",
                              state.error().message,
                              std::string("install Android's platform tools, which have it"),
                              {},
                              true};
  if (state->status == 0 && trim(state->output) == "device") return std::nullopt;
  return ProfileProblemView{"adb", "adb finds no phone that it may use",
                            std::string("connect one, and allow debugging over USB on it"),
                            std::string("adb devices"), true};
}

std::optional<ProfileProblemView> missing_executor_runner(const InitScript& script) {
  const char* named = std::getenv("RUNNER");
  const std::string path = named == nullptr ? "" : absolute_path(current_folder(), named);
  const Result<FileStamp> stamp = real_file_system().stat(path);
  if (!path.empty() && stamp && !stamp->is_directory) return std::nullopt;
  const std::string remedy = fmt::format(
      "set the variable RUNNER to an executor_runner for the phone; the first lines of {} are how "
      "it is built",
      script.files[1].name);
  return ProfileProblemView{"runner",
                            path.empty() ? "no executor_runner is named" : path + " is not a file",
                            remedy,
                            {},
                            true};
}

}  // namespace

std::optional<ProfileProblemView> missing_for_runner(const ProfileOptions& options,
                                                     const InitScript& script) {
  if (options.script.runner != "adb") return std::nullopt;
  if (std::optional<ProfileProblemView> missing = missing_executor_runner(script)) return missing;
  return missing_phone();
}

ProfileProblemView no_python(const Error& error) {
  return {"python",
          error.message,
          std::string("name the Python that has executorch with --python"),
          {},
          true};
}

std::string sentence_of(const ProfileProblemView& problem) {
  std::string text = problem.text;
  if (problem.remedy.value) text += "; " + *problem.remedy.value;
  if (problem.command.value) text += ": " + *problem.command.value;
  return text;
}

Result<void> run_on_phone(const ProfileOptions& options, const InitScript& script) {
  const std::string path = join_path(script.folder, script.files[1].name);
  // What adb prints is no result.
  ChildRequest request{"bash", {"-c", "exec bash \"$0\" >&2", path}, {}};
  if (options.executions > 0)
    request.variables.emplace_back("EXECUTIONS", std::to_string(options.executions));
  const std::string runner = absolute_path(current_folder(), std::getenv("RUNNER"));
  request.variables.emplace_back("RUNNER", runner);
  say("running on the phone");
  const Result<ChildOutcome> ended = run_child(request);
  if (!ended) return ended.error();
  if (ended->status == 0) return {};
  return Error{ErrorCode::Io,
               fmt::format("{} failed with status {}; the exported model is in {}, and an earlier "
                           "dump is as it was",
                           path, ended->status, script.folder)};
}

std::string steps_of_cpp(const InitScript& script) {
  const std::string& program = script.files[1].name;
  return fmt::format(
      "1. build {0}, or put its lines about ETDumpGen into your own program. ExecuTorch needs "
      "EXECUTORCH_BUILD_DEVTOOLS=ON and EXECUTORCH_ENABLE_EVENT_TRACER=ON\n"
      "2. run it next to model.pte, and bring model.etdp back to {1}\n"
      "3. {2} writes the file about the run\n"
      "4. etlens {1}\n",
      join_path(script.folder, program), script.folder,
      join_path(script.folder, script.files.back().name));
}

}  // namespace etlens::cli
