// SPDX-License-Identifier: Apache-2.0
// Calls of what the sources define.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"
#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

// What a child gave may be a container of tensors.
bool is_holder_method(std::string_view text) {
  return text == "Tensor.get" || text == "Tensor.pop" || text == "Tensor.to_tuple" ||
         text == "Tensor.values";
}

// These give its keys, too, which nobody knows.
bool gives_keys(std::string_view text) { return text == "Tensor.items" || text == "Tensor.keys"; }

}  // namespace

Interpreter::Interpreter(PythonSources& sources, Caches& caches, Arena& arena,
                         const Problem* problem, Choices* choices)
    : sources_(sources), caches_(caches), arena_(arena), problem_(problem), choices_(choices) {
  if (problem != nullptr && problem->call != kNoCall) {
    module_call_ = &problem->graph->calls()[problem->call];
    placements_.resize(module_call_->units.size());
  }
}

bool Interpreter::run() {
  const Value function = problem_->forward;
  const Value self = arena_.module(std::string(module_call_->path));
  Arguments arguments;
  arguments.positional.push_back(self);
  if (problem_->has_arguments) {
    for (const Value value : problem_->arguments.positional)
      arguments.positional.push_back(copy_of(arena_, value));
    for (const auto& [name, value] : problem_->arguments.named)
      arguments.named.emplace_back(name, copy_of(arena_, value));
    arguments.has_more = problem_->arguments.has_more;
  } else {
    arguments.has_more = true;
  }
  scope_ = function->is(ValueKind::Function) ? function->function().file->globals : nullptr;
  if (scope_ == nullptr) return false;
  result_ = call_function(function, arguments, kNone);
  return !stopped_ && position_ == module_call_->units.size();
}

Arguments Interpreter::eval_arguments(uint32_t list) {
  const PythonTree& tree = this->tree();
  Arguments arguments;
  if (tree[list].kind == K::GeneratorExpression) {
    arguments.positional.push_back(eval(list));
  } else {
    const uint32_t first = tree[list].first_child;
    for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].kind == K::KeywordArgument) {
        const Value value = eval(tree.child(c, F::Value));
        arguments.named.emplace_back(tree.text(tree.child(c, F::Name)), value);
      } else if (tree[c].kind == K::ListSplat) {
        const Value rest = eval(tree[c].first_child);
        if (rest->is(ValueKind::Unknown)) {
          arguments.positional.push_back(arena_.unknown_from(payload::Unpacked{rest}));
          arguments.has_more = true;
        } else {
          // CPython: a splat alone is walked through by the call, one of several where it stands.
          at(c == first && tree[c].next == kNone ? list : c);
          const std::optional<std::vector<Value>> items = exactly_all_of(rest);
          arguments.has_more = arguments.has_more || !items;
          if (items)
            arguments.positional.insert(arguments.positional.end(), items->begin(), items->end());
        }
      } else if (tree[c].kind == K::DictionarySplat) {
        const Value rest = eval(tree[c].first_child);
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
        arguments.positional.push_back(eval(c));
      }
      if (stopped_) return arguments;
    }
  }
  return arguments;
}

Value Interpreter::eval_call(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t function = tree.child(node, F::Function);
  const uint32_t list = tree.child(node, F::Arguments);
  if (function == kNone || list == kNone) return arena_.unknown();
  callee_ = function;
  const Value callee = eval(function);
  callee_ = kNone;
  if (stopped_) return arena_.unknown();
  Arguments arguments = eval_arguments(list);
  if (stopped_) return arena_.unknown();
  // CPython says the line of the called expression; of `a⏎.b()` that of b.
  const uint32_t name =
      tree[function].kind == K::Attribute ? tree.child(function, F::Attribute) : function;
  at(name == kNone ? function : name);
  return call(callee, arguments, node);
}

Value Interpreter::call(Value callee, Arguments& arguments, uint32_t node) {
  step();
  if (!goes_deeper()) return arena_.unknown();
  const Value value = call_kind(callee, arguments, node);
  --depth_;
  return value;
}

