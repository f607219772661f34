// SPDX-License-Identifier: Apache-2.0
// Calls of torch: which units a call is, and what it costs if it is none.
#include <algorithm>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/places.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

constexpr double kVanished = 0.5;
constexpr double kFolded = 1;
constexpr double kDeadCode = 3;
constexpr double kOnUnknowns = 0.02;
constexpr double kMatchPassed = 2;

// add_, and not __iadd__.
bool is_in_place(std::string_view raw) {
  return raw.size() > 1 && raw.back() == '_' && raw[raw.size() - 2] != '_';
}

// Of a tensor that was written to: what reads the view has its nodes.
bool is_view_of_updated(const OperatorFacts& facts, const Operands& operands) {
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  return self != nullptr && facts.is_view && self->is(ValueKind::Tensor) &&
         self->tensor().state == TensorState::Known && self->tensor().is_updated;
}

}  // namespace

// Units that one subscript takes where the record names no Python function: a chain, one unit for
// each index.
size_t Matcher::getitem_units(const Operands& operands, size_t count) {
  std::vector<uint32_t> before;
  for (const Value tensor : operands.known)
    before.insert(before.end(), tensor->tensor().names.begin(), tensor->tensor().names.end());
  size_t taken = 0;
  while (taken < count && position_ + taken < module_call_->units.size()) {
    const SourceCall& unit = module_call_->units[position_ + taken];
    if (unit.child != kNoCall || !unit.name.empty()) break;
    const std::string_view name = unit.origin;
    if (name != "slice" && name != "select" && name != "unsqueeze" && name != "index") break;
    if (!holds_any(before, unit.inputs) && !operands.known.empty()) break;
    if (!frames_fit(unit, true)) break;
    before.assign(unit.outputs.begin(), unit.outputs.end());
    ++taken;
  }
  return taken == count ? taken : 0;
}

// What size(), dim() and numel() say.
Value Matcher::size_fact(std::string_view name, const Arguments& arguments) {
  const Value self = arguments.positional[0];
  if (name == "size") return size_of(self, argument(arguments, 1, "dim"));
  const Value sizes = size_of(self, nullptr);
  if (!sizes->is(ValueKind::Tuple)) return run_.arena.unknown();
  if (name == "dim") return run_.arena.integer(static_cast<int64_t>(sizes->items().size()));
  Value total = run_.arena.integer(1);
  for (const Value item : sizes->items()) {
    if (!item->is(ValueKind::Int)) return run_.arena.unknown();
    total = binary(run_, "*", total, item, kNone);
  }
  return total;
}

// How many units, the next one first, a call may be by their names: one, or of a subscript several;
// 0 if it is none.
size_t Matcher::units_named(const SourceCall& unit, std::string_view name,
                            const Arguments& arguments, const Operands& operands) {
  if (!unit.name.empty()) return unit.name == name ? 1 : 0;
  if (name != "getitem") return may_become(name, unit.origin) ? 1 : 0;
  size_t count = 0;
  for (size_t i = 1; i < arguments.positional.size(); ++i) {
    const Value index = arguments.positional[i];
    if (!is_full_slice(index) && !index->is(ValueKind::Ellipsis)) ++count;
  }
  return count == 0 ? 0 : getitem_units(operands, count);
}

// Whether one unit is the call, by all that the record says of it.
bool Matcher::unit_fits(const SourceCall& unit, const OperatorFacts& facts,
                        const Arguments& arguments, const Operands& operands) {
  if (unit.is_layer) return false;
  const bool is_ordered = facts.keeps_order && unit.nodes.size() == 1;
  if (!frames_fit(unit, true) || !data_fits(unit, operands, facts.is_creation, is_ordered) ||
      !arguments_fit(unit, facts.name, arguments)) {
    return false;
  }
  if (updated_ != nullptr && !arguments.positional.empty() &&
      !writes_part(*run_.task->graph, unit.nodes, arguments.positional[0], *updated_)) {
    return false;
  }
  if (!operands.order.empty() || facts.is_creation) return true;
  return std::ranges::all_of(unit.inputs,
                             [&](uint32_t input) { return run_.task->graph->is_lifted(input); });
}

// Takes the next units for a call.
Value Matcher::take_units(size_t count, std::string_view raw, const OperatorFacts& facts,
                          const Arguments& arguments, const Operands& operands) {
  const SourceCall& unit = *next_unit();
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  const bool on_unknowns = operands.known.empty() && !operands.unknown.empty();
  // A method of unknown objects may be one that the project defines.
  const bool is_placed = !on_unknowns || !run_.caches.methods.contains(raw);
  bind_operands(unit, operands);
  Value result = nullptr;
  for (size_t i = 0; i < count; ++i) result = use_unit(facts.name, is_placed, nullptr);
  if (is_in_place(raw) && self != nullptr && self->is(ValueKind::Tensor)) {
    // A node alone writes to the view; that what it is a view of changes takes another one.
    const bool writes_bases = unit.nodes.size() > 1;
    for (Value written = self; written != nullptr;
         written = writes_bases ? written->tensor().base : nullptr) {
      written->tensor().state = TensorState::Known;
      written->tensor().names = result->tensor().names;
      written->tensor().is_updated = true;
      written->attributes.clear();
    }
    return self;
  }
  if (facts.name == "unbind" && is_one_deep(arguments)) {
    result->tensor().is_multiple = true;
    result->tensor().parts = result->tensor().names;
  }
  if (facts.is_view && self != nullptr && self->is(ValueKind::Tensor)) result->tensor().base = self;
  return result;
}

