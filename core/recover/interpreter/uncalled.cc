// SPDX-License-Identifier: Apache-2.0
// Modules that are never called themselves, but whose methods are: caches, filter banks, heads with
// an entry of their own. The record does not say their class; what they hold does.
#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxHolders = 4;
constexpr double kNoClass = 0.3;

// A text in which a class says that it holds something of this name: self.name, or "name". Digits
// at the end may be counted.
bool says_name(std::string_view text, std::string_view name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  if (name.empty()) return false;
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? '\0' : text[at - 1];
    if (before == '.' || before == '"' || before == '\'') return true;
  }
  return false;
}

}  // namespace

// Classes of modules in the sources that say that they hold all that this one does.
const std::vector<Value>& Model::classes_that_hold(const ModelModule& module) {
  const auto [at, is_new] = run_.caches.holders.try_emplace(std::string(module.path));
  std::vector<Value>& found = at->second;
  if (!is_new || (module.children.empty() && module.held.empty())) return found;
  const auto holds = [&](Value cls, std::string_view name) {
    const std::vector<Value> order = bases_in_order(run_, cls);
    return std::any_of(order.begin(), order.end(), [&](Value base) {
      return base->is(ValueKind::Class) &&
             says_name(base->cls().file->tree->text(base->cls().node), name);
    });
  };
  for (const SourceFile* file : run_.sources.opened()) {
    if (file->globals == nullptr) continue;
    for (const auto& [name, value] : file->globals->names) {
      go_on();
      if (!value->is(ValueKind::Class) || value->cls().file != file ||
          !is_module_class(run_, value))
        continue;
      const auto is_held = [&, value = value](std::string_view held) { return holds(value, held); };
      if (std::all_of(module.children.begin(), module.children.end(), is_held) &&
          std::all_of(module.held.begin(), module.held.end(), is_held)) {
        found.push_back(value);
      }
    }
  }
  return found;
}

// The class of a module without a recorded one of which this member is asked; null if it is unknown.
Value Model::uncalled_class(Value module, std::string_view member) {
  const ModelModule* row = run_.task->graph->find_module(module->path());
  if (row == nullptr || !row->type.empty() || module->path().empty()) return nullptr;
  std::vector<Value> classes;
  for (const Value cls : classes_that_hold(*row)) {
    if (find_member(run_, cls, member) != nullptr) classes.push_back(cls);
  }
  if (classes.empty() || classes.size() > kMaxHolders) return nullptr;
  Value& known = instance_modules_[module->path()];
  if (classes.size() == 1) return known = classes[0];
  if (run_.is_quiet() || run_.is_stopped() || !run_.has_choices()) return nullptr;
  const auto pick = run_.choose_or_none(std::vector<double>(classes.size(), 0), kNoClass);
  return pick ? known = classes[*pick] : nullptr;
}

}  // namespace etlens::recover
