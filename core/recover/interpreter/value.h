// SPDX-License-Identifier: Apache-2.0
// Value: what an expression may be while source is run without its numbers. A tensor is the set of
// values of the record that it may be; anything else that is not known is an unknown with an identity,
// so that it gives one answer within a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/recover/interpreter/payload.h"

namespace etlens::recover {

// A value of Python's. Each accessor is for values of its kind alone, and ends the program for
// others.
struct Object {
  using Payload =
      std::variant<payload::Unknown, payload::None, payload::Bool, payload::Int, payload::Float,
                   payload::Text, payload::Ellipsis, payload::Slice, payload::Tuple, payload::List,
                   payload::Dict, payload::Function, payload::Method, payload::Partial,
                   payload::Class, payload::Instance, payload::Super, payload::Module,
                   payload::Tensor, payload::External, payload::File, payload::Lazy>;

  Payload payload;
  bool is_shared = false;  // of all runs: a run works on a copy
  // Those of Python, and what a run found out or took for true: "__bool__", "#0" (an item).
  std::vector<std::pair<std::string_view, Value>> attributes;

  Object() = default;
  template <typename T>
  Object(T&& made, bool shared)
      : payload(std::in_place_type<std::decay_t<T>>, std::forward<T>(made)), is_shared(shared) {}

  ValueKind kind() const { return static_cast<ValueKind>(payload.index()); }
  bool is(ValueKind k) const { return kind() == k; }

  template <typename T>
  T& as() {
    T* const found = std::get_if<T>(&payload);
    if (found == nullptr) has_other_kind();
    return *found;
  }
  payload::Unknown& unknown() { return as<payload::Unknown>(); }
  payload::Slice& slice() { return as<payload::Slice>(); }
  payload::Dict& dict() { return as<payload::Dict>(); }
  payload::Function& function() { return as<payload::Function>(); }
  payload::Method& method() { return as<payload::Method>(); }
  payload::Partial& partial() { return as<payload::Partial>(); }
  payload::Class& cls() { return as<payload::Class>(); }
  payload::Instance& instance() { return as<payload::Instance>(); }
  payload::Super& super() { return as<payload::Super>(); }
  payload::Tensor& tensor() { return as<payload::Tensor>(); }
  payload::Lazy& lazy() { return as<payload::Lazy>(); }
  double number() { return as<payload::Float>().value; }
  const std::string& text() { return as<payload::Text>().text; }
  std::string& path() { return as<payload::Module>().path; }
  const std::string& name() { return as<payload::External>().name; }
  SourceFile* file() { return as<payload::File>().file; }
  // Of an integer or a truth.
  int64_t integer() {
    const auto* const truth = std::get_if<payload::Bool>(&payload);
    return truth != nullptr ? truth->value : as<payload::Int>().value;
  }
  // Of a tuple or a list.
  std::vector<Value>& items() {
    auto* const tuple = std::get_if<payload::Tuple>(&payload);
    return tuple != nullptr ? tuple->items : as<payload::List>().items;
  }

 private:
  [[noreturn]] static void has_other_kind();
};

// What an import of a file gives to a name once the name is asked for.
struct OpenImport {
  std::string_view name;
  const SourceFile* from = nullptr;  // `from file import *`; null: what the statement says
  uint32_t statement = kNone;
  uint32_t item = kNone;  // of the statement
};

// Names of a function call, a file or a class body.
struct Environment {
  Environment* outer = nullptr;
  SourceFile* file = nullptr;
  bool is_class_body = false;
  bool is_shared = false;   // of all runs: what a run assigns is not kept there
  bool is_initial = false;  // of a constructor that is only asked for single attributes
  Value owner = nullptr;    // the class whose method runs, for super()
  Value self = nullptr;
  std::vector<std::pair<std::string_view, Value>> names;
  std::vector<std::string_view> outer_names;  // declared global or nonlocal
  std::vector<OpenImport> open_imports;       // of a file; none of them is in `names`

