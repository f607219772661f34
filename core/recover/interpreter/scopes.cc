// SPDX-License-Identifier: Apache-2.0
// Names, and values that others may have changed.
#include "core/recover/interpreter/scopes.h"

#include <algorithm>

#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

Value name_of_file(Evaluator& run, const Environment& scope, std::string_view name, Value value) {
  if (run.runs_file() || !scope.is_shared || !run.sources.changes().changes_name(name))
    return run.local(value);
  return run.open_value(&scope, name);
}

void forget_changes(Evaluator& run, Value value, std::set<Value>& seen) {
  run.step();
  if (run.is_stopped() || !run.may_write(value)) return;
  const bool is_container = value->is(ValueKind::Tuple) || value->is(ValueKind::List) ||
                            value->is(ValueKind::Dict) || value->is(ValueKind::Instance);
  if (!is_container || seen.size() > kMaxItems || !seen.insert(value).second) return;
  if (value->is(ValueKind::Instance) && value->instance().cls->is(ValueKind::Class)) {
    const std::vector<std::string_view> classes = class_names(run, value->instance().cls);
    for (auto& [name, item] : value->attributes) {
      if (run.sources.changes().changes_attribute(name, classes)) item = run.arena.unknown();
    }
  }
  each_part(*value, [&](Value part) { forget_changes(run, part, seen); });
  for (const auto& [name, item] : value->attributes) forget_changes(run, item, seen);
}

Value find_name(Evaluator& run, Environment& scope, std::string_view name) {
  const Value value = scope.find(name);
  return value != nullptr || scope.open_imports.empty() ? value : asked_import(run, scope, name);
}

Value lookup(Evaluator& run, std::string_view name) {
  for (Environment* e = run.scope(); e != nullptr; e = e->outer) {
    run.step();
    if (e->is_class_body && e != run.scope()) continue;
    if (const Value value = find_name(run, *e, name)) return name_of_file(run, *e, name, value);
    if (e->is_initial) {
      if (const Value value = run.model.initial_name(*e, name)) return value;
    }
  }
  return nullptr;
}

void assign_name(Evaluator& run, std::string_view name, Value value) {
  if (std::find(run.scope()->outer_names.begin(), run.scope()->outer_names.end(), name) !=
      run.scope()->outer_names.end()) {
    for (Environment* e = run.scope()->outer; e != nullptr; e = e->outer) {
      if (e->find(name) == nullptr && e->outer != nullptr) continue;
      if (e->is_shared && !run.arena.is_shared()) break;
      e->set(name, value);
      return;
    }
  }
  if (run.scope()->is_shared && !run.arena.is_shared()) return;
  run.scope()->set(name, value);
}

}  // namespace etlens::recover
