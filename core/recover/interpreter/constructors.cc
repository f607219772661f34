// SPDX-License-Identifier: Apache-2.0
// What constructors leave behind. None is run: attributes are what the expressions that are
// assigned to them say.
#include <algorithm>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"
#include "core/recover/interpreter/tree_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

// One that the record lists if it was made.
bool makes_module(Value value) {
  if (value == nullptr || !value->is(ValueKind::Instance)) return false;
  const Value cls = value->instance().cls;
  return cls->is(ValueKind::External) && cls->name().starts_with("torch.nn.") &&
         !is_operator_holder(value);
}

bool derives_from_module(Value value) {
  if (!value->is(ValueKind::Instance) || !value->instance().cls->is(ValueKind::Class)) return false;
  return std::ranges::any_of(value->instance().cls->cls().bases, [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("torch.nn.");
  });
}

constexpr size_t kMaxNested = 64;  // attributes and methods that ask for each other

// Whether a text has "name =" somewhere, in front of a tree that is walked for it.
bool may_assign(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t next = text.find_first_not_of(" \t", at + name.size());
    if (next != std::string_view::npos && text[next] == '=') return true;
  }
  return false;
}

// self.register_buffer("name", value): the record holds it, or it is None.
bool registers(const PythonTree& tree, uint32_t call, std::string_view name) {
  const uint32_t function = tree.child(call, F::Function);
  const uint32_t list = tree.child(call, F::Arguments);
  if (function == kNone || list == kNone || tree[function].kind != K::Attribute) return false;
  const uint32_t method = tree.child(function, F::Attribute);
  const uint32_t first = tree[list].first_child;
  if (method == kNone || first == kNone || !tree.text(method).starts_with("register_") ||
      tree[first].kind != K::String) {
    return false;
  }
  const std::string_view text = tree.text(first);
  return text.size() >= 2 && text.substr(1, text.size() - 2) == name;
}

// name.append(…), or name[…] = …
bool fills(const PythonTree& tree, uint32_t node, std::string_view name) {
  uint32_t filled = kNone;
  if (tree[node].kind == K::Call) filled = filled_by(tree, node);
  if (tree[node].kind == K::Assignment || tree[node].kind == K::AugmentedAssignment) {
    const uint32_t left = tree.child(node, F::Left);
    if (left != kNone && tree[left].kind == K::Subscript) filled = left;
  }
  while (filled != kNone && tree[filled].kind == K::Subscript)
    filled = tree.child(filled, F::Value);
  return filled != kNone && tree[filled].kind == K::Identifier && tree.text(filled) == name;
}

// A value that others may have taken the place of; what they put into a dictionary, who asks puts
// there as well.
Value changed_value(Evaluator& run, Value value) {
  if (!value->is(ValueKind::Dict)) return run.arena.unknown();
  const Value open = run.arena.dict();
  open->dict().is_open = true;
  return open;
}

}  // namespace

// A name inside a constructor of which nothing is run: parameters are unknowns, other names what
// their only assignment says.
Value Model::initial_name(Environment& scope, std::string_view name) {
  const Value parameter = initial_parameter(scope, name);
  if (parameter != nullptr) return parameter;
  const PythonTree& tree = *scope.file->tree;
  const uint32_t body = tree.child(scope.owner->function().node, F::Body);
  if (body == kNone) return nullptr;
  uint32_t found = kNone;
  size_t count = 0;
  bool is_filled = false;
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    run_.step();
    if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
      n = tree[n].end_child - 1;
      continue;
    }
    is_filled = is_filled || fills(tree, n, name);
    if (tree[n].kind != K::Assignment && tree[n].kind != K::AugmentedAssignment &&
        tree[n].kind != K::ForStatement && tree[n].kind != K::ForInClause) {
      continue;
    }
    const uint32_t left = tree.child(n, F::Left);
    if (left == kNone || !is_assigned(tree, left, name)) continue;
    if (tree[n].kind != K::ForInClause) ++count;
    if (tree[n].kind == K::Assignment) found = n;
  }
  if (count == 0) return nullptr;
  const Value open = run_.arena.unknown();
  scope.set(name, open);  // also ends a circle
  if (count != 1 || found == kNone) return open;
  const Evaluator::Apart apart(run_, &scope);
  const Value value = eval(run_, tree.child(found, F::Right));
  const uint32_t target = tree.child(found, F::Left);
  if (tree[target].kind == K::Identifier) {
    scope.set(name, value);
  } else {
    assign(run_, target, value);
  }
  const Value known = scope.find(name);
  if (known == nullptr) return open;
  const bool is_container = known->is(ValueKind::List) || known->is(ValueKind::Dict);
  if (!is_filled || !is_container) return known;
  scope.set(name, open);  // with what, nothing that is run here says
  return open;
}