  Value find(std::string_view name) const {
    for (auto at = names.rbegin(); at != names.rend(); ++at) {
      if (at->first == name) return at->second;
    }
    return nullptr;
  }
  void set(std::string_view name, Value value) {
    if (!open_imports.empty())
      std::erase_if(open_imports, [&](const OpenImport& open) { return open.name == name; });
    for (auto& [known, old] : names) {
      if (known == name) {
        old = value;
        return;
      }
    }
    names.emplace_back(name, value);
  }
};

// Owns values; they live as long as it does.
class Arena {
 public:
  explicit Arena(bool is_shared = false) : is_shared_(is_shared) {}
  bool is_shared() const { return is_shared_; }
  template <typename T>
  Value make(T payload = {}) {
    if (objects_.empty() || objects_.back().size() == objects_.back().capacity()) grow();
    Object& object = objects_.back().emplace_back(std::move(payload), is_shared_);
    return &object;
  }
  Environment* environment(Environment* outer, SourceFile* file) {
    Environment& made = environments_.emplace_back();
    made.outer = outer;
    made.file = file;
    made.is_shared = is_shared_;
    return &made;
  }
  Value integer(int64_t number);
  Value number(double number);
  Value boolean(bool truth);
  Value string(std::string_view text);
  Value external(std::string_view name);
  Value tuple(std::vector<Value> items = {}) { return make(payload::Tuple{std::move(items)}); }
  Value list(std::vector<Value> items = {}) { return make(payload::List{std::move(items)}); }
  Value dict() { return make(payload::Dict{}); }
  // A tuple, or a list.
  Value sequence(ValueKind kind, std::vector<Value> items);
  Value method(Value function, Value self) { return make(payload::Method{function, self}); }
  // A method of Python's or torch's, by its dotted name.
  Value method(std::string_view name, Value self) { return method(external(name), self); }
  Value instance(Value cls) { return make(payload::Instance{.cls = cls}); }
  Value module(std::string path) { return make(payload::Module{std::move(path)}); }
  Value tensor(TensorState state, std::vector<uint32_t> names = {});
  Value none() { return make(payload::None{}); }
  Value unknown() { return make(payload::Unknown{}); }
  // One of these.
  Value one_of(std::vector<Value> candidates) {
    return make(payload::Unknown{.candidates = std::move(candidates)});
  }
  Value unknown_from(payload::Origin origin) {
    return make(payload::Unknown{.origin = std::move(origin)});
  }
  // Keeps the text: for names that no document holds.
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

 private:
  void grow();

  bool is_shared_;
  std::vector<std::vector<Object>> objects_;  // blocks that never grow beyond what they reserve
  std::deque<Environment> environments_;
  std::deque<std::string> texts_;
};

// An attribute of the value itself; null without.
Value own_attribute(Value value, std::string_view name);
// A tuple or a list.
inline bool is_sequence(Value value) {
  return value->is(ValueKind::Tuple) || value->is(ValueKind::List);
}
// What a child returned.
inline bool is_from_module(Value value) {
  return value->is(ValueKind::Tensor) && value->tensor().from_module;
}
// Several results of one operator.
inline bool is_multiple(Value value) {
  return value->is(ValueKind::Tensor) && value->tensor().is_multiple;
}
// Where the unknown comes from; null for other values, and for others that it comes from.
template <typename T>
T* origin_of(Value value) {
  auto* const unknown = std::get_if<payload::Unknown>(&value->payload);
  return unknown == nullptr ? nullptr : std::get_if<T>(&unknown->origin);
}
// An unknown that is one of several values.
bool has_candidates(Value value);
// slice(None)
bool is_full_slice(Value value);
// What it is called: a class, a function, what no source defines, a module, a parameter; of a text
// itself, as far as it is known. "" for others.
std::string_view label_of(Value value);
// Calls `each` with the values that it holds, but for its attributes.
template <typename Each>
void each_part(Object& object, const Each& each);
// The same in a row; of an unknown also those that say where it comes from.
std::vector<Value> parts_of(Value value);
// One of torch's modules that hold no more than operators, for quantization to replace.
bool is_operator_holder(Value value);
// An integer, a float or a truth; and what it counts as.
bool is_number(Value value);
double as_double(Value value);
// A number, a text, a truth or None.
bool is_constant(Value value);
// Of an enumeration of the sources.
bool is_enum_member(Value value);
// What a run may learn more of, or change.
bool may_change(ValueKind kind);
// Tensors and containers of them as own copies: what a run learns of them is its own.
Value copy_of(Arena& arena, Value value);
// Whether two values say the same, as far as a child module is concerned.
bool is_same_value(Value a, Value b);
// Whether two lists of values of the record have one in common.
bool holds_any(std::span<const uint32_t> values, std::span<const uint32_t> wanted);
// The tensors and unknowns in a value, containers entered.
void collect_tensors(Value value, std::vector<Value>& tensors);

template <typename Each>
void each_part(Object& object, const Each& each) {
  const auto all = [&](std::vector<Value>& values) {
    for (Value& value : values) each(value);
  };
  switch (object.kind()) {
    case ValueKind::Unknown:
      return all(object.unknown().candidates);
    case ValueKind::Slice:
      each(object.slice().start);
      each(object.slice().stop);
      each(object.slice().step);
      return;
    case ValueKind::Tuple:
    case ValueKind::List:
      return all(object.items());
    case ValueKind::Dict:
      all(object.dict().keys);
      all(object.dict().values);
      if (object.dict().factory != nullptr) each(object.dict().factory);
      return;
    case ValueKind::Function:
      return all(object.function().defaults);
    case ValueKind::Method:
      each(object.method().function);
      each(object.method().self);
      return;
    case ValueKind::Partial:
      each(object.partial().function);
      all(object.partial().positional);
      for (auto& [name, value] : object.partial().named) each(value);
      return;
    case ValueKind::Class:
      return all(object.cls().bases);
    case ValueKind::Instance: {
      payload::Instance& instance = object.instance();
      for (Value* part : {&instance.cls, &instance.positional, &instance.named, &instance.held}) {
        if (*part != nullptr) each(*part);
      }
      return;
    }
    case ValueKind::Super:
      each(object.super().cls);
      each(object.super().self);
      return;
    case ValueKind::Lazy:
      return all(object.lazy().items);
    default:
      return;
  }
}

}  // namespace etlens::recover
