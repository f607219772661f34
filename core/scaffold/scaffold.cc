// SPDX-License-Identifier: Apache-2.0
#include "core/scaffold/scaffold.h"

#include <string_view>
#include <utility>

#include "core/base/json_writer.h"
#include "core/scaffold/templates.h"

namespace etlens {
namespace {

using Values = std::vector<std::pair<std::string_view, std::string>>;

// Values are put in once: what stands in them is no place for another.
std::string filled(std::string_view text, const Values& values) {
  std::string result;
  while (!text.empty()) {
    const size_t at = text.find('@');
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const std::pair<std::string_view, std::string>* found = nullptr;
    for (const auto& value : values) {
      if (text.substr(1).starts_with(value.first) &&
          text.substr(1 + value.first.size()).starts_with('@'))
        found = &value;
    }
    result += found == nullptr ? "@" : found->second;
    text.remove_prefix(found == nullptr ? 1 : found->first.size() + 2);
  }
  return result;
}

std::string commented(const ModelParameter& parameter) {
  std::string line = "    " + parameter.name + " = ...";
  if (!parameter.type.empty() && parameter.type.find('\n') == std::string::npos)
    line += "  # " + parameter.type;
  return line + "\n";
}

std::string names_of(const std::vector<ModelParameter>& parameters, bool is_by_name) {
  std::string names;
  for (const ModelParameter& parameter : parameters) {
    if (parameter.is_optional) continue;
    if (!names.empty()) names += ", ";
    names += is_by_name ? parameter.name + "=" + parameter.name : parameter.name;
  }
  return names;
}

std::string needed(const std::vector<ModelParameter>& parameters) {
  std::string lines;
  for (const ModelParameter& parameter : parameters) {
    if (!parameter.is_optional) lines += commented(parameter);
  }
  return lines;
}

std::string construction(const ModelClass& model) {
  return needed(model.constructor) + "    return " + model.name + "(" +
         names_of(model.constructor, true) + ")";
}

std::string inputs(const ModelClass& model) {
  const std::string names = names_of(model.inputs, false);
  return needed(model.inputs) + "    return (" + names + (names.empty() ? ")" : ",)");
}

// A script finds what lies beside it. JSON's strings are Python's.
std::string search_path(const std::string& folder) {
  if (folder.empty()) return "";
  JsonWriter quoted;
  quoted.value(folder);
  return "sys.path.insert(0, " + quoted.take() + ")\n";
}

}  // namespace

std::vector<ScaffoldFile> scaffold(const ScaffoldRequest& request) {
  const ModelClass& model = request.model;
  const std::string& module = request.module;
  const std::string script = "profile_" + module.substr(module.rfind('.') + 1) + ".py";
  const bool runs_here = request.runner == Runner::Python;
  const Values values{
      {"CLASS", model.name},
      {"SCRIPT", script},
      {"MODULE", module},
      {"SEARCH_PATH", search_path(request.search_path)},
      {"CONSTRUCTION", construction(model)},
      {"INPUTS", inputs(model)},
      {"PARTITIONER_IMPORT", request.has_xnnpack
                                 ? "from executorch.backends.xnnpack.partition.xnnpack_partitioner "
                                   "import XnnpackPartitioner\n"
                                 : ""},
      {"PARTITIONER", request.has_xnnpack ? "XnnpackPartitioner()" : ""},
      {"RUN", runs_here ? std::string(kRunTemplate) : ""},
      {"RUN_CALL", runs_here ? "    run(inputs)\n" : ""}};
  std::vector<ScaffoldFile> files{{script, filled(kProfileTemplate, values), false}};
  if (request.runner == Runner::Adb)
    files.push_back({"run_on_android.sh", std::string(kAndroidTemplate), true});
  if (request.runner == Runner::Cpp)
    files.push_back({"profile.cpp", std::string(kCppTemplate), false});
  return files;
}

}  // namespace etlens
