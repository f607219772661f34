// SPDX-License-Identifier: Apache-2.0
// `etlens gate`: whether a model keeps the budgets of its policy (etlens.toml), and --init, which
// writes one.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "cli/commands.h"
#include "cli/gate_inputs.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/gate/gate.h"
#include "core/gate/write_policy.h"
#include "core/render/gate_report.h"

namespace etlens::cli {
namespace {

constexpr int kViolated = 3;

constexpr const char* kGateHelp =
    "PATH is a policy (TOML), a folder with the artifacts, or both. Without a policy etlens reads "
    "the etlens.toml of\n"
    "the folder, or of the working folder, or the nearest one above it in its git repository. "
    "docs/gate.md lists the keys.\n"
    "A budget whose artifact is missing is `not checked`, unless the policy lists it in "
    "`required`.\n"
    "Exit status: 0 no budget is violated; 3 a budget is violated; 1 the policy or an artifact "
    "cannot be used, or no budget\n"
    "could be checked; 2 wrong usage.";

// Paths in the output of GitHub are those of the repository, wherever the step runs.
std::string base_of_paths(const CommonOptions& options) {
  const char* workspace = std::getenv("GITHUB_WORKSPACE");
  const bool is_used = options.format == "github" && workspace != nullptr && *workspace != '\0';
  return is_used ? absolute_path(current_folder(), workspace) : current_folder();
}

int print_result(const GateOptions& options, const GateView& view) {
  const GatePaths paths{base_of_paths(options.common)};
  const std::string& format = options.common.format;
  return write_output(options.common, format == "json"       ? json_text(view)
                                      : format == "markdown" ? gate_markdown(view, paths)
                                      : format == "github"   ? gate_github(view, paths)
                                                             : gate_text(view, paths));
}

SourceSearch sources_of_gate(const CommonOptions& options) {
  const Result<StudyWish> wish = wish_of(options);
  return wish ? source_search_of(*wish) : SourceSearch();
}

int run_gate(GateOptions options) {
  const Result<GatePlaces> places = gate_places(options);
  if (!places) return fail(places.error());
  const Result<std::string> path = choose_policy(*places);
  if (!path) return fail(path.error());
  const Result<Policy> policy = read_policy(real_file_system(), *path);
  if (!policy) return fail(policy.error());
  use_artifacts(policy->artifacts, *path, places->folder, options);
  const Result<Evidence> evidence = gather_evidence(options, needs_of(*policy));
  if (!evidence) return fail(evidence.error());
  GateResult result = check_policy(*policy, *evidence);
  find_places(real_file_system(), sources_of_gate(options.common), result);
  const GateView view = worded_gate(result);
  if (const int written = print_result(options, view); written != kSuccess) return written;
  if (view.violated > 0) return kViolated;
  if (view.passed) return kSuccess;
  return fail({ErrorCode::NotFound, "no budget of " + *path +
                                        " could be checked; name the artifacts, or the folder "
                                        "that contains them"});
}

// What options named, as the policy is to name it.
PolicyArtifacts named_artifacts(const GateOptions& options, const GatePlaces& places,
                                std::string_view policy_folder) {
  const auto relative = [&](const std::string& path) -> std::string {
    if (path.empty()) return "";
    const std::string absolute = absolute_path(current_folder(), path);
    return std::string(relative_path(policy_folder, absolute));
  };
  PolicyArtifacts named;
  if (places.folder != policy_folder) named.folder = relative(places.folder);
  named.etrecord = relative(options.common.etrecord);
  named.pte = relative(options.common.pte);
  named.method = options.common.selection.method;
  named.tick_unit = options.tick_unit;
  for (const std::string& dump : options.etdumps) named.etdump.push_back(relative(dump));
  for (const std::string& base : options.base) {
    const bool is_path = real_file_system().stat(absolute_path(current_folder(), base)).has_value();
    named.base.push_back(is_path ? relative(base) : base);
  }
  return named;
}

// The text, which is what the evidence keeps.
Result<std::string> new_policy(const PolicyArtifacts& artifacts, const std::string& path,
                               const Evidence& evidence) {
  const bool is_empty = !evidence.delegation.value && !evidence.calls.value &&
                        !evidence.memory.value && !evidence.cold_start.value;
  if (is_empty) {
    return Error{ErrorCode::NotFound, "no budget can be written: " + evidence.delegation.why_not +
                                          "; " + evidence.memory.why_not};
  }
  std::string text = policy_text(artifacts, evidence);
  const Result<Policy> policy = parse_policy(real_file_system(), path, text);
  if (policy && check_policy(*policy, evidence).count(GateStatus::Violated) == 0) return text;
  return Error{ErrorCode::Unsupported,
               "the names in the artifacts do not fit into a policy; write " + path + " by hand"};
}

int write_new_policy(GateOptions options) {
  const Result<GatePlaces> places = gate_places(options);
  if (!places) return fail(places.error());
  const std::string path =
      places->policy.empty() ? join_path(current_folder(), kPolicyName) : places->policy;
  if (real_file_system().stat(path)) {
    return fail({ErrorCode::Io, path + " is there already; edit it, or name another file: etlens "
                                       "gate --init OTHER.toml"});
  }
  const PolicyArtifacts named = named_artifacts(options, *places, parent_path(path));
  use_artifacts({}, path, places->folder, options);
  GateNeeds needs{true, true, true, true, false};
  const Result<Evidence> evidence = gather_evidence(options, needs);
  if (!evidence) return fail(evidence.error());
  const Result<std::string> text = new_policy(named, path, *evidence);
  if (!text) return fail(text.error());
  Result<OutputFile> file = OutputFile::create(path, {.may_replace = false});
  if (!file) return fail(file.error());
  file->write(*text);
  if (const Result<void> written = file->commit(); !written) return fail(written.error());
  return write_output({}, "1. change the numbers in " +
                              std::string(relative_path(current_folder(), path)) +
                              " to what you want\n2. etlens gate\n");
}

int check_or_write(const GateOptions& options) {
  if (!options.is_init) return run_gate(options);
  if (options.common.output.empty()) return write_new_policy(options);
  return fail({ErrorCode::InvalidParams,
               "--init writes a policy, not to -o; name its file: etlens gate --init FILE.toml"});
}

}  // namespace

void add_gate(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "gate", "Check the budgets of a policy, etlens.toml: delegation, memory, size, times");
  auto options = std::make_shared<GateOptions>();
  CommonOptions& common = options->common;
  common.format = "text";
  command->add_option("PATH", common.paths, "A policy, and the folder that contains the artifacts")
      ->expected(0, 2);
  command->add_flag("--init", options->is_init,
                    "Write a policy that the model keeps as it is now; an existing file stays");
  command->add_option("--etrecord", common.etrecord, "ETRecord of the export")->type_name("FILE");
  command->add_option("--pte", common.pte, "Program of the export")->type_name("FILE");
  add_repeatable_option(*command, "--etdump", options->etdumps, "FILE",
                        "Dump, for the cold start and the comparison; repeatable");
  add_repeatable_option(
      *command, "--base", options->base, "PATH",
      "Dumps to compare with: a file, a folder or a glob, also of a git revision; repeatable");
  command->add_option("--method", common.selection.method, "Method to check (default: forward)")
      ->type_name("NAME");
  command
      ->add_option("--source-time-scale", options->tick_unit,
                   "Unit of the dumps' ticks (default: ns)")
      ->check(CLI::IsMember({"ns", "us", "ms", "s", "cycles"}));
  add_source_options(*command, common);
  add_recover_option(*command, common);
  command->add_option("--format", common.format, "Form of the result")
      ->check(CLI::IsMember({"text", "json", "markdown", "github"}))
      ->capture_default_str();
  command->add_option("-o", common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
  command->footer(kGateHelp);
  command->callback([options, &status] { status = check_or_write(*options); });
}

}  // namespace etlens::cli
