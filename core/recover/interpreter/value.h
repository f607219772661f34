// SPDX-License-Identifier: Apache-2.0
// Value: what an expression may be while source is run without its numbers. A tensor is the set of
// values of the record that it may be; what nobody can know is an unknown with an identity, so that
// it gives one answer within a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/id.h"

namespace etlens::recover {

struct Object;
struct Environment;
struct SourceFile;
using Value = Object*;

enum class ValueKind : uint8_t {
  Unknown,
  None,
  Bool,   // integer
  Int,    // integer
  Float,  // number
  Text,   // text
  Ellipsis,
  Slice,     // items: start, stop, step
  Tuple,     // items
  List,      // items; sets as well
  Dict,      // items are the keys, values the values
  Function,  // file, node, environment; items: defaults in the order of the parameters
  Method,    // items: function, self
  Partial,   // items: function, then arguments; names and values: keyword arguments
  Class,     // file, node, text: name; items: bases; attributes
  Instance,  // of a class with source: items[0]; attributes
  Super,     // items: class behind which members are looked up, self
  Module,    // text: path in the model
  Tensor,
  External,  // text: dotted name of what no source of the project defines
  File,      // a module of the project
  Lazy,      // what is made while it is iterated; see LazyKind. Items: what it is made of
};

// Each gives its items once. Iterator: those of `items` from `integer` on.
enum class LazyKind : uint8_t { Generator, Expression, Map, Zip, Enumerate, Filter, Iterator };

// How far a generator was walked: `integer` of its value.
enum GeneratorState : int64_t { kNotBegun, kBegun, kEnded };

enum class TensorState : uint8_t {
  Known,     // one of names
  Any,       // bound by its first use
  Constant,  // folded away: no node makes it
  Dead,      // its nodes are not in the record: nothing may use it
};

struct Object {
  ValueKind kind = ValueKind::Unknown;
  TensorState state = TensorState::Any;
  LazyKind lazy = LazyKind::Generator;
  bool is_multiple = false;      // Tensor: several results of one operator, in `parts`
  bool from_module = false;      // Tensor: what a child returned; may be a container of tensors
  bool is_field = false;         // Tensor: one of what a child returned, nobody knows which
  bool is_property = false;      // Function
  bool is_static = false;        // Function
  bool is_class_method = false;  // Function
  bool is_shared = false;        // of all runs: a run works on a copy
  bool is_parameter = false;     // Unknown: came through a parameter of a constructor
  // Dict: may hold more keys. Function: nobody knows what decorates it. Lazy: nor what enumerate
  // counts from.
  bool is_open = false;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<Value> items;
  std::vector<Value> values;
  std::vector<std::pair<std::string_view, Value>> attributes;
  std::vector<uint32_t> names;  // Tensor: values of the record, as GraphUnits numbers them
  std::vector<uint32_t> parts;  // Tensor
  SourceFile* file = nullptr;
  uint32_t node = kNone;
  Environment* environment = nullptr;
  Value owner = nullptr;  // Function: the class whose body defines it
  Value base = nullptr;   // Tensor: what it is a view of, in this run

  bool is(ValueKind k) const { return kind == k; }
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

  Value find(std::string_view name) const {
    for (auto at = names.rbegin(); at != names.rend(); ++at) {
      if (at->first == name) return at->second;
    }
    return nullptr;
  }
  void set(std::string_view name, Value value) {
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
  Object* make(ValueKind kind) {
    if (objects_.empty() || objects_.back().size() == objects_.back().capacity()) {
      const size_t last = objects_.empty() ? kFirstObjects / 2 : objects_.back().size();
      objects_.emplace_back().reserve(std::min(last * 2, kMostObjects));
    }
    Object& object = objects_.back().emplace_back();
    object.kind = kind;
    object.is_shared = is_shared_;
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
  Value sequence(ValueKind kind, std::vector<Value> items);
  Value tensor(TensorState state, std::vector<uint32_t> names = {});
  Value none() { return make(ValueKind::None); }
  Value unknown() { return make(ValueKind::Unknown); }
  // Keeps the text: for names that no document holds.
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

 private:
  static constexpr size_t kFirstObjects = 16;
  static constexpr size_t kMostObjects = 1024;

  bool is_shared_;
  std::vector<std::vector<Object>> objects_;  // blocks that never grow beyond what they reserve
  std::deque<Environment> environments_;
  std::deque<std::string> texts_;
};

// An attribute of the value itself; null without.
Value own_attribute(Value value, std::string_view name);
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

}  // namespace etlens::recover
