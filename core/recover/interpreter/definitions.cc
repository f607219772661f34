// SPDX-License-Identifier: Apache-2.0
// Files, imports, functions and classes.

#include "core/recover/interpreter/definitions.h"

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

Value make_class(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t name = tree.child(node, F::Name);
  const Value made =
      run.arena.make(payload::Class{.file = run.scope()->file,
                                    .node = node,
                                    .name = name == kNone ? std::string_view() : tree.text(name)});
  const uint32_t bases = tree.child(node, F::Superclasses);
  if (bases != kNone) {
    for (uint32_t c = tree[bases].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].kind != K::KeywordArgument) made->cls().bases.push_back(eval(run, c));
    }
  }
  Environment* const scope = run.arena.environment(run.scope(), run.scope()->file);
  scope->is_class_body = true;
  const uint32_t body = tree.child(node, F::Body);
  const bool was_stopped = run.is_stopped();
  {
    const Evaluator::Apart apart(run, scope);
    for (uint32_t c = body == kNone ? kNone : tree[body].first_child; c != kNone;
         c = tree[c].next) {
      run_statement(run, c);
      run.resume(was_stopped);
      // `name: type` of a dataclass or a named tuple is a field without a value.
      if (tree[c].kind != K::ExpressionStatement || tree[c].first_child == kNone) continue;
      const uint32_t assignment = tree[c].first_child;
      if (tree[assignment].kind != K::Assignment || tree.child(assignment, F::Type) == kNone)
        continue;
      const uint32_t left = tree.child(assignment, F::Left);
      if (left == kNone || tree[left].kind != K::Identifier) continue;
      made->cls().fields.push_back(tree.text(left));
      if (tree.child(assignment, F::Right) == kNone) {
        std::erase_if(scope->names, [&](const auto& row) { return row.first == tree.text(left); });
      }
    }
  }
  made->attributes.assign(scope->names.begin(), scope->names.end());
  for (auto& [member, value] : made->attributes) {
    run.step();
    if (!value->is(ValueKind::Function)) continue;
    payload::Function& function = value->function();
    for (Value own = value; own != nullptr; own = own->function().wraps) {
      run.step();
      if (own->function().owner == nullptr) own->function().owner = made;
    }
    if (!made->is_shared) continue;
    if (function.is_property && !is_module_class(run, made)) run.caches.has_properties = true;
    std::vector<Value>& owners = run.caches.methods[std::string(member)];
    if (function.owner == made) owners.push_back(made);
  }
  if (is_enumeration(run, made)) number_members(run, made);
  return made;
}

// a of a.b(c): a name that nothing defines, or that comes from a file that is not used.
bool is_unknown_name(Evaluator& run, uint32_t expression) {
  const PythonTree& tree = run.tree();
  uint32_t root = expression;
  while (root != kNone && tree[root].kind != K::Identifier) {
    if (tree[root].kind != K::Call && tree[root].kind != K::Attribute) return false;
    root = tree.child(root, tree[root].kind == K::Call ? F::Function : F::Object);
  }
  return root != kNone && eval(run, root)->is(ValueKind::Unknown);
}

// What a decorator that no source defines makes of a function or a class.
void decorate_by_name(Value value, std::string_view text) {
  if (value->is(ValueKind::Function)) {
    payload::Function& function = value->function();
    if (text == "builtins.property" || text == "functools.cached_property")
      function.is_property = true;
    if (text == "builtins.staticmethod") function.is_static = true;
    if (text == "builtins.classmethod") function.is_class_method = true;
    // A name that nothing defines.
    function.is_wrapped |= text.starts_with("builtins.") && !function.is_property &&
                           !function.is_static && !function.is_class_method;
  }
  // Its constructor comes from its fields.
  if (value->is(ValueKind::Class) &&
      (text == "dataclasses.dataclass" || text == "attr.s" || text == "attrs.define")) {
    value->cls().is_dataclass = true;
  }
}

