// SPDX-License-Identifier: Apache-2.0
// The tool modules: the module tree with self and inclusive cost, the most costly first.
#include <algorithm>

#include "mcp/tools/study_tool.h"

namespace etlens::mcp {
namespace {

struct ModuleRow {
  std::string path;  // "" is the root
  std::optional<std::string> type;
  double self = 0;
  double inclusive = 0;
  double share = 0;  // of the inclusive cost
  uint64_t calls = 0;
  double delegated = 0;          // share of the inclusive cost
  std::optional<Place> hottest;  // the line where most of it is spent
};
FIELDS(ModuleRow, path, type, self, inclusive, share, calls, delegated, hottest)

struct ModulesAnswer {
  Measured measured;
  std::vector<ModuleRow> modules;
  std::vector<std::string> notes;
  std::vector<LeftOut> left_out;
};
FIELDS(ModulesAnswer, measured, modules, notes, left_out)

ModuleRow module_row(const Asked& asked, const ModuleFacts& module) {
  ModuleRow row;
  row.path = clipped(module.path);
  row.type = given(module.type);
  row.self = asked.units.of(module.self);
  row.inclusive = asked.units.of(module.inclusive);
  row.share = rounded(module.inclusive.share);
  row.calls = module.calls;
  row.delegated = rounded(fraction_of(module.delegated, module.inclusive.amount));
  if (module.line.valid()) row.hottest = asked.sources.reference(module.line);
  return row;
}

// Rows below the module that is asked for, no deeper below it than `depth`.
std::vector<ModuleFacts> chosen_modules(const Facts& facts, const std::string& root, size_t depth) {
  const uint32_t top = root.empty() ? 0 : facts.module(facts.code().find_module(root)).depth;
  std::vector<ModuleFacts> rows;
  for (size_t m = 0; m < facts.code().modules.size(); ++m) {
    ModuleFacts module = facts.module(ModuleId(m));
    if (is_module_below(root, module.path) && module.depth - top <= depth)
      rows.push_back(std::move(module));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ModuleFacts& a, const ModuleFacts& b) {
    return a.inclusive.amount > b.inclusive.amount;
  });
  return rows;
}

Result<std::string> run_modules(const Arguments& arguments, Workspace& workspace,
                                const CancelToken& cancel) {
  const auto asked = ask(arguments, workspace, cancel);
  if (!asked) return asked.error();
  const Asked& of = **asked;
  const std::string root = arguments.text("module");
  if (!root.empty() && !of.facts.code().find_module(root).valid()) {
    return Error{ErrorCode::NotFound,
                 "there is no module " + clipped(root) + "; leave module out to list them all"};
  }
  ModulesAnswer answer;
  answer.measured = measured(of.facts, of.head);
  answer.notes = notes_of(of);
  for (const ModuleFacts& module :
       chosen_modules(of.facts, root, arguments.count("depth", SIZE_MAX)))
    answer.modules.push_back(module_row(of, module));
  const Room room(arguments);
  room.cut(answer, &ModulesAnswer::modules, "modules");
  return room.text(answer);
}

}  // namespace

Tool modules_tool() {
  return {"modules",
          "Modules",
          "Modules of the model with self and inclusive cost, the most costly first. Times are in "
          "ms, of one execution.",
          with_study_arguments(
              {{"module", ArgumentType::Text, "Only this module and those below it: layers.0.attn"},
               {"depth", ArgumentType::Count, "Levels below it (default: all)"},
               kMeasureArgument,
               kLimitArgument,
               kBytesArgument}),
          schema_text<ModulesAnswer>,
          run_modules};
}

}  // namespace etlens::mcp
