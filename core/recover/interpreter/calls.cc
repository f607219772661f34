// SPDX-License-Identifier: Apache-2.0
// Calls of what the sources define.
#include "core/recover/interpreter/calls.h"

#include <algorithm>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/constructions.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/libraries.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

// What a child gave may be a container of tensors.
bool is_holder_method(std::string_view text) {
  return text == "Tensor.get" || text == "Tensor.pop" || text == "Tensor.to_tuple" ||
         text == "Tensor.values";
}

// These give its keys, too, which are unknown.
bool gives_keys(std::string_view text) { return text == "Tensor.items" || text == "Tensor.keys"; }

// Fields of a dataclass or a named tuple, those of bases first.
void set_fields(Evaluator& run, Value made, const std::vector<Value>& order, Arguments& arguments) {
  const auto splat = std::ranges::find_if(arguments.positional, is_splat);
  arguments.positional.erase(splat, arguments.positional.end());
  size_t next = 0;
  for (auto base = order.rbegin(); base != order.rend(); ++base) {
    if (!(*base)->is(ValueKind::Class)) continue;
    for (const std::string_view field : (*base)->cls().fields) {
      run.step();
      Value value = nullptr;
      if (next < arguments.positional.size()) {
        value = arguments.positional[next++];
      } else {
        for (const auto& [name, named] : arguments.named) {
          if (name == field) value = named;
        }
      }
      if (value == nullptr && !arguments.has_more) {
        const Value member = find_member(run, made->instance().cls, field);
        value = member == nullptr ? nullptr : run.local(member);
      }
      if (value == nullptr) value = run.arena.unknown();
      made->attributes.emplace_back(field, value);
    }
  }
}

// That of a dataclass stands before those of its bases.
bool has_generated_constructor(Evaluator& run, Value cls, const std::vector<Value>& order) {
  if (!cls->cls().is_dataclass) return false;
  Value owner = nullptr;
  if (find_member(run, cls, "__init__", &owner) == nullptr) return true;
  for (const Value base : order) {
    if (base == owner) return false;
    if (base->is(ValueKind::Class) && base->cls().is_dataclass) return true;
  }
  return false;
}

Value call_method(Evaluator& run, const payload::Method& method, Arguments& arguments,
                  uint32_t node) {
  const auto [function, self] = method;
  if (!function->is(ValueKind::External)) {
    arguments.positional.insert(arguments.positional.begin(), self);
    return call(run, function, arguments, node);
  }
  const std::string& text = function->name();
  if (!text.starts_with("Tensor.")) {
    return call_container(run, std::string_view(text).substr(text.rfind('.') + 1), self, arguments,
                          node);
  }
  if (is_from_module(self) && is_holder_method(text)) return field_of(run, self);
  if (is_from_module(self) && gives_keys(text)) return run.arena.unknown();
  arguments.positional.insert(arguments.positional.begin(), self);
  const std::string_view name = std::string_view(text).substr(7);
  const bool is_tensor = self->is(ValueKind::Tensor) && !is_from_module(self) &&
                         self->tensor().state == TensorState::Known;
  const size_t used = run.matcher.position();
  const Value made = run.matcher.torch_call(name, arguments, node);
  if (is_tensor && run.matcher.position() == used) run.matcher.count_call(name);
  return made;
}

Value call_partial(Evaluator& run, const payload::Partial& partial, const Arguments& arguments,
                   uint32_t node) {
  Arguments all;
  all.positional = partial.positional;
  all.positional.insert(all.positional.end(), arguments.positional.begin(),
                        arguments.positional.end());
  for (const auto& [name, value] : partial.named) {
    const bool is_given =
        std::any_of(arguments.named.begin(), arguments.named.end(),
                    [&, &name = name](const auto& row) { return row.first == name; });
    if (!is_given) all.named.emplace_back(name, value);
  }
  all.named.insert(all.named.end(), arguments.named.begin(), arguments.named.end());
  all.has_more = arguments.has_more;
  return call(run, run.local(partial.function), all, node);
}

