// SPDX-License-Identifier: Apache-2.0
// What a value may be: its kinds, and for each kind what is known of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/id.h"

namespace etlens::recover {

struct Object;
struct Environment;
struct SourceFile;
using Value = Object*;

// In the order of Object::Payload.
enum class ValueKind : uint8_t {
  Unknown,
  None,
  Bool,
  Int,
  Float,
  Text,
  Ellipsis,
  Slice,
  Tuple,
  List,  // sets as well
  Dict,
  Function,
  Method,
  Partial,
  Class,
  Instance,
  Super,
  Module,
  Tensor,
  External,
  File,
  Lazy,
};

// Each gives its items once.
enum class LazyKind : uint8_t { Generator, Expression, Map, Zip, Enumerate, Filter, Iterator };

// How far a generator was walked.
enum class GeneratorState : uint8_t { NotBegun, Begun, Ended };

enum class TensorState : uint8_t {
  Known,     // one of names
  Any,       // bound by its first use
  Constant,  // folded away: no node makes it
  Dead,      // its nodes are not in the record: nothing may use it
};

// What makes an instance more than an object with attributes.
enum class InstanceForm : uint8_t { Plain, NamedTuple, EnumMember };

// What a value is, by its kind.
namespace payload {

using Named = std::vector<std::pair<std::string_view, Value>>;

// Where an unknown comes from, if that says something of it.
struct Parameter {      // of a constructor
  Value cls = nullptr;  // the class whose callers may be asked; null: not any more
  std::string name;
};
struct MemberOf {  // `name` of an object: called, it is a method
  Value object = nullptr;
  std::string name;
};
struct NamedMember {  // getattr(module, name) with an unknown name
  Value module = nullptr;
  Value name = nullptr;
};
struct Beginning {  // a text of which no more is known
  std::string text;
};
struct Counting {  // range(first, …) with an unknown end
  Value first = nullptr;
};
struct Unpacked {  // f(*values): stands for all that they hold
  Value values = nullptr;
};
struct SizeOf {  // of a value of the record: a number that only a run of the program knows
  uint32_t value = 0;
  size_t dim = 0;
};
using Origin = std::variant<std::monostate, Parameter, MemberOf, NamedMember, Beginning, Counting,
                            Unpacked, SizeOf>;

struct Unknown {
  std::vector<Value> candidates;  // what it may be, where the sources say so
  Value key = nullptr;            // they are what a dictionary holds, and this unknown is the key
  Origin origin;
};
struct None {};
struct Bool {
  int64_t value = 0;
};
struct Int {
  int64_t value = 0;
};
struct Float {
  double value = 0;
};
struct Text {
  std::string text;
};
struct Ellipsis {};
struct Slice {
  Value start = nullptr;
  Value stop = nullptr;
  Value step = nullptr;
};
struct Tuple {
  std::vector<Value> items;
};
struct List {
  std::vector<Value> items;
};
struct Dict {
  std::vector<Value> keys;
  std::vector<Value> values;  // one per key
  Value factory = nullptr;    // called for keys that are missing
  bool is_open = false;       // it may hold more keys
};
struct Function {
  SourceFile* file = nullptr;
  uint32_t node = kNone;
  Environment* environment = nullptr;  // that it was defined in
  std::string_view name;
  std::vector<Value> defaults;  // one per parameter; null without
  Value owner = nullptr;        // the class whose body defines it
  Value wraps = nullptr;        // what a decorator was given that made this one
  bool is_property = false;
  bool is_static = false;
  bool is_class_method = false;
  bool is_wrapped = false;  // by an unknown decorator
};
struct Method {
  Value function = nullptr;
  Value self = nullptr;
};
struct Partial {
  Value function = nullptr;
  std::vector<Value> positional;
  Named named;
};
struct Class {
  SourceFile* file = nullptr;
  uint32_t node = kNone;
  std::string_view name;
  std::vector<Value> bases;
  std::vector<std::string_view> fields;  // of a dataclass or a named tuple, in order
  Named members;                         // of an enumeration: those that were asked for
  bool is_dataclass = false;
};
struct Instance {
  Value cls = nullptr;  // of the sources, or an External
  InstanceForm form = InstanceForm::Plain;
  Value held = nullptr;  // what an object that is a dictionary holds
  // What its constructor was given, if that is known: a tuple and a dictionary by name.
  Value positional = nullptr;
  Value named = nullptr;
};
struct Super {
  Value cls = nullptr;  // members are looked up behind it
  Value self = nullptr;
};
struct Module {
  std::string path;  // in the model
};
struct Tensor {
  TensorState state = TensorState::Any;
  bool is_multiple = false;     // several results of one operator, in `parts`
  bool from_module = false;     // what a child returned; may be a container of tensors
  bool is_field = false;        // one of what a child returned; which one is unknown
  bool has_open_sizes = false;  // a view without a node: its names are those of its whole
  bool is_updated = false;      // written to: what reads a view of it makes that again
  std::vector<uint32_t> names;  // values of the record, as GraphUnits numbers them
  std::vector<uint32_t> parts;
  Value base = nullptr;  // what it is a view of, in this run
};
struct External {
  std::string name;  // dotted, of what no source of the project defines
};
struct File {
  SourceFile* file = nullptr;  // a module of the project
};
struct Lazy {
  LazyKind kind = LazyKind::Generator;
  GeneratorState state = GeneratorState::NotBegun;
  bool is_open = false;      // Enumerate: it counts from an unknown number
  int64_t next = 0;          // Iterator: the next item's place; Enumerate and Zip: its number
  std::vector<Value> items;  // what it is made of; Iterator: what it gives
  SourceFile* file = nullptr;
  uint32_t node = kNone;
  Environment* environment = nullptr;
};

}  // namespace payload

}  // namespace etlens::recover
