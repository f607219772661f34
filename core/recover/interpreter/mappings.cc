// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/mappings.h"

#include <algorithm>
#include <vector>

#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

bool is_mapping_class(Evaluator& run, Value cls) {
  return std::ranges::any_of(bases_in_order(run, cls), [](Value base) {
    return base->is(ValueKind::External) &&
           (base->name().ends_with(".Mapping") || base->name().ends_with(".MutableMapping"));
  });
}

// The parameter of a function at a place; "" without.
std::string_view parameter_of(const PythonTree& tree, uint32_t function, size_t place) {
  const uint32_t parameters = tree.child(function, F::Parameters);
  size_t i = 0;
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next, ++i) {
    if (i == place) return tree.text(tree[p].kind == K::TypedParameter ? tree[p].first_child : p);
  }
  return {};
}

// The attributes of self that `return self.name[key]` looks into, in order.
std::vector<std::string_view> looked_into(Evaluator& run, const payload::Function& getter) {
  const PythonTree& tree = *getter.file->tree;
  const std::string_view self = parameter_of(tree, getter.node, 0);
  const std::string_view key = parameter_of(tree, getter.node, 1);
  std::vector<std::string_view> names;
  for (uint32_t n = getter.node; n < tree[getter.node].end_child; ++n) {
    run.step();
    if (tree[n].kind != K::Subscript) continue;
    const uint32_t holder = tree.child(n, F::Value);
    const uint32_t index = tree.child(n, F::Subscript);
    if (holder == kNone || index == kNone || tree[holder].kind != K::Attribute) continue;
    if (tree.text(index) != key || tree.text(tree.child(holder, F::Object)) != self) continue;
    names.push_back(tree.text(tree.child(holder, F::Attribute)));
  }
  return names;
}

}  // namespace

bool is_mapping_method(std::string_view name) {
  static constexpr std::string_view kMethods[] = {"get", "items", "keys", "values"};
  return std::ranges::find(kMethods, name) != std::end(kMethods);
}

Value mapping_of(Evaluator& run, Value instance) {
  if (!instance->is(ValueKind::Instance) || held_dict(instance) != nullptr) return nullptr;
  const Value cls = instance->instance().cls;
  if (!cls->is(ValueKind::Class) || !is_mapping_class(run, cls)) return nullptr;
  const Value getter = find_member(run, cls, "__getitem__");
  if (getter == nullptr || !getter->is(ValueKind::Function)) return nullptr;
  const Value all = run.arena.dict();
  std::vector<std::string_view> names = looked_into(run, getter->function());
  std::reverse(names.begin(), names.end());
  for (const std::string_view name : names) {
    const Value own = own_attribute(instance, name);
    const Value dict = own != nullptr ? own : find_member(run, cls, name);
    if (dict == nullptr || !dict->is(ValueKind::Dict)) continue;
    // Another function may put something else there.
    const bool is_changed = run.sources.changes().changes_attribute(name, class_names(run, cls));
    const payload::Dict& known = dict->dict();
    for (size_t i = 0; i < known.keys.size() && i < known.values.size(); ++i) {
      const Value value = run.local(known.values[i]);
      put(run, all, known.keys[i], is_changed ? run.arena.one_of({value}) : value);
    }
  }
  return all->dict().keys.empty() ? nullptr : all;
}

}  // namespace etlens::recover