Value call_instance(Evaluator& run, Value callee, Arguments& arguments, uint32_t node) {
  const Value cls = callee->instance().cls;
  if (cls->is(ValueKind::External)) {
    // A layer that the model does not hold: its function runs here.
    const std::string& type = cls->name();
    return run.matcher.torch_call(std::string_view(type).substr(type.rfind('.') + 1), arguments,
                                  node);
  }
  bool found = false;
  const Value made = call_method_named(run, callee, "__call__", arguments, node, found);
  if (found || run.is_stopped()) return made;
  if (is_module_class(run, cls)) {
    const Value inner = call_method_named(run, callee, "forward", arguments, node, found);
    if (found || run.is_stopped()) return inner;
  }
  if (!run.is_quiet()) run.stop();  // no such thing in Python
  return run.arena.unknown();
}

Value call_kind(Evaluator& run, Value callee, Arguments& arguments, uint32_t node) {
  switch (callee->kind()) {
    case ValueKind::Function:
      return call_function(run, callee, arguments, node);
    case ValueKind::Method:
      return call_method(run, callee->method(), arguments, node);
    case ValueKind::Partial:
      return call_partial(run, callee->partial(), arguments, node);
    case ValueKind::Class:
      return call_class(run, callee, arguments, node);
    case ValueKind::Instance:
      return call_instance(run, callee, arguments, node);
    case ValueKind::Module: {
      // A class of the project may wrap what torch.nn.Module does.
      bool found = false;
      const Value made = call_method_named(run, callee, "__call__", arguments, node, found);
      return found || run.is_stopped() ? made : run.matcher.call_module(callee, arguments);
    }
    case ValueKind::External:
      return call_external(run, callee->name(), arguments, node);
    case ValueKind::Unknown:
      return call_unknown(run, callee, arguments, node);
    case ValueKind::None:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Bool:
    case ValueKind::Text:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
      if (!run.is_quiet()) run.stop();  // TypeError
      return run.arena.unknown();
    default:
      return run.arena.unknown();
  }
}

}  // namespace

Arguments eval_arguments(Evaluator& run, uint32_t list) {
  const PythonTree& tree = run.tree();
  Arguments arguments;
  if (tree[list].kind == K::GeneratorExpression) {
    arguments.positional.push_back(eval(run, list));
  } else {
    const uint32_t first = tree[list].first_child;
    for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].kind == K::KeywordArgument) {
        const Value value = eval(run, tree.child(c, F::Value));
        arguments.named.emplace_back(tree.text(tree.child(c, F::Name)), value);
      } else if (tree[c].kind == K::ListSplat) {
        const Value rest = eval(run, tree[c].first_child);
        if (rest->is(ValueKind::Unknown)) {
          arguments.positional.push_back(run.arena.unknown_from(payload::Unpacked{rest}));
          arguments.has_more = true;
        } else {
          // CPython: a splat alone is walked through by the call, one of several where it stands.
          run.at(c == first && tree[c].next == kNone ? list : c);
          const std::optional<std::vector<Value>> items = exactly_all_of(run, rest);
          arguments.has_more = arguments.has_more || !items;
          if (items)
            arguments.positional.insert(arguments.positional.end(), items->begin(), items->end());
        }
      } else if (tree[c].kind == K::DictionarySplat) {
        const Value rest = eval(run, tree[c].first_child);
        if (!rest->is(ValueKind::Dict)) {
          arguments.has_more = true;
        } else {
          const auto& [keys, values, factory, is_open] = rest->dict();
          for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
            if (keys[i]->is(ValueKind::Text))
              arguments.named.emplace_back(keys[i]->text(), values[i]);
          }
        }
      } else {
        arguments.positional.push_back(eval(run, c));
      }
      if (run.is_stopped()) return arguments;
    }
  }
  return arguments;
}

