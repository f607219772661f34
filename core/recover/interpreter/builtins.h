// SPDX-License-Identifier: Apache-2.0
// Builtins: Python's own functions, a row and a method each. What is not known of what they are
// given, they do not know either.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

// One call.
class Builtins {
 public:
  Builtins(Evaluator& run, std::string_view name, Arguments& arguments, uint32_t node)
      : run_(run),
        arena_(run.arena),
        name_(name),
        arguments_(arguments),
        given_(arguments.positional),
        node_(node) {}

  Value call();

 private:
  static constexpr size_t kAny = SIZE_MAX;
  struct Row {
    std::string_view name;
    size_t least;  // positional arguments that it takes
    size_t most;
    Value (Builtins::*make)();
  };

  // What walks through items.
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
  // What asks objects.
  Value is_instance();
  Value is_callable();
  Value get_attribute();
  Value has_attribute();
  Value set_attribute();
  Value super();
  Value type();
  // What computes.
  Value number();
  Value rounded();
  Value power();
  Value divided();
  Value slice();
  Value text();

  Value unknown() { return arena_.unknown(); }
  Value open_member();
  bool is_named(std::string_view name) const { return name_ == name; }

  Evaluator& run_;
  Arena& arena_;
  std::string_view name_;
  Arguments& arguments_;
  std::vector<Value>& given_;
  uint32_t node_;
};

}  // namespace etlens::recover
