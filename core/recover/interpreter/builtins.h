// SPDX-License-Identifier: Apache-2.0
// Builtins: the functions of Python itself. Each has a row and a method, in a class by subject. An
// unknown argument gives an unknown result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// One call.
class BuiltinCall {
 public:
  BuiltinCall(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node)
      : run_(run),
        arena_(run.arena),
        name_(name),
        arguments_(arguments),
        given_(arguments.positional),
        node_(node) {}

 protected:
  static constexpr size_t kAny = SIZE_MAX;
  template <typename Subject>
  struct Row {
    std::string_view name;
    size_t least;  // positional arguments that it takes
    size_t most;
    Value (Subject::*make)();
  };

  // Null if no row has the name. Unknown if the row takes another number of arguments.
  template <typename Subject>
  Value call_row(Subject& subject, const auto& rows) {
    const auto* row = std::ranges::find(rows, name_, &Row<Subject>::name);
    if (row == rows.end()) return nullptr;
    if (given_.size() < row->least || given_.size() > row->most) return unknown();
    return (subject.*row->make)();
  }

  Value unknown() { return arena_.unknown(); }
  bool is_named(std::string_view name) const { return name_ == name; }

  Evaluator& run_;
  Arena& arena_;
  std::string_view name_;
  Arguments& arguments_;
  std::vector<Value>& given_;
  uint32_t node_;
};

// What walks through items.
class ItemBuiltins : BuiltinCall {
 public:
  explicit ItemBuiltins(const BuiltinCall& call) : BuiltinCall(call) {}
  Value call();  // null for a name of another subject

 private:
  Value range();
  Value length();
  Value container();
  Value iterator();
  Value reversed();
  Value dictionary();
  Value enumerated();
  Value zipped();
  Value next();
  Value sum();
  Value extreme();
  Value all_or_any();
};

// What asks objects.
class ObjectBuiltins : BuiltinCall {
 public:
  explicit ObjectBuiltins(const BuiltinCall& call) : BuiltinCall(call) {}
  Value call();  // null for a name of another subject

 private:
  Value is_instance();
  Value is_callable();
  Value open_member();
  Value get_attribute();
  Value has_attribute();
  Value set_attribute();
  Value super();
  Value type();
};

// What computes.
class ValueBuiltins : BuiltinCall {
 public:
  explicit ValueBuiltins(const BuiltinCall& call) : BuiltinCall(call) {}
  Value call();  // null for a name of another subject

 private:
  Value number();
  Value rounded();
  Value power();
  Value divided();
  Value slice();
  Value text();
};

}  // namespace etlens::recover
