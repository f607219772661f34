// SPDX-License-Identifier: Apache-2.0
// Classes of the sources.
#include "core/recover/interpreter/classes.h"

#include <algorithm>

#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {

bool has_plain_truth(Evaluator& run, Value cls) {
  return std::ranges::all_of(bases_in_order(run, cls), [](Value base) {
    if (base->is(ValueKind::Class)) return true;
    return base->is(ValueKind::External) &&
           (base->name() == "builtins.object" || base->name() == "enum.Enum" ||
            base->name().starts_with("abc.") || base->name().starts_with("typing.") ||
            base->name().starts_with("torch.nn."));
  });
}

Value class_of(Evaluator& run, Value value) {
  if (value->is(ValueKind::Instance)) return value->instance().cls;
  if (value->is(ValueKind::Module)) return run.model.class_of_module(value->path());
  return nullptr;
}

bool has_member(Evaluator& run, Value instance, std::string_view name) {
  return own_attribute(instance, name) != nullptr ||
         find_member(run, instance->instance().cls, name) != nullptr;
}

std::vector<std::string_view> class_names(Evaluator& run, Value cls) {
  std::vector<std::string_view> names;
  for (const Value base : bases_in_order(run, cls)) {
    if (base->is(ValueKind::Class)) names.push_back(base->cls().name);
  }
  return names;
}

Value class_attribute(Evaluator& run, Value cls, std::string_view name, Value member) {
  if (run.runs_file() || !run.sources.changes().changes_attribute(name, class_names(run, cls)))
    return run.local(member);
  return run.open_value(member, name);
}

bool is_module_class(Evaluator& run, Value cls) {
  const std::vector<Value> order = bases_in_order(run, cls);
  return std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("torch.nn.");
  });
}

std::vector<Value> bases_in_order(Evaluator& run, Value cls) {
  // As Python's order where bases share no base, and where they do, the shared one stands last.
  std::vector<Value> order;
  std::vector<Value> open{cls};
  while (!open.empty() && order.size() < 64) {
    run.step();
    const Value next = open.front();
    open.erase(open.begin());
    std::erase(order, next);
    order.push_back(next);
    if (next->is(ValueKind::Class))
      open.insert(open.begin(), next->cls().bases.begin(), next->cls().bases.end());
    if (open.size() > 64) break;
  }
  return order;
}

Value find_member(Evaluator& run, Value cls, std::string_view name, Value* owner) {
  if (cls == nullptr || !cls->is(ValueKind::Class)) return nullptr;
  for (const Value base : bases_in_order(run, cls)) {
    if (!base->is(ValueKind::Class)) continue;
    for (const auto& [member, value] : base->attributes) {
      if (member != name) continue;
      if (owner != nullptr) *owner = base;
      return value;
    }
  }
  return nullptr;
}

Value class_of_type(Evaluator& run, std::string_view type) {
  const auto [at, is_new] = run.caches.classes.try_emplace(std::string(type), nullptr);
  if (!is_new) return at->second;
  // The longest prefix that is a file; the rest is the qualified name.
  for (size_t dot = type.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = type.rfind('.', dot - 1)) {
    SourceFile* file = run.sources.find_module(type.substr(0, dot));
    if (file == nullptr) continue;
    run_file(run, file);
    std::string_view rest = type.substr(dot + 1);
    Value value = file->globals->find(first_part(rest));
    while (value != nullptr && rest.find('.') != std::string_view::npos) {
      rest.remove_prefix(rest.find('.') + 1);
      value = find_member(run, value, first_part(rest));
    }
    if (value != nullptr && value->is(ValueKind::Class)) at->second = value;
    break;
  }
  return at->second;
}

}  // namespace etlens::recover
