// SPDX-License-Identifier: Apache-2.0
// OwnerFit: which function of the document may be the one that a recorded line was in, and how much
// it costs to believe so. What a record tells is the function's bare name and, for forward, the
// types of the modules that it ran for.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/source/anchor/anchor.h"
#include "core/source/anchor/source_index.h"

namespace etlens {

inline constexpr float kForbidden = 1e9f;

class OwnerFit {
 public:
  OwnerFit(const SourceIndex& index, const std::vector<RecordedLine>& lines);

  // Lines with equal numbers were recorded in functions of one name and one class.
  uint32_t owner_of(size_t line) const { return owner_of_line_[line]; }
  // In edits; 0 for the function itself, kForbidden where the line cannot be.
  float cost(uint32_t owner, uint32_t scope) const;
  // The only function that the owner can be, if there is just one; kNone otherwise.
  uint32_t only_scope(uint32_t owner) const { return owners_[owner].only; }
  // As it was recorded.
  std::string_view function_of(uint32_t owner) const { return owners_[owner].function; }
  // Whether some recorded line was in a function of this name: it is not a new one.
  bool is_recorded_name(std::string_view name) const {
    return recorded_names_.contains(hash_of(name));
  }

  enum class Relation { Same, Unknown, Different };
  // Whether two lines, `distance` apart, were in one function.
  Relation relation(uint32_t a, uint32_t b, uint32_t distance) const;

 private:
  struct Owner {
    std::string_view function;
    std::vector<std::string_view> classes;  // last components of the types, sorted
    bool is_special = false;                // <lambda> and the like: runs inside any function
    bool is_module = false;
    std::vector<uint32_t>
        class_scopes;          // classes of those names, and bases that they may have it from
    bool has_fitting = false;  // some scope has the name and the class
    bool has_named = false;    // some scope has the name
    uint32_t only = kNone;
  };

  bool fits_class(const Owner& owner, uint32_t scope) const;
  // The class's own functions of that name.
  std::vector<uint32_t> methods(uint32_t class_scope, std::string_view function) const;
  void add_class(std::string_view name, Owner& owner, int depth) const;
  float cost_of_named(const Owner& owner, uint32_t scope) const;
  void add_owners(const std::vector<RecordedLine>& lines);
  void look_up(Owner& owner) const;

  const SourceIndex& index_;
  std::vector<Owner> owners_;
  std::vector<uint32_t> owner_of_line_;
  std::unordered_multimap<uint64_t, uint32_t> methods_;  // by class scope and name
  std::unordered_set<uint64_t> recorded_names_;
  std::unordered_set<uint64_t> recorded_classes_;
};

}  // namespace etlens