// A parameter of a constructor of which nothing is run; null if that is the name of none.
Value Model::initial_parameter(Environment& scope, std::string_view name) {
  const payload::Function& init = scope.owner->function();
  const PythonTree& tree = *scope.file->tree;
  const uint32_t parameters = tree.child(init.node, F::Parameters);
  for (uint32_t n = parameters; parameters != kNone && n < tree[parameters].end_child; ++n) {
    run_.step();
    if (tree[n].kind == K::Identifier && tree.text(n) == name) {
      // Whoever asks for the value itself gets what callers of the class give.
      const Value cls = init.name == "__init__" ? init.owner : nullptr;
      const Value open = run_.arena.unknown_from(payload::Parameter{cls, std::string(name)});
      scope.set(name, open);
      if (cls != nullptr) add_reassigned(scope, open);
      return open;
    }
    if (tree[n].kind == K::DefaultParameter || tree[n].kind == K::TypedDefaultParameter) {
      const uint32_t parameter = tree.child(n, F::Name);
      if (parameter != kNone && tree.text(parameter) != name) n = tree[n].end_child - 1;
    }
  }
  return nullptr;
}

// In which a constructor's expressions are evaluated for one module.
Environment* Model::initial_scope(Value module, Value init) {
  Environment*& scope = initial_scopes_[{module->path(), init}];
  if (scope != nullptr) return scope;
  scope = run_.arena.environment(init->function().environment, init->function().file);
  scope->is_initial = true;
  scope->owner = init;
  const PythonTree& tree = *init->function().file->tree;
  const uint32_t parameters = tree.child(init->function().node, F::Parameters);
  if (parameters == kNone || tree[parameters].first_child == kNone) return scope;
  if (!bind_construction(module, init, scope)) scope->names.clear();
  scope->set(tree.text(tree[parameters].first_child), module);
  return scope;
}

// The target is self.name.
bool Model::is_own_target(const Environment& scope, uint32_t target, Value module,
                          std::string_view name) const {
  const PythonTree& tree = *scope.file->tree;
  if (tree[target].kind != K::Attribute) return false;
  const uint32_t attribute_name = tree.child(target, F::Attribute);
  const uint32_t object = tree.child(target, F::Object);
  if (attribute_name == kNone || object == kNone || tree.text(attribute_name) != name) return false;
  const Value self = scope.find(tree.text(object));
  return self != nullptr && self->is(ValueKind::Module) && self->path() == module->path();
}

// What an assignment of a constructor gives self.name; null if it is none of that.
Value Model::initial_value(Environment& scope, uint32_t assignment, Value module,
                           std::string_view name) {
  const PythonTree& tree = *scope.file->tree;
  const uint32_t left = tree.child(assignment, F::Left);
  uint32_t right = tree.child(assignment, F::Right);
  if (left == kNone || right == kNone) return nullptr;
  size_t index = SIZE_MAX;
  const bool is_one = is_own_target(scope, left, module, name);
  if (!is_one && (tree[left].kind == K::PatternList || tree[left].kind == K::TuplePattern)) {
    size_t i = 0;
    for (uint32_t c = tree[left].first_child; c != kNone; c = tree[c].next, ++i) {
      if (is_own_target(scope, c, module, name)) index = i;
    }
  }
  if (!is_one && index == SIZE_MAX) return nullptr;
  while (tree[right].kind == K::Assignment) right = tree.child(right, F::Right);
  const Evaluator::Apart apart(run_, &scope);
  if (is_one) return eval(run_, right);
  if (tree[right].kind == K::ExpressionList || tree[right].kind == K::Tuple) {
    uint32_t c = tree[right].first_child;
    for (size_t i = 0; i < index && c != kNone; ++i) c = tree[c].next;
    return c == kNone ? run_.arena.unknown() : eval(run_, c);
  }
  const Value all = eval(run_, right);
  const bool has_item = is_sequence(all) && index < all->items().size();
  return has_item ? all->items()[index] : run_.arena.unknown();
}

// All that one constructor assigns to self.name.
std::vector<Value> Model::initial_values(Value module, Value init, std::string_view name) {
  std::vector<Value> found;
  add_initial_values(*initial_scope(module, init), module, name, found);
  return found;
}

