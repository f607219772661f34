// SPDX-License-Identifier: Apache-2.0
// What callers of a class give for a parameter of its constructor.
#include <algorithm>
#include <utility>

#include "core/base/budget.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/scopes.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

Environment* scope_around(Evaluator& run, SourceFile* file, uint32_t node);

constexpr size_t kMaxCandidates = 16;
constexpr int kMaxGivenDepth = 6;
constexpr size_t kMaxNestedClasses = 64;  // that give each other what they were given

// What callers of a class in the sources give for a parameter of its constructor, and its default:
// what can be called, texts and containers. Constants in containers are only likely.
class Callers {
 public:
  // `init`: the constructor.
  Callers(Evaluator& run, Value cls, Value init, std::string_view parameter, GivenValues& given)
      : run_(run),
        shared_(run.sources, run.caches, run.sources.arena(), nullptr, nullptr),
        cls_(cls),
        init_(init),
        parameter_(parameter),
        given_(given) {}

  // A question that is asked again before the answer is complete gets only modules and layers.
  void find() {
    find_place();
    for (SourceFile* file : run_.sources.opened()) {
      const std::string_view text = file->tree->document->text();
      if (text.find(cls_->cls().name) != std::string_view::npos || file == cls_->cls().file)
        search(file);
    }
    given_.values = std::move(values_);
  }

 private:
  // The parameter's place among the arguments; its default is one of what it may be.
  void find_place() {
    const PythonTree& tree = *init_->function().file->tree;
    const uint32_t parameters = tree.child(init_->function().node, F::Parameters);
    size_t number = 0;
    for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
         p = tree[p].next, ++number) {
      uint32_t name = tree.child(p, F::Name);
      if (name == kNone) name = tree[p].kind == K::TypedParameter ? tree[p].first_child : p;
      if (name == kNone || tree.text(name) != parameter_) continue;
      place_ = number;
      if (number < init_->function().defaults.size()) add(init_->function().defaults[number]);
    }
  }

  void search(SourceFile* file) {
    const PythonTree& tree = *file->tree;
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
      if (!is_super && tree.text(function) != cls_->cls().name) continue;
      Evaluator apart(shared_.sources, shared_.caches, shared_.arena, nullptr, nullptr);
      apart.begin_apart(scope_around(apart, file, n));
      if (!is_super || derives(apart.scope()->owner)) read(tree, list, apart);
    }
  }

  // The constructor of a class that derives from this one.
  bool derives(Value constructor) {
    const Value owner = constructor == nullptr ? nullptr : constructor->function().owner;
    if (owner == nullptr || owner == cls_) return false;
    const std::vector<Value> order = bases_in_order(run_, owner);
    return std::find(order.begin(), order.end(), cls_) != order.end();
  }

  // What the arguments of one call give.
  void read(const PythonTree& tree, uint32_t list, Evaluator& apart) {
    size_t position = 1;  // behind self
    for (uint32_t c = tree[list].first_child; c != kNone; c = tree[c].next, ++position) {
      uint32_t expression = kNone;
      if (tree[c].kind == K::KeywordArgument) {
        if (tree.text(tree.child(c, F::Name)) == parameter_) expression = tree.child(c, F::Value);
      } else if (tree[c].kind == K::DictionarySplat) {
        const Value rest = eval(apart, tree[c].first_child);
        if (rest->is(ValueKind::Dict)) add_given(rest->dict());
      } else if (position == place_) {
        expression = c;
      }
      if (expression == kNone) continue;
      const Value given = eval(apart, expression);
      add(given);
      for (const Value one : apart.model.candidates_of(given)) add(one);
      for (const Value type : apart.model.layers_of(given)) add_layer(type);
    }
  }

  // f(**{"parameter": value})
  void add_given(const payload::Dict& named) {
    for (size_t i = 0; i < named.values.size() && i < named.keys.size(); ++i) {
      if (named.keys[i]->is(ValueKind::Text) && named.keys[i]->text() == parameter_)
        add(named.values[i]);
    }
  }

  void add(Value value, int depth = 0) {
    if (value == nullptr || values_.size() >= kMaxCandidates || depth > kMaxGivenDepth) return;
    switch (value->kind()) {
      case ValueKind::Unknown:
        if (value->unknown().key != nullptr) return;
        for (const Value one : value->unknown().candidates) add(one, depth + 1);
        return;
      case ValueKind::External:
        if (value->name().starts_with("torch.")) add_new(value);
        return;
      case ValueKind::Instance:
        if (!value->instance().cls->is(ValueKind::Class)) return add_layer(value->instance().cls);
        if (is_module_class(run_, value->instance().cls)) return add_module(value->instance().cls);
        return add_new(likely(shared_, value));
      case ValueKind::Function:
      case ValueKind::Partial:
      case ValueKind::Text:
        return add_new(value);
      case ValueKind::Dict:
      case ValueKind::List:
      case ValueKind::Tuple:
        return add_new(likely(shared_, value));
      default:
        return;
    }
  }

  void add_new(Value value) {
    const auto is_same = [&](Value known) { return is_same_value(known, value); };
    if (std::ranges::none_of(values_, is_same)) values_.push_back(value);
  }

  void add_module(Value cls) {
    if (std::ranges::find(given_.modules, cls) == given_.modules.end())
      given_.modules.push_back(cls);
  }

  void add_layer(Value type) {
    const auto is_same = [&](Value known) { return label_of(known) == label_of(type); };
    if (given_.layers.size() < kMaxCandidates && std::ranges::none_of(given_.layers, is_same))
      given_.layers.push_back(type);
  }

  Evaluator& run_;
  Evaluator shared_;  // makes values that all runs have
  Value cls_;
  Value init_;
  std::string_view parameter_;
  GivenValues& given_;
  std::vector<Value> values_;
  size_t place_ = SIZE_MAX;
};