// What a call gives that has no node.
Value Matcher::without_unit(const OperatorFacts& facts, const Arguments& arguments,
                            const Operands& operands) {
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  if (facts.name == "getitem" && takes_nothing(arguments))
    return run_.arena.tensor(TensorState::Constant);
  if (facts.is_creation) return run_.arena.tensor(TensorState::Constant);
  if (operands.known.empty() && !operands.unknown.empty())
    return facts.can_vanish && facts.name != "getitem" ? self : run_.arena.unknown();
  if (self == nullptr) return run_.arena.tensor(TensorState::Constant);
  if (is_view_of_updated(facts, operands)) {
    const Value view = run_.arena.tensor(TensorState::Known, self->tensor().names);
    view->tensor().has_open_sizes = true;
    view->tensor().is_updated = true;
    view->tensor().base = self;
    return view;
  }
  return facts.can_vanish ? self : run_.arena.tensor(TensorState::Dead);
}

Value Matcher::torch_call(std::string_view raw, Arguments& arguments, uint32_t) {
  run_.step();
  if (run_.is_stopped()) return run_.arena.unknown();
  const OperatorFacts& facts = facts_of(raw);
  if (facts.is_no_operator) {
    if ((raw == "size" || raw == "dim" || raw == "numel") && !arguments.positional.empty())
      return size_fact(raw, arguments);
    if (raw != "cpu" && raw != "cuda") return run_.arena.unknown();
  }
  if (facts.name.empty()) return run_.arena.unknown();
  if (facts.is_like_another && arguments.positional.size() == 2 &&
      arguments.positional[1]->is(ValueKind::Tensor)) {
    arguments.positional.pop_back();  // gives its sizes or its type alone: no node reads it
  }
  if (arguments.has_more) std::erase_if(arguments.positional, is_splat);
  Operands operands = operands_of(arguments);
  if (run_.is_quiet() || module_call_ == nullptr) return run_.arena.tensor(TensorState::Any);
  const Value self = operands.order.empty() ? nullptr : operands.order[0];
  if (is_in_place(raw) && self != nullptr) add_bases(self, operands);
  if (operands.has_dead) return run_.arena.tensor(TensorState::Dead);
  const SourceCall* unit = next_unit();
  size_t taken = 0;
  bool is_refused = false;
  if (unit != nullptr && unit->child == kNoCall) {
    taken = units_named(*unit, facts.name, arguments, operands);
    is_refused = taken == 1 && !unit_fits(*unit, facts, arguments, operands);
    if (is_refused) taken = 0;
  }
  if (taken == 0 && self != nullptr && is_from_module(self) && !facts.can_vanish &&
      !arguments.positional.empty() && self == arguments.positional[0] &&
      run_.caches.methods.contains(raw)) {
    // What a child returned may be an object of the project: one of its methods.
    run_.add_cost(kContradictionCost);
    return field_of(run_, self);
  }
  double missing =
      price_of_missing(raw, facts, arguments, operands, is_refused && !facts.is_creation);
  if (taken == 0) {
    run_.add_cost(missing);
    return run_.is_stopped() ? run_.arena.unknown() : without_unit(facts, arguments, operands);
  }
  if (!operands.known.empty()) missing = std::max(missing, kMatchPassed);
  const bool is_taken = run_.choose({0, missing}) == 0;
  if (run_.is_stopped()) return run_.arena.unknown();
  return is_taken ? take_units(taken, raw, facts, arguments, operands)
                  : without_unit(facts, arguments, operands);
}

void Matcher::count_call(std::string_view method) {
  if (run_.is_quiet() || run_.is_stopped() || module_call_ == nullptr) return;
  const std::span<const SourceCall> units = module_call_->units;
  const SourceCall* unit = next_unit();
  if (unit == nullptr && units.empty()) return;
  const uint32_t node =
      unit != nullptr ? unit->nodes.front().value : units.back().nodes.back().value + 1;
  const CallNumbers::Call* next = run_.caches.call_numbers.next(*run_.task->graph, method, node);
  if (next != nullptr && ++counted_[next] > next->before) run_.stop();
}

// What it costs that a call leaves no node.
double Matcher::price_of_missing(std::string_view raw, const OperatorFacts& facts,
                                 const Arguments& arguments, const Operands& operands,
                                 bool is_refused) {
  if (operands.known.empty() && !operands.unknown.empty())
    return is_refused ? kContradictionCost : kOnUnknowns;
  if (facts.is_creation) return kFolded;
  if (operands.order.empty()) return operands.has_constant ? kOnUnknowns : kVanished;
  if (is_view_of_updated(facts, operands)) return kOnUnknowns;
  if (!facts.can_vanish || must_copy(facts.name, arguments)) return kDeadCode;
  if (facts.name == "getitem" && takes_nothing(arguments)) return kOnUnknowns;
  return changes_nothing(facts.name, raw, arguments) ? kOnUnknowns : kVanished;
}

}  // namespace etlens::recover