Value eval_call(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t function = tree.child(node, F::Function);
  const uint32_t list = tree.child(node, F::Arguments);
  if (function == kNone || list == kNone) return run.arena.unknown();
  run.signals.callee = function;
  const Value callee = eval(run, function);
  run.signals.callee = kNone;
  if (run.is_stopped()) return run.arena.unknown();
  Arguments arguments = eval_arguments(run, list);
  if (run.is_stopped()) return run.arena.unknown();
  // CPython says the line of the called expression; of `a⏎.b()` that of b.
  const uint32_t name =
      tree[function].kind == K::Attribute ? tree.child(function, F::Attribute) : function;
  run.at(name == kNone ? function : name);
  return call(run, callee, arguments, node);
}

Value call(Evaluator& run, Value callee, Arguments& arguments, uint32_t node) {
  run.step();
  if (!run.goes_deeper()) return run.arena.unknown();
  const Value value = call_kind(run, callee, arguments, node);
  run.comes_back();
  return value;
}

Value call_class(Evaluator& run, Value cls, Arguments& arguments, uint32_t node) {
  const std::vector<Value> order = bases_in_order(run, cls);
  const Value made = run.arena.instance(cls);
  if (made->is_shared) run.keep_own(made);  // its constructor writes to it, and to no copy
  if (is_module_class(run, cls)) {
    keep_arguments(run, made, arguments);
    return made;
  }
  bool is_tuple = false;
  for (const Value base : order) {
    if (!base->is(ValueKind::External)) continue;
    const std::string& name = base->name();
    if ((name == "builtins.dict" || name == "collections.OrderedDict" ||
         name == "collections.UserDict") &&
        held_dict(made) == nullptr) {
      const bool is_own = find_member(run, cls, "__init__") != nullptr || cls->cls().is_dataclass;
      const Value dict = is_own ? run.arena.dict() : call_builtin(run, "dict", arguments, node);
      made->instance().held = dict->is(ValueKind::Dict) ? dict : run.arena.dict();
    }
    is_tuple |= name.ends_with("NamedTuple");
  }
  if (is_enumeration(run, cls)) {
    return arguments.positional.empty() ? run.arena.unknown()
                                        : member_of_value(run, cls, arguments.positional[0]);
  }
  if (is_tuple) made->instance().form = InstanceForm::NamedTuple;
  if (!has_generated_constructor(run, cls, order) && find_member(run, cls, "__init__") != nullptr) {
    bool found = false;
    std::optional<Evaluator::Apart> apart;
    if (!run.is_quiet() && run.matcher.takes_no_unit(arguments)) apart.emplace(run, run.scope());
    call_method_named(run, made, "__init__", arguments, node, found);
    return made;
  }
  set_fields(run, made, order, arguments);
  if (const Value dict = held_dict(made); dict != nullptr && cls->cls().is_dataclass) {
    // A dictionary with fields puts those that are given under their names.
    for (const auto& [field, value] : made->attributes) {
      if (!value->is(ValueKind::None)) put(run, dict, run.arena.string(field), value);
    }
    return made;
  }
  if (cls->cls().is_dataclass || is_tuple) {
    bool found = false;
    if (find_member(run, cls, "__post_init__") != nullptr)
      call_method_named(run, made, "__post_init__", {}, node, found);
  }
  return made;
}

Value call_method_named(Evaluator& run, Value value, std::string_view name, Arguments arguments,
                        uint32_t node, bool& found) {
  found = false;
  if (!value->is(ValueKind::Instance) && !value->is(ValueKind::Module)) return run.arena.unknown();
  const Value cls = class_of(run, value);
  const Value member = find_member(run, cls, name);
  if (member == nullptr) return run.arena.unknown();
  found = true;
  if (!member->is(ValueKind::Function)) return call(run, member, arguments, node);
  if (!member->function().is_static)
    arguments.positional.insert(arguments.positional.begin(), value);
  return call(run, member, arguments, node);
}

}  // namespace etlens::recover
