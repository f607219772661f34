// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_probe.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "cli/options.h"
#include "cli/profile_answer.h"
#include "cli/profile_runners.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/workspace/source_file.h"

namespace etlens::cli {
namespace {

bool is_part_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) &&
        (end == text.size() || !is_part_of_name(text[end])))
      return true;
  }
  return false;
}

ProfileProblemView problem_of(std::string id, const Error& error) {
  return {std::move(id), error.message, {}, {}, true};
}

std::string version_text(std::string_view name, const Nullable<std::string>& version) {
  return fmt::format("{} {}", name, version.value ? *version.value : "none");
}

std::string input_text(const ProfileInputView& input) {
  std::string text = input.guess.value ? *input.guess.value : "unknown";
  if (input.source.value)
    text += fmt::format(", {} {}", input.origin.value == "layer" ? "guessed from" : "from",
                        *input.source.value);
  return fmt::format("input    {}: {}\n", input.name, text);
}

}  // namespace

Result<void> check_class(const ProfileOptions& options, const InitScript& script) {
  if (!script.is_there || options.script.class_name.empty()) return {};
  const std::shared_ptr<const Document> text = read_source(real_file_system(), script.path);
  if (text != nullptr && has_word(text->text(), options.script.class_name)) return {};
  return Error{ErrorCode::InvalidParams,
               fmt::format("{} was written for another class than {}; give this class a folder of "
                           "its own with -o FOLDER, or move the script away",
                           script.path, options.script.class_name)};
}

ProfileProbeView planned_probe(const ProfileOptions& options, const InitScript& script) {
  ProfileProbeView probe;
  probe.model = script.model;
  probe.class_name = script.model_class.name;
  probe.script = script.path;
  probe.script_exists = script.is_there;
  probe.backend = options.script.backend;
  for (const ModelParameter& input : script.model_class.inputs)
    if (!input.is_optional) probe.inputs.push_back({input.name, {}, {}, {}});
  probe.dump = join_path(script.folder, "model.etdp");
  return probe;
}

std::string probe_text(const ProfileProbeView& probe) {
  std::string text =
      fmt::format("model    {} ({})\nscript   {}{}\npython   {}\n", probe.model, probe.class_name,
                  probe.script, probe.script_exists ? "" : ", not written yet",
                  probe.python.value ? *probe.python.value : "none");
  const ProfileVersionsView& versions = probe.versions;
  if (versions.python.value)
    text += fmt::format("         {}, {}, {}, {}\n", version_text("Python", versions.python),
                        version_text("torch", versions.torch),
                        version_text("executorch", versions.executorch),
                        version_text("etlens", versions.etlens));
  if (!probe.backends.empty()) text += fmt::format("backends {}\n", join(probe.backends, ", "));
  for (const ProfileInputView& input : probe.inputs) text += input_text(input);
  text += fmt::format("dump     {}\n", probe.dump);
  for (const ProfileProblemView& problem : probe.problems) {
    text += fmt::format("{}  {}\n", problem.stops ? "missing" : "note   ", sentence_of(problem));
  }
  return text;
}

int print_probe(const ProfileOptions& options, const InitScript& script) {
  ProfileProbeView probe = planned_probe(options, script);
  if (const Result<void> fits = check_class(options, script); !fits) {
    probe.problems.push_back(problem_of("script", fits.error()));
  } else {
    if (std::optional<ProfileProblemView> missing = missing_for_runner(options, script))
      probe.problems.push_back(std::move(*missing));
    const Result<ChildOutcome> ended = run_python(options, script);
    if (!ended) probe.problems.push_back(no_python(ended.error()));
    else read_answer(ended->output, probe);
    if (ended && ended->status != 0)
      probe.problems.push_back({"python",
                                "Python ended early, with status " + std::to_string(ended->status),
                                {},
                                {},
                                true});
  }
  return write_output({}, options.is_json ? json_text(probe) : probe_text(probe));
}

}  // namespace etlens::cli
