// SPDX-License-Identifier: Apache-2.0
#include "core/scaffold/scaffold.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/scaffold/lowering_target.h"
#include "core/scaffold/python_names.h"
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
  return "    " + parameter.name + " = ..." + python_comment(parameter.type) + "\n";
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

std::string construction(const ModelClass& model, const std::string& called) {
  return needed(model.constructor) + "    return " + called + "(" +
         names_of(model.constructor, true) + ")";
}

// What the script itself calls something; a class of such a name is imported under another.
constexpr std::string_view kNamesOfScript[] = {"CompileSpec",
                                               "CoreMLPartitioner",
                                               "EXECUTIONS",
                                               "FOLDER",
                                               "METHOD",
                                               "OpenvinoPartitioner",
                                               "Path",
                                               "Runtime",
                                               "VulkanPartitioner",
                                               "XnnpackPartitioner",
                                               "any",
                                               "etlens",
                                               "example_inputs",
                                               "export",
                                               "inputs",
                                               "lower",
                                               "main",
                                               "make_model",
                                               "open",
                                               "print",
                                               "run",
                                               "str",
                                               "sys",
                                               "to_edge_transform_and_lower",
                                               "torch",
                                               "tuple"};

std::string name_in_script(const ModelClass& model) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(kNamesOfScript, name) != std::end(kNamesOfScript) ||
           std::ranges::find(model.constructor, name, &ModelParameter::name) !=
               model.constructor.end();
  };
  if (!is_taken(model.name)) return model.name;
  std::string name = "model_class";
  while (is_taken(name)) name += '_';
  return name;
}

// Everything that comes from a file and becomes a name in the script is one.
Result<void> check_names(const ScaffoldRequest& request) {
  const auto refused = [](std::string_view what, std::string_view name) {
    return Error{ErrorCode::Unsupported,
                 std::string(what) + " " + std::string(name) +
                     " has no name that a script can use; rename it, or write the script by hand"};
  };
  for (const std::string_view part : split(request.module, '.')) {
    if (!is_module_name(part)) return refused("the module", request.module);
  }
  if (!is_python_name(request.model.name)) return refused("the class", request.model.name);
  for (const auto* list : {&request.model.constructor, &request.model.inputs}) {
    for (const ModelParameter& parameter : *list) {
      if (!parameter.is_optional && !is_python_name(parameter.name))
        return refused("the parameter", parameter.name);
    }
  }
  return {};
}

std::string inputs(const ModelClass& model) {
  const std::string names = names_of(model.inputs, false);
  return needed(model.inputs) + "    return (" + names + (names.empty() ? ")" : ",)");
}

// A script finds what lies beside it.
std::string search_path(const std::string& folder) {
  return folder.empty() ? "" : "sys.path.insert(0, " + python_literal(folder) + ")\n";
}

}  // namespace

Result<std::vector<ScaffoldFile>> scaffold(const ScaffoldRequest& request) {
  if (Result<void> names = check_names(request); !names) return std::move(names).error();
  const LoweringTarget* lowering = find_lowering_target(request.backend);
  if (lowering == nullptr)
    return Error{ErrorCode::Unsupported,
                 "there is no backend " + request.backend + "; choose another"};
  const ModelClass& model = request.model;
  const std::string called = name_in_script(model);
  const std::string& module = request.module;
  const std::string script = "profile_" + module.substr(module.rfind('.') + 1) + ".py";
  const bool runs_here = request.runner == Runner::Python;
  const Values values{{"CLASS", model.name},
                      {"SCRIPT", script},
                      {"MODULE", module},
                      {"SEARCH_PATH", search_path(request.search_path)},
                      {"IMPORTED", called == model.name ? called : model.name + " as " + called},
                      {"CONSTRUCTION", construction(model, called)},
                      {"INPUTS", inputs(model)},
                      {"PARTITIONER_IMPORT", std::string(lowering->import)},
                      {"PARTITIONER", std::string(lowering->partitioner)},
                      {"RUN", runs_here ? std::string(kRunTemplate) : ""},
                      {"RUN_CALL", runs_here ? "    run(inputs)\n" : ""}};
  std::vector<ScaffoldFile> files{{script, filled(kProfileTemplate, values), false}};
  if (request.runner == Runner::Adb)
    files.push_back({"run_on_android.sh", std::string(kAndroidTemplate), true});
  if (request.runner == Runner::Cpp)
    files.push_back({"profile.cpp", std::string(kCppTemplate), false});
  if (!runs_here) files.push_back({"describe_run.sh", std::string(kDescribeTemplate), true});
  return files;
}

}  // namespace etlens
