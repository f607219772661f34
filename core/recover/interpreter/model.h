// SPDX-License-Identifier: Apache-2.0
// Model: what the modules of the model are and hold, as far as a run asks: from the record, and from
// what the sources say where they make them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/recover/interpreter/task.h"

namespace etlens::recover {

class Evaluator;

class Model {
 public:
  explicit Model(Evaluator& run) : run_(run) {}

  // A name inside a constructor of which nothing is run: parameters are unknowns, other names what
  // their only assignment says.
  Value initial_name(Environment& scope, std::string_view name);
  std::vector<Value> candidates_of(Value unknown);
  // Torch's layers that a parameter of a constructor may be.
  std::vector<Value> layers_of(Value unknown);
  // An unknown of which the sources say what it may be becomes one of these, or stays unknown.
  Value settled(Value value);
  const GivenValues& given_by_callers(Value cls, std::string_view parameter);
  // What a run assigns to an attribute of a module.
  void set_module_attribute(Value module, std::string_view name, Value item);
  // The class of a module of the model: as the record says, or as the constructor around it makes it.
  Value class_of_module(const std::string& path);
  Value module_attribute(Value module, std::string_view name, uint32_t node);
  // Its constructor gives the attribute a value whatever it is given.
  bool is_always_set(Value module, std::string_view name);
  // A member of a module whose name is unknown: the child that is called next, or a method; where
  // the name begins with something, one that begins so. Null if it stays open.
  Value named_member(Value open, uint32_t node);
  // The same as a text that is equal for what is equal; "" if it is unknown.
  std::string construction_text(const std::string& path);

 private:
  const std::vector<Value>& classes_that_hold(const ModelModule& module);
  Value uncalled_class(Value module, std::string_view member);
  Value initial_parameter(Environment& scope, std::string_view name);
  Environment* initial_scope(Value module, Value init);
  bool is_own_target(const Environment& scope, uint32_t target, Value module,
                     std::string_view name) const;
  Value initial_value(Environment& scope, uint32_t assignment, Value module, std::string_view name);
  std::vector<Value> initial_values(Value module, Value init, std::string_view name);
  void add_initial_values(Environment& scope, Value module, std::string_view name,
                          std::vector<Value>& found);
  void add_values_of_method(Environment& scope, uint32_t call, Value module, std::string_view name,
                            std::vector<Value>& found);
  void add_reassigned(Environment& scope, Value parameter);
  Value initial_attribute(Value module, Value cls, std::string_view name);
  Value held_elsewhere(Value module, std::string_view name);
  Value one_of(const std::vector<Value>& found, Value module, std::string_view name);
  Value module_class_given(Value parameter);
  Value size_of_layer(const std::string& path, std::string_view name);
  Value construction_of(const std::string& path);
  bool bind_construction(Value module, Value init, Environment* scope);

  Evaluator& run_;
  std::map<std::string, Value, std::less<>> module_attributes_;  // by dotted path
  std::map<std::pair<std::string, Value>, Environment*> initial_scopes_;
  std::set<std::pair<std::string, std::string>> in_progress_;   // attributes and methods, by path
  std::map<std::string, Value, std::less<>> instance_modules_;  // classes, by path
};

}  // namespace etlens::recover