Value Interpreter::call_kind(Value callee, Arguments& arguments, uint32_t node) {
  switch (callee->kind()) {
    case ValueKind::Function:
      return call_function(callee, arguments, node);
    case ValueKind::Method: {
      const auto [function, self] = callee->method();
      if (function->is(ValueKind::External)) {
        const std::string& text = function->name();
        if (text.starts_with("Tensor.")) {
          if (is_from_module(self) && is_holder_method(text)) return field_of(self);
          if (is_from_module(self) && gives_keys(text)) return arena_.unknown();
          arguments.positional.insert(arguments.positional.begin(), self);
          return torch_call(std::string_view(text).substr(7), arguments, node);
        }
        return call_container(std::string_view(text).substr(text.rfind('.') + 1), self, arguments,
                              node);
      }
      arguments.positional.insert(arguments.positional.begin(), self);
      return call(function, arguments, node);
    }
    case ValueKind::Partial: {
      const payload::Partial& partial = callee->partial();
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
      return call(local(partial.function), all, node);
    }
    case ValueKind::Class:
      return call_class(callee, arguments, node);
    case ValueKind::Instance: {
      const Value cls = callee->instance().cls;
      if (cls->is(ValueKind::External)) {
        // A layer that the model does not hold: its function runs here.
        const std::string& type = cls->name();
        return torch_call(std::string_view(type).substr(type.rfind('.') + 1), arguments, node);
      }
      bool found = false;
      const Value made = call_method_named(callee, "__call__", arguments, node, found);
      if (found || stopped_) return made;
      if (is_module_class(cls)) {
        const Value inner = call_method_named(callee, "forward", arguments, node, found);
        if (found || stopped_) return inner;
      }
      if (!is_quiet()) stop();  // no such thing in Python
      return arena_.unknown();
    }
    case ValueKind::Module: {
      // A class of the project may wrap what torch.nn.Module does.
      bool found = false;
      const Value made = call_method_named(callee, "__call__", arguments, node, found);
      return found || stopped_ ? made : call_module(callee, arguments);
    }
    case ValueKind::External:
      return call_external(callee->name(), arguments, node);
    case ValueKind::Unknown:
      return call_unknown(callee, arguments, node);
    case ValueKind::None:
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Bool:
    case ValueKind::Text:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
      if (!is_quiet()) stop();  // TypeError
      return arena_.unknown();
    default:
      return arena_.unknown();
  }
}

// A class of the sources that derives from torch's modules.
bool Interpreter::is_module_class(Value cls) {
  const std::vector<Value> order = bases_in_order(cls);
  return std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("torch.nn.");
  });
}

Value Interpreter::call_class(Value cls, Arguments& arguments, uint32_t node) {
  const std::vector<Value> order = bases_in_order(cls);
  const Value made = arena_.instance(cls);
  if (made->is_shared) local_[made] = made;  // its constructor writes to it, and to no copy
  if (is_module_class(cls)) {
    keep_arguments(made, arguments);
    return made;
  }
  bool is_tuple = false;
  for (const Value base : order) {
    if (!base->is(ValueKind::External)) continue;
    const std::string& name = base->name();
    if ((name == "builtins.dict" || name == "collections.OrderedDict" ||
         name == "collections.UserDict") &&
        held_dict(made) == nullptr) {
      const bool is_own = find_member(cls, "__init__") != nullptr;
      const Value dict = is_own ? arena_.dict() : call_builtin("dict", arguments, node);
      made->instance().held = dict->is(ValueKind::Dict) ? dict : arena_.dict();
    }
    is_tuple |= name.ends_with("NamedTuple");
  }
  if (is_enumeration(cls)) {
    return arguments.positional.empty() ? arena_.unknown()
                                        : member_of_value(cls, arguments.positional[0]);
  }
  if (is_tuple) made->instance().form = InstanceForm::NamedTuple;
  if (find_member(cls, "__init__") != nullptr) {
    bool found = false;
    call_method_named(made, "__init__", arguments, node, found);
    return made;
  }
  // Fields of a dataclass or a named tuple, those of bases first.
  const auto splat = std::ranges::find_if(arguments.positional, is_splat);
  arguments.positional.erase(splat, arguments.positional.end());
  size_t next = 0;
  for (auto base = order.rbegin(); base != order.rend(); ++base) {
    if (!(*base)->is(ValueKind::Class)) continue;
    for (const std::string_view field : (*base)->cls().fields) {
      step();
      Value value = nullptr;
      if (next < arguments.positional.size()) {
        value = arguments.positional[next++];
      } else {
        for (const auto& [name, named] : arguments.named) {
          if (name == field) value = named;
        }
      }
      if (value == nullptr && !arguments.has_more) {
        const Value member = find_member(cls, field);
        value = member == nullptr ? nullptr : local(member);
      }
      if (value == nullptr) value = arena_.unknown();
      made->attributes.emplace_back(field, value);
    }
  }
  if (cls->cls().is_dataclass || is_tuple) {
    bool found = false;
    if (find_member(cls, "__post_init__") != nullptr)
      call_method_named(made, "__post_init__", {}, node, found);
  }
  return made;
}

Value Interpreter::call_method_named(Value value, std::string_view name, Arguments arguments,
                                     uint32_t node, bool& found) {
  found = false;
  if (!value->is(ValueKind::Instance) && !value->is(ValueKind::Module)) return arena_.unknown();
  const Value cls = class_of(value);
  const Value member = find_member(cls, name);
  if (member == nullptr) return arena_.unknown();
  found = true;
  if (!member->is(ValueKind::Function)) return call(member, arguments, node);
  if (!member->function().is_static)
    arguments.positional.insert(arguments.positional.begin(), value);
  return call(member, arguments, node);
}

}  // namespace etlens::recover