// Where an expression of a constructor stands: its names are asked for one by one. What stands
// elsewhere sees its file.
Environment* scope_around(Evaluator& run, SourceFile* file, uint32_t node) {
  const PythonTree& tree = *file->tree;
  uint32_t cls = kNone;
  uint32_t function = kNone;
  for (uint32_t n = 0; n < node; ++n) {
    run.step();
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
    if (owner == nullptr || !owner->is(ValueKind::Class) || owner->cls().node != cls)
      return file->globals;
    around = own_attribute(owner, name);
  }
  if (around == nullptr || !around->is(ValueKind::Function) || around->function().node != function)
    return file->globals;
  Environment* const scope = run.arena.environment(around->function().environment, file);
  scope->is_initial = true;
  scope->owner = around;
  return scope;
}

// A class of the sources whose superclasses name this one.
bool has_derived(Evaluator& run, Value cls) {
  for (const SourceFile* file : run.sources.opened()) {
    const PythonTree& tree = *file->tree;
    for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
      go_on();
      if (tree[n].kind != K::ClassDefinition) continue;
      const uint32_t bases = tree.child(n, F::Superclasses);
      if (bases != kNone && tree.text(bases).find(cls->cls().name) != std::string_view::npos)
        return true;
    }
  }
  return false;
}

// The class that a parameter's annotation names, if nothing else can be given for it.
Value annotated_class(Evaluator& run, Value init, std::string_view parameter) {
  const PythonTree& tree = *init->function().file->tree;
  const uint32_t parameters = tree.child(init->function().node, F::Parameters);
  for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
       p = tree[p].next) {
    if (tree[p].kind != K::TypedParameter || tree.text(tree[p].first_child) != parameter) continue;
    const uint32_t type = tree.child(p, F::Type);
    const Value cls = find_name(run, *init->function().file->globals, tree.text(type));
    if (cls == nullptr || !cls->is(ValueKind::Class) || has_derived(run, cls)) return nullptr;
    return cls;
  }
  return nullptr;
}

}  // namespace

const GivenValues& Model::given_by_callers(Value cls, std::string_view parameter) {
  static const GivenValues kNothing;
  if (!cls->is_shared) return kNothing;  // made in a run: nothing of it is kept
  const auto [at, is_new] = run_.caches.candidates.try_emplace({cls, std::string(parameter)});
  GivenValues& given_values = at->second;
  if (!is_new || run_.caches.open_candidates >= kMaxNestedClasses) return given_values;
  const Value init = find_member(run_, cls, "__init__");
  if (init == nullptr || !init->is(ValueKind::Function)) return given_values;
  ++run_.caches.open_candidates;
  Callers(run_, cls, init, parameter, given_values).find();
  --run_.caches.open_candidates;
  if (given_values.modules.empty()) {
    const Value named = annotated_class(run_, init, parameter);
    if (named != nullptr && is_module_class(run_, named)) given_values.modules.push_back(named);
  }
  return given_values;
}

// The class of the module that a constructor is given: the only one that callers make for it, or
// where none is seen the annotated one. Null if it is unknown.
Value Model::module_class_given(Value parameter) {
  const auto* const origin = origin_of<payload::Parameter>(parameter);
  if (origin == nullptr || origin->cls == nullptr) return nullptr;
  const GivenValues& given = given_by_callers(origin->cls, origin->name);
  return given.values.empty() && given.modules.size() == 1 ? given.modules[0] : nullptr;
}

}  // namespace etlens::recover
