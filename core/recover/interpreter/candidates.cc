// SPDX-License-Identifier: Apache-2.0
// What a value may be that a constructor was given: what the sources give where they make the
// class. Others may have given something else.

#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/scopes.h"

namespace etlens::recover {
namespace {

constexpr int kMaxLikelyDepth = 6;
constexpr double kNoCandidate = 1.2;

}  // namespace

// A value of the sources that others may have set otherwise: its constants are only likely.
Value likely(Evaluator& run, Value value, int depth) {
  run.step();
  if (run.is_stopped()) return run.arena.unknown();
  if (depth > kMaxLikelyDepth || value->is(ValueKind::Unknown)) return value;
  if (is_constant(value) || is_enum_member(value)) {
    return run.arena.one_of({value});
  }
  if (value->is(ValueKind::Instance)) {
    const payload::Instance& instance = value->instance();
    const Value made = run.arena.instance(instance.cls);
    made->instance().form = instance.form;
    if (instance.held != nullptr) made->instance().held = likely(run, instance.held, depth + 1);
    for (const auto& [name, item] : value->attributes)
      made->attributes.emplace_back(name, likely(run, item, depth + 1));
    return made;
  }
  if (!is_sequence(value) && !value->is(ValueKind::Dict)) return value;
  // Keys are what they are, and so is what a container lists by name.
  const auto likely_items = [&](std::vector<Value> items) {
    for (Value& item : items) {
      if (!is_enum_member(item)) item = likely(run, item, depth + 1);
    }
    return items;
  };
  if (is_sequence(value)) return run.arena.sequence(value->kind(), likely_items(value->items()));
  const payload::Dict& dict = value->dict();
  return run.arena.make(payload::Dict{
      .keys = dict.keys, .values = likely_items(dict.values), .is_open = dict.is_open});
}

std::vector<Value> Model::candidates_of(Value unknown) {
  if (!unknown->is(ValueKind::Unknown) || unknown->unknown().key != nullptr) return {};
  const auto* const parameter = origin_of<payload::Parameter>(unknown);
  if (unknown->unknown().candidates.empty() && parameter != nullptr && parameter->cls != nullptr)
    return given_by_callers(parameter->cls, parameter->name).values;
  return unknown->unknown().candidates;
}

// Torch's layers that a parameter of a constructor may be.
std::vector<Value> Model::layers_of(Value unknown) {
  const auto* const parameter = origin_of<payload::Parameter>(unknown);
  if (parameter == nullptr || parameter->cls == nullptr) return {};
  return given_by_callers(parameter->cls, parameter->name).layers;
}

Value Model::settled(Value value) {
  if (run_.is_quiet() || run_.is_stopped() || !run_.has_choices() || !value->is(ValueKind::Unknown))
    return value;
  value = run_.local(value);
  const std::vector<Value> candidates = candidates_of(value);
  if (auto* parameter = origin_of<payload::Parameter>(value)) parameter->cls = nullptr;
  if (candidates.empty()) return value;
  const auto pick = run_.choose_or_none(std::vector<double>(candidates.size(), 0), kNoCandidate);
  value->unknown().candidates.clear();
  if (pick) run_.become(value, run_.local(candidates[*pick]));
  return value;
}

}  // namespace etlens::recover
