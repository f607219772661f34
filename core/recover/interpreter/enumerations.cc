// SPDX-License-Identifier: Apache-2.0
// Enumerations: their members are objects of their own, one each for all runs, which are told apart
// by what they are and not by what they hold.
#include <algorithm>

#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {
namespace {

constexpr std::string_view kAuto = "enum.auto()";

bool is_member_value(std::string_view name, Value value) {
  return !name.starts_with('_') && !value->is(ValueKind::Function);
}

}  // namespace

bool is_enumeration(Evaluator& run, Value cls) {
  const std::vector<Value> order = bases_in_order(run, cls);
  return std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("enum.");
  });
}

void number_members(Evaluator& run, Value cls) {
  const std::vector<Value> order = bases_in_order(run, cls);
  const bool is_text = std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->name() == "enum.StrEnum";
  });
  int64_t last = 0;
  for (auto& [name, value] : cls->attributes) {
    if (!is_member_value(name, value)) continue;
    if (value->is(ValueKind::External) && value->name() == kAuto) {
      std::string text(name);
      for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      value = is_text ? run.arena.string(text) : run.arena.integer(last + 1);
    }
    if (value->is(ValueKind::Int) && value->integer() < INT64_MAX) last = value->integer();
  }
}

Value enum_member(Evaluator& run, Value cls, std::string_view name) {
  Value owner = nullptr;
  const Value value = find_member(run, cls, name, &owner);
  if (value == nullptr || !is_member_value(name, value)) return nullptr;
  payload::Named& members = owner->cls().members;
  const auto known = std::ranges::find(members, name, &payload::Named::value_type::first);
  if (known != members.end()) return known->second;
  Arena& arena = owner->is_shared ? run.sources.arena() : run.arena;
  const Value made = arena.instance(owner);
  made->instance().form = InstanceForm::EnumMember;
  made->attributes = {{"value", value}, {"name", arena.string(name)}};
  members.emplace_back(arena.keep(std::string(name)), made);
  return made;
}

std::vector<Value> enum_members(Evaluator& run, Value cls) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : cls->attributes) {
    if (is_member_value(name, value)) names.push_back(name);
  }
  std::vector<Value> members;
  for (const std::string_view name : names) members.push_back(enum_member(run, cls, name));
  return members;
}

Value member_of_value(Evaluator& run, Value cls, Value value) {
  if (is_enum_member(value)) return value;
  for (const Value member : enum_members(run, cls)) {
    run.step();
    if (known_equal(run, own_attribute(member, "value"), value) == true) return member;
  }
  return run.arena.unknown();
}

}  // namespace etlens::recover
