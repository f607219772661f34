// SPDX-License-Identifier: Apache-2.0
// Matcher: which units of the record the calls of a run are, and what it costs if they are none.
// It knows how far the units of the module call are used, and where the run says that each stands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/recover/interpreter/task.h"

namespace etlens::recover {

class Evaluator;

// What a call is given that may be tensors.
struct Operands {
  std::vector<Value> known;    // tensors with names
  std::vector<Value> unknown;  // tensors and values that nothing is known of
  std::vector<Value> order;    // both, as the call gives them
  bool has_dead = false;
  bool has_constant = false;  // made without a node
};

class Matcher {
 public:
  explicit Matcher(Evaluator& run);

  // How many units are used.
  size_t position() const { return position_; }
  // What the run says, one per unit.
  std::vector<PlacedCall> take_placements() { return std::move(placements_); }
  // Where the run could not go on, innermost last.
  const std::vector<Statement>& trouble() const { return trouble_; }
  const SourceCall* next_unit() const;
  // The next unit is of a line of the innermost forward that stands above this one.
  bool has_passed(uint32_t line) const;
  // Where the run goes wrong: the first oddity after the last unit.
  void mark_trouble();
  // What is given no tensor may make one, but the next unit is none that is made of nothing.
  bool takes_no_unit(const Arguments& arguments);
  // A unit of a statement that fits nothing.
  void skip_unit() { ++position_; }
  // tensor[…], where it is read to be computed with and written back: the tensor itself if the unit
  // that computes reads its part.
  Value part_of(Value tensor, const std::vector<Value>& indices);
  // What computes in place with a part of a tensor: tensor[indices] if `part`, the tensor itself, has
  // no unit of its own.
  Value update(std::string_view raw, Value tensor, const std::vector<Value>& indices, Value part,
               Value right);
  // tensor[indices] = value.
  void write_to(Value tensor, const std::vector<Value>& indices, Value value);
  Value size_of(Value tensor, Value dim);
  Value torch_call(std::string_view raw, Arguments& arguments, uint32_t);
  // A tensor's method was called, and took no unit. Ends the run where torch counted fewer calls.
  void count_call(std::string_view method);
  Value call_module(Value module, Arguments& arguments);
  // A call of an unknown value: the next unit, if the arguments fit. `layers`: torch's, one of which
  // it may be.
  Value call_unseen(Arguments& arguments, const std::vector<Value>& layers);
  // A function of a library whose source is not the project's.
  Value call_library(Arguments& arguments, double cost);

 private:
  bool frames_fit(const SourceCall& unit, bool is_exact) const;
  Operands operands_of(const Arguments& arguments);
  std::vector<uint32_t>& open_inputs(const SourceCall& unit);
  bool is_one_deep(const Arguments& arguments);
  void add_bases(Value view, Operands& operands) const;
  const OperatorFacts& facts_of(std::string_view spelled);
  bool data_fits(const SourceCall& unit, const Operands& operands, bool may_lose, bool is_ordered);
  void bind_operands(const SourceCall& unit, const Operands& operands);
  Value use_unit(std::string_view name, bool is_placed, const Arguments* arguments);
  bool arguments_fit(const SourceCall& unit, std::string_view name, const Arguments& arguments);
  size_t rank_of(const SourceCall& unit, const Arguments& arguments) const;
  bool takes_nothing(const Arguments& arguments);
  std::optional<std::vector<int64_t>> sizes_of(Value tensor) const;
  bool must_copy(std::string_view name, const Arguments& arguments);
  bool changes_nothing(std::string_view name, std::string_view raw, const Arguments& arguments);
  size_t getitem_units(const Operands& operands, size_t count);
  Value size_fact(std::string_view name, const Arguments& arguments);
  size_t units_named(const SourceCall& unit, std::string_view name, const Arguments& arguments,
                     const Operands& operands);
  bool unit_fits(const SourceCall& unit, const OperatorFacts& facts, const Arguments& arguments,
                 const Operands& operands);
  Value take_units(size_t count, std::string_view raw, const OperatorFacts& facts,
                   const Arguments& arguments, const Operands& operands);
  Value without_unit(const OperatorFacts& facts, const Arguments& arguments,
                     const Operands& operands);
  double price_of_missing(std::string_view raw, const OperatorFacts& facts,
                          const Arguments& arguments, const Operands& operands, bool is_refused);
  double price_of_unseen(const SourceCall& child, const Operands& operands) const;
  bool is_of_layer(Value module, const Operands& operands);

  Evaluator& run_;
  const ModuleCall* module_call_ = nullptr;  // null: no units are taken
  std::vector<PlacedCall> placements_;
  std::vector<Statement> trouble_;
  std::vector<uint32_t> open_inputs_;
  // Calls without a unit, by the next one of the same method that has a node.
  std::unordered_map<const CallNumbers::Call*, uint32_t> counted_;
  const std::vector<Value>* updated_ = nullptr;  // of the tensor that a call computes with in place
  size_t position_ = 0;
  size_t trouble_position_ = 0;
  bool has_trouble_ = false;
};

}  // namespace etlens::recover