bool Model::is_always_set(Value module, std::string_view name) {
  const Value cls = class_of_module(module->path());
  if (cls == nullptr) return false;
  for (const Value base : bases_in_order(run_, cls)) {
    const Value init = base->is(ValueKind::Class) ? own_attribute(base, "__init__") : nullptr;
    if (init == nullptr || !init->is(ValueKind::Function)) continue;
    const Environment& scope = *initial_scope(module, init);
    const PythonTree& tree = *scope.file->tree;
    const uint32_t body = tree.child(init->function().node, F::Body);
    for (uint32_t s = body == kNone ? kNone : tree[body].first_child; s != kNone;
         s = tree[s].next) {
      run_.step();
      const uint32_t assignment = tree[s].first_child;
      if (tree[s].kind != K::ExpressionStatement || assignment == kNone) continue;
      if (tree[assignment].kind != K::Assignment) continue;
      const uint32_t left = tree.child(assignment, F::Left);
      if (left != kNone && is_own_target(scope, left, module, name)) return true;
    }
    return false;  // what it gives its bases' constructors is not looked at
  }
  return false;
}

// What the function that a scope belongs to assigns to self.name, itself or in methods of the
// module that it calls.
void Model::add_initial_values(Environment& scope, Value module, std::string_view name,
                               std::vector<Value>& found) {
  const PythonTree& tree = *scope.file->tree;
  const uint32_t body = tree.child(scope.owner->function().node, F::Body);
  if (body == kNone) return;
  for (uint32_t n = body; n < tree[body].end_child && !run_.is_stopped(); ++n) {
    run_.step();
    if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
      n = tree[n].end_child - 1;
    } else if (tree[n].kind == K::Call) {
      if (registers(tree, n, name)) found.push_back(held_elsewhere(module, name));
      add_values_of_method(scope, n, module, name, found);
    } else if (tree[n].kind == K::Assignment) {
      const Value value = initial_value(scope, n, module, name);
      if (value != nullptr) found.push_back(value);
    } else if (tree[n].kind == K::AugmentedAssignment) {
      const uint32_t left = tree.child(n, F::Left);
      if (left != kNone && is_own_target(scope, left, module, name))
        found.assign(1, run_.arena.unknown());  // counted, or gathered
    }
  }
}

void Model::add_values_of_method(Environment& scope, uint32_t call, Value module,
                                 std::string_view name, std::vector<Value>& found) {
  const PythonTree& tree = *scope.file->tree;
  const uint32_t function = tree.child(call, F::Function);
  const uint32_t list = tree.child(call, F::Arguments);
  if (function == kNone || list == kNone || tree[function].kind != K::Attribute) return;
  const uint32_t object = tree.child(function, F::Object);
  if (object == kNone || tree[object].kind != K::Identifier) return;
  const Value self = scope.find(tree.text(object));
  if (self == nullptr || !self->is(ValueKind::Module) || self->path() != module->path()) return;
  const Value cls = class_of_module(module->path());
  const Value method = cls == nullptr
                           ? nullptr
                           : find_member(run_, cls, tree.text(tree.child(function, F::Attribute)));
  if (method == nullptr || !method->is(ValueKind::Function) || method == scope.owner) return;
  const payload::Function& called = method->function();
  if (called.is_static || called.is_class_method ||
      called.file->tree->text(called.node).find(name) == std::string_view::npos) {
    return;
  }
  const std::pair<std::string, std::string> guard(module->path(), std::string(called.name) + "()");
  if (in_progress_.size() >= kMaxNested || !in_progress_.insert(guard).second) return;
  const Evaluator::Apart apart(run_, &scope);
  Arguments arguments = eval_arguments(run_, list);
  arguments.positional.insert(arguments.positional.begin(), module);
  Environment* const inner = run_.arena.environment(called.environment, called.file);
  if (bind(run_, method, arguments, inner)) {
    inner->is_initial = true;
    inner->owner = method;
    add_initial_values(*inner, module, name, found);
  }
  in_progress_.erase(guard);
}

