// SPDX-License-Identifier: Apache-2.0
// What a value may be that a constructor was given: what the sources give where they make the
// class. Others may have given something else.
#include <algorithm>

#include "core/base/budget.h"
#include "core/recover/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxCandidates = 16;
constexpr int kMaxLikelyDepth = 6;
constexpr double kNoCandidate = 1.2;
constexpr size_t kMaxNestedClasses = 64;  // that give each other what they were given

}  // namespace

// A value of the sources that others may have set otherwise: its constants are only likely.
Value Interpreter::likely(Value value, int depth) {
  step();
  if (depth > kMaxLikelyDepth || value->is(ValueKind::Unknown)) return value;
  if (is_constant(value) || is_enum_member(value)) {
    const Value open = arena_.unknown();
    open->items = {value};
    return open;
  }
  if (value->is(ValueKind::Instance)) {
    const Value made = arena_.make(ValueKind::Instance);
    made->items = value->items;
    made->text = value->text;
    for (const auto& [name, item] : value->attributes)
      made->attributes.emplace_back(name, likely(item, depth + 1));
    return made;
  }
  const bool is_container =
      value->is(ValueKind::Tuple) || value->is(ValueKind::List) || value->is(ValueKind::Dict);
  if (!is_container) return value;
  const Value made = arena_.make(value->kind);
  made->items = value->items;
  made->is_open = value->is_open;
  // Keys are what they are, and so is what a container lists by name.
  const auto likely_item = [&](Value item) {
    return is_enum_member(item) ? item : likely(item, depth + 1);
  };
  if (!value->is(ValueKind::Dict)) {
    for (Value& item : made->items) item = likely_item(item);
  }
  for (const Value item : value->values) made->values.push_back(likely_item(item));
  return made;
}

std::vector<Value> Interpreter::candidates_of(Value unknown) {
  if (!unknown->is(ValueKind::Unknown) || !unknown->values.empty()) return {};
  if (unknown->items.empty() && unknown->is_parameter && unknown->owner != nullptr)
    return given_by_callers(unknown->owner, unknown->text).values;
  return unknown->items;
}

// Torch's layers that a parameter of a constructor may be.
std::vector<Value> Interpreter::layers_of(Value unknown) {
  if (!unknown->is(ValueKind::Unknown) || !unknown->is_parameter || unknown->owner == nullptr)
    return {};
  return given_by_callers(unknown->owner, unknown->text).layers;
}

Value Interpreter::settled(Value value) {
  if (is_quiet() || stopped_ || choices_ == nullptr || !value->is(ValueKind::Unknown)) return value;
  const std::vector<Value> candidates = candidates_of(value);
  value->owner = value->is_parameter ? nullptr : value->owner;
  if (candidates.empty()) return value;
  const auto pick = choose_or_none(std::vector<double>(candidates.size(), 0), kNoCandidate);
  value->items.clear();
  if (pick) become(value, local(candidates[*pick]));
  return value;
}

// Where an expression of a constructor stands: its names are asked for one by one. What stands
// elsewhere sees its file.
Environment* Interpreter::scope_around(SourceFile* file, uint32_t node) {
  const PythonTree& tree = *file->tree;
  uint32_t cls = kNone;
  uint32_t function = kNone;
  for (uint32_t n = 0; n < node; ++n) {
    step();
    if (tree[n].end_child <= node) {
      n = tree[n].end_child - 1;  // does not hold it
    } else if (tree[n].kind == K::ClassDefinition && cls == kNone) {
      cls = n;
    } else if (tree[n].kind == K::FunctionDefinition && function == kNone) {
      function = n;
    }
  }
  if (function == kNone) return file->globals;
  const std::string_view name = tree.text(tree.child(function, F::Name));
  Value around = nullptr;
  if (cls == kNone || cls > function) {
    around = file->globals->find(name);
  } else {
    const Value owner = file->globals->find(tree.text(tree.child(cls, F::Name)));
    if (owner == nullptr || !owner->is(ValueKind::Class) || owner->node != cls)
      return file->globals;
    around = own_attribute(owner, name);
  }
  if (around == nullptr || !around->is(ValueKind::Function) || around->node != function)
    return file->globals;
  Environment* const scope = arena_.environment(around->environment, file);
  scope->is_initial = true;
  scope->owner = around;
  return scope;
}

