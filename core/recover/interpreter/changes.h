// SPDX-License-Identifier: Apache-2.0
// Changes: which names and attributes the sources give other values, or other content, later than
// where the interpreter reads them. A file is read as its top level leaves it and a module as its
// constructor does: whether any other function ran, which changes something, is unknown.
#pragma once

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/source/python/python_tree.h"

namespace etlens::recover {

class Changes {
 public:
  // Reads a file; its tree outlives this.
  void add(const PythonTree& tree);

  // A name of a file, or of a function around others.
  bool changes_name(std::string_view name);
  // An attribute of a module of the model. `classes`: names of its class and the bases of that.
  bool changes_member(std::string_view name, const std::vector<std::string_view>& classes);
  // Of a class, or of an object that the top level of a file made.
  bool changes_attribute(std::string_view name, const std::vector<std::string_view>& classes);
  // Some constructor, or another function, assigns an attribute of that name.
  bool assigns_attribute(std::string_view name) const { return assigned_.contains(name); }

 private:
  friend class ChangesOfFile;

  struct Function {
    std::string_view name;
    std::string_view cls;  // whose body defines it
    uint32_t outer = kNone;
  };
  struct Change {
    std::string_view name;
    uint32_t function = kNone;  // kNone: the top level
    bool is_attribute = false;
    bool is_own = false;   // of self
    bool is_fill = false;  // its content
  };
  struct Mention {
    uint32_t function = kNone;  // that it stands in
    bool is_member = false;     // a.name, where a is no file
  };
  // By attribute: the classes whose self it is; "" for any object.
  using Attributes = std::unordered_map<std::string_view, std::set<std::string_view>>;

  void settle();
  void find_early(std::set<std::string_view>& early) const;
  bool is_early(const std::set<std::string_view>& early, uint32_t function) const;
  bool is_inside(uint32_t function, std::string_view name) const;

  std::vector<Function> functions_;
  std::vector<Change> changes_;
  std::unordered_map<std::string_view, std::vector<Mention>> mentions_;
  std::unordered_map<std::string_view, std::string_view> aliases_;  // import a as b
  std::set<std::string_view> assigned_;
  std::set<std::string_view> names_;
  Attributes of_modules_;
  Attributes of_others_;
  bool is_settled_ = true;
};

}  // namespace etlens::recover