// A parameter that the constructor assigns anew, where it was not given, may be that as well: what
// can be called, or holds.
void Model::add_reassigned(Environment& scope, Value parameter) {
  const PythonTree& tree = *scope.file->tree;
  const auto [cls, name] = *origin_of<payload::Parameter>(parameter);
  const uint32_t body = tree.child(scope.owner->function().node, F::Body);
  if (body == kNone || !may_assign(tree.text(body), name)) return;
  std::vector<Value> found;
  const auto add = [&](Value value) {
    const ValueKind kind = value->kind();
    const bool is_torch = kind == ValueKind::External && value->name().starts_with("torch.");
    const bool is_object = kind == ValueKind::Instance &&
                           class_of(run_, value)->is(ValueKind::Class) &&
                           !is_module_class(run_, class_of(run_, value));
    if (is_torch || is_object || kind == ValueKind::Function || kind == ValueKind::Partial)
      found.push_back(value);
  };
  for (uint32_t n = body; n < tree[body].end_child && !run_.is_stopped(); ++n) {
    run_.step();
    if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
      n = tree[n].end_child - 1;
      continue;
    }
    if (tree[n].kind != K::Assignment) continue;
    const uint32_t left = tree.child(n, F::Left);
    const uint32_t right = tree.child(n, F::Right);
    if (left == kNone || right == kNone || tree[left].kind != K::Identifier ||
        tree.text(left) != name) {
      continue;
    }
    const Evaluator::Apart apart(run_, &scope);
    const Value value = eval(run_, right);
    add(value);
    if (value != parameter && has_candidates(value)) {
      for (const Value one : value->unknown().candidates) add(one);
    }
  }
  if (found.empty()) return;
  for (const Value given : given_by_callers(cls, name).values) found.push_back(given);
  parameter->unknown().candidates = std::move(found);
}

// What a constructor assigns to self.name; null if it assigns nothing.
Value Model::initial_attribute(Value module, Value cls, std::string_view name) {
  const std::pair<std::string, std::string> guard(module->path(), std::string(name));
  if (!in_progress_.insert(guard).second) return run_.arena.unknown();
  std::vector<Value> found;
  for (const Value base : bases_in_order(run_, cls)) {
    if (!base->is(ValueKind::Class)) continue;
    const Value init = own_attribute(base, "__init__");
    if (init == nullptr || !init->is(ValueKind::Function)) continue;
    found = initial_values(module, init, name);
    if (!found.empty()) break;
  }
  in_progress_.erase(guard);
  if (found.empty()) return nullptr;
  const Value value = one_of(found, module, name);
  if (run_.sources.changes().changes_member(name, class_names(run_, cls)))
    return changed_value(run_, value);
  std::set<Value> seen;
  forget_changes(run_, value, seen);
  return value;
}

// A tensor that a module registers and the record does not hold there. What a module that several
// share holds, the record has under its first path alone: one that holds nothing is such, and the
// other one says nothing against its class. Else None.
Value Model::held_elsewhere(Value module, std::string_view name) {
  if (run_.task == nullptr) return run_.arena.none();
  const GraphUnits& graph = *run_.task->graph;
  const ModelModule* own = graph.find_module(module->path());
  if (own != nullptr && (!own->held.empty() || (!own->children.empty() && !own->type.empty())))
    return run_.arena.none();
  const std::string_view type = graph.type_of(module->path());
  const Value cls = class_of_module(module->path());
  const auto may_be_same = [&](const ModelModule& other) {
    if (!other.type.empty())
      return type.empty() ? class_of_type(run_, other.type) == cls : other.type == type;
    const std::vector<Value>& classes = classes_that_hold(other);
    return std::find(classes.begin(), classes.end(), cls) != classes.end();
  };
  std::vector<uint32_t> values;
  for (uint32_t row = 0; row < graph.module_count(); ++row) {
    run_.step();
    const ModelModule& other = graph.module(row);
    const auto held = std::ranges::find(other.held, name);
    if (held == other.held.end() || !may_be_same(other)) continue;
    values.push_back(other.held_values[static_cast<size_t>(held - other.held.begin())]);
  }
  return values.empty() ? run_.arena.none()
                        : run_.arena.tensor(TensorState::Known, std::move(values));
}

// One value of several that a module's attribute may be: itself, or an unknown that may be any. A
// child that the model does not hold was not made.
Value Model::one_of(const std::vector<Value>& found, Value module, std::string_view name) {
  std::vector<Value> candidates;
  const auto add = [&](Value value) {
    if (run_.task != nullptr && (makes_module(value) || derives_from_module(value))) {
      const std::string path =
          module->path().empty() ? std::string(name) : module->path() + "." + std::string(name);
      if (run_.task->graph->has_module(path)) candidates.push_back(value);
      return;
    }
    if (value->is(ValueKind::Instance) && label_of(class_of(run_, value)) == "torch.nn.Parameter")
      return;
    const bool is_known = std::any_of(candidates.begin(), candidates.end(),
                                      [&](Value known) { return is_same_value(known, value); });
    if (!is_known) candidates.push_back(value);
  };
  for (const Value value : found) {
    if (has_candidates(value)) {
      for (const Value one : value->unknown().candidates) add(one);
    } else {
      add(value);
    }
  }
  if (candidates.empty()) return run_.arena.none();
  if (candidates.size() == 1) return candidates[0];
  return run_.arena.one_of(std::move(candidates));
}

}  // namespace etlens::recover