// What callers of a class in the sources give for a parameter of its constructor, and its default:
// what can be called, texts and containers. Constants in containers are only likely.
const GivenValues& Interpreter::given_by_callers(Value cls, std::string_view parameter) {
  const auto [at, is_new] = caches_.candidates.try_emplace({cls, std::string(parameter)});
  GivenValues& given_values = at->second;
  if (!is_new || caches_.open_candidates >= kMaxNestedClasses) return given_values;
  std::vector<Value> found;
  Interpreter shared(sources_, caches_, sources_.arena(), nullptr, nullptr);
  const auto add_layer = [&](Value type) {
    std::vector<Value>& layers = given_values.layers;
    const bool is_known = std::any_of(layers.begin(), layers.end(),
                                      [&](Value known) { return known->text == type->text; });
    if (!is_known && layers.size() < kMaxCandidates) layers.push_back(type);
  };
  const auto add = [&](Value value, auto&& self) -> void {
    if (value == nullptr || found.size() >= kMaxCandidates) return;
    switch (value->kind) {
      case ValueKind::Unknown:
        if (value->values.empty()) {
          for (const Value one : value->items) self(one, self);
        }
        return;
      case ValueKind::External:
        if (!value->text.starts_with("torch.")) return;
        break;
      case ValueKind::Instance:
        if (!value->items[0]->is(ValueKind::Class)) {
          add_layer(value->items[0]);
          return;
        }
        if (is_module_class(value->items[0])) {
          std::vector<Value>& modules = given_values.modules;
          if (std::find(modules.begin(), modules.end(), value->items[0]) == modules.end())
            modules.push_back(value->items[0]);
          return;
        }
        value = shared.likely(value);
        break;
      case ValueKind::Function:
      case ValueKind::Partial:
      case ValueKind::Text:
        break;
      case ValueKind::Dict:
      case ValueKind::List:
      case ValueKind::Tuple:
        value = shared.likely(value);
        break;
      default:
        return;
    }
    for (const Value known : found) {
      if (is_same_value(known, value)) return;
    }
    found.push_back(value);
  };
  Value owner = nullptr;
  const Value init = find_member(cls, "__init__", &owner);
  if (init == nullptr || !init->is(ValueKind::Function)) return given_values;
  // The parameter's place among the arguments.
  const PythonTree& own = *init->file->tree;
  const uint32_t parameters = own.child(init->node, F::Parameters);
  size_t place = SIZE_MAX;
  size_t number = 0;
  for (uint32_t p = parameters == kNone ? kNone : own[parameters].first_child; p != kNone;
       p = own[p].next, ++number) {
    uint32_t name = own.child(p, F::Name);
    if (name == kNone) name = own[p].kind == K::TypedParameter ? own[p].first_child : p;
    if (name == kNone || own.text(name) != parameter) continue;
    place = number;
    if (number < init->items.size()) add(init->items[number], add);
  }
  ++caches_.open_candidates;
  for (SourceFile* file : sources_.opened()) {
    const PythonTree& tree = *file->tree;
    const std::string_view text = tree.document->text();
    if (text.find(cls->text) == std::string_view::npos && file != cls->file) continue;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != K::Call) continue;
      uint32_t function = tree.child(n, F::Function);
      if (function == kNone) continue;
      const bool is_super =
          tree.text(function).starts_with("super(") && tree.text(function).ends_with(".__init__");
      if (tree[function].kind == K::Attribute) function = tree.child(function, F::Attribute);
      const uint32_t list = tree.child(n, F::Arguments);
      if (function == kNone || list == kNone) continue;
      if (!is_super && tree.text(function) != cls->text) continue;
      Interpreter apart(sources_, caches_, sources_.arena(), nullptr, nullptr);
      apart.quiet_ = 1;
      apart.scope_ = apart.scope_around(file, n);
      if (is_super) {
        // The constructor of a class that derives from this one.
        const Value inner = apart.scope_->owner;
        if (inner == nullptr || inner->owner == nullptr || inner->owner == cls) continue;
        const std::vector<Value> order = bases_in_order(inner->owner);
        if (std::find(order.begin(), order.end(), cls) == order.end()) continue;
      }
      size_t position = 1;  // behind self
      for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next, ++position) {
        uint32_t expression = kNone;
        if (tree[c].kind == K::KeywordArgument) {
          if (tree.text(tree.child(c, F::Name)) == parameter) expression = tree.child(c, F::Value);
        } else if (tree[c].kind == K::DictionarySplat) {
          const Value rest = apart.eval(tree[c].first_child);
          for (size_t i = 0; i < rest->values.size() && i < rest->items.size(); ++i) {
            if (rest->items[i]->is(ValueKind::Text) && rest->items[i]->text == parameter)
              add(rest->values[i], add);
          }
        } else if (position == place) {
          expression = c;
        }
        if (expression == kNone) continue;
        const Value given = apart.eval(expression);
        add(given, add);
        for (const Value one : apart.candidates_of(given)) add(one, add);
        for (const Value type : apart.layers_of(given)) add_layer(type);
      }
    }
  }
  --caches_.open_candidates;
  given_values.values = std::move(found);
  if (given_values.modules.empty()) {
    const Value named = annotated_class(init, parameter);
    if (named != nullptr && is_module_class(named)) given_values.modules.push_back(named);
  }
  return given_values;
}

// A class of the sources whose superclasses name this one.
bool Interpreter::has_derived(Value cls) const {
  for (const SourceFile* file : sources_.opened()) {
    const PythonTree& tree = *file->tree;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != K::ClassDefinition) continue;
      const uint32_t bases = tree.child(n, F::Superclasses);
      if (bases != kNone && tree.text(bases).find(cls->text) != std::string_view::npos) return true;
    }
  }
  return false;
}

// The class that a parameter's annotation names, if nothing else can be given for it.
Value Interpreter::annotated_class(Value init, std::string_view parameter) {
  const PythonTree& tree = *init->file->tree;
  const uint32_t parameters = tree.child(init->node, F::Parameters);
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next) {
    if (tree[p].kind != K::TypedParameter || tree.text(tree[p].first_child) != parameter) continue;
    const uint32_t type = tree.child(p, F::Type);
    const Value cls = init->file->globals->find(tree.text(type));
    if (cls == nullptr || !cls->is(ValueKind::Class) || has_derived(cls)) return nullptr;
    return cls;
  }
  return nullptr;
}

// The class of the module that a constructor is given: the only one that callers make for it, or
// where none is seen the annotated one. Null if nobody knows.
Value Interpreter::module_class_given(Value parameter) {
  if (!parameter->is(ValueKind::Unknown) || !parameter->is_parameter ||
      parameter->owner == nullptr || !parameter->owner->is(ValueKind::Class)) {
    return nullptr;
  }
  const GivenValues& given = given_by_callers(parameter->owner, parameter->text);
  return given.values.empty() && given.modules.size() == 1 ? given.modules[0] : nullptr;
}

}  // namespace etlens::recover