// A closure that a decorator made of a function.
void note_wrapped(Value made, Value wrapped) {
  if (made == wrapped || !made->is(ValueKind::Function) || !wrapped->is(ValueKind::Function))
    return;
  const Environment* const environment = made->function().environment;
  const bool is_closure = environment != nullptr && environment->outer != nullptr;
  if (is_closure && made->function().wraps == nullptr) made->function().wraps = wrapped;
}

Value decorated(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t definition = tree.child(node, F::Definition);
  if (definition == kNone) return run.arena.unknown();
  Value value = nullptr;
  const uint32_t name_node = tree.child(definition, F::Name);
  const std::string_view name = name_node == kNone ? std::string_view() : tree.text(name_node);
  std::vector<std::pair<uint32_t, Value>> decorators;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Decorator && tree[c].first_child != kNone)
      decorators.emplace_back(c, eval(run, tree[c].first_child));
  }
  value = tree[definition].kind == K::ClassDefinition ? make_class(run, definition)
                                                      : make_function(run, definition, name);
  if (name == "__init__" && !decorators.empty()) {
    decorators.clear();  // what it assigns stands in its own text, what they may set is not known
    if (value->is(ValueKind::Function)) value->function().is_wrapped = true;
  }
  for (auto row = decorators.rbegin(); row != decorators.rend(); ++row) {
    const Value decorator = row->second;
    if (decorator->is(ValueKind::External)) {
      decorate_by_name(value, decorator->name());
      continue;
    }
    if (decorator->is(ValueKind::Instance) || decorator->is(ValueKind::Unknown)) {
      const uint32_t expression = tree[row->first].first_child;
      if (tree.text(expression).find("dataclass") != std::string_view::npos &&
          value->is(ValueKind::Class)) {
        value->cls().is_dataclass = true;
      }
      // A library's leaves no frame of the project.
      if (value->is(ValueKind::Function) && is_unknown_name(run, expression))
        value->function().is_wrapped = true;
      continue;
    }
    if (decorator->is(ValueKind::Function) || decorator->is(ValueKind::Method) ||
        decorator->is(ValueKind::Partial)) {
      Arguments arguments{{value}, {}, false};
      const Value made = call(run, decorator, arguments, row->first);
      if (made->is(ValueKind::Function) || made->is(ValueKind::Method) ||
          made->is(ValueKind::Partial) || made->is(ValueKind::Class)) {
        note_wrapped(made, value);
        value = made;
      } else if (value->is(ValueKind::Function)) {
        value->function().is_wrapped = true;
      }
    }
  }
  return value;
}

}  // namespace

Value make_function(Evaluator& run, uint32_t node, std::string_view name) {
  const PythonTree& tree = run.tree();
  const Value function = run.arena.make(payload::Function{
      .file = run.scope()->file, .node = node, .environment = run.scope(), .name = name});
  const uint32_t parameters = tree.child(node, F::Parameters);
  if (parameters == kNone) return function;
  for (uint32_t p = tree[parameters].first_child; p != kNone; p = tree[p].next) {
    const bool has_default =
        tree[p].kind == K::DefaultParameter || tree[p].kind == K::TypedDefaultParameter;
    function->function().defaults.push_back(has_default ? eval(run, tree.child(p, F::Value))
                                                        : nullptr);
  }
  return function;
}

void define(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  uint32_t definition = node;
  if (tree[node].kind == K::DecoratedDefinition) definition = tree.child(node, F::Definition);
  if (definition == kNone) return;
  const uint32_t name_node = tree.child(definition, F::Name);
  if (name_node == kNone) return;
  const std::string_view name = tree.text(name_node);
  Value value = nullptr;
  if (tree[node].kind == K::DecoratedDefinition) {
    value = decorated(run, node);
  } else if (tree[node].kind == K::ClassDefinition) {
    value = make_class(run, node);
  } else {
    value = make_function(run, node, name);
  }
  assign_name(run, name, value);
}

}  // namespace etlens::recover
