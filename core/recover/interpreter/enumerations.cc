// SPDX-License-Identifier: Apache-2.0
// Enumerations: their members are objects of their own, one each for all runs, which are told apart
// by what they are and not by what they hold.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

constexpr std::string_view kAuto = "enum.auto()";

bool is_member_value(std::string_view name, Value value) {
  return !name.starts_with('_') && !value->is(ValueKind::Function);
}

}  // namespace

bool Interpreter::is_enumeration(Value cls) {
  const std::vector<Value> order = bases_in_order(cls);
  return std::any_of(order.begin(), order.end(), [](Value base) {
    return base->is(ValueKind::External) && base->name().starts_with("enum.");
  });
}

// What auto() stands for, in a class that was read whole.
void Interpreter::number_members(Value cls) {
  const std::vector<Value> order = bases_in_order(cls);
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
      value = is_text ? arena_.string(text) : arena_.integer(last + 1);
    }
    if (value->is(ValueKind::Int) && value->integer() < INT64_MAX) last = value->integer();
  }
}

// Null if the class has no member of that name.
Value Interpreter::enum_member(Value cls, std::string_view name) {
  Value owner = nullptr;
  const Value value = find_member(cls, name, &owner);
  if (value == nullptr || !is_member_value(name, value)) return nullptr;
  payload::Named& members = owner->cls().members;
  const auto known = std::ranges::find(members, name, &payload::Named::value_type::first);
  if (known != members.end()) return known->second;
  Arena& arena = owner->is_shared ? sources_.arena() : arena_;
  const Value made = arena.instance(owner);
  made->instance().form = InstanceForm::EnumMember;
  made->attributes = {{"value", value}, {"name", arena.string(name)}};
  members.emplace_back(arena.keep(std::string(name)), made);
  return made;
}

std::vector<Value> Interpreter::enum_members(Value cls) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : cls->attributes) {
    if (is_member_value(name, value)) names.push_back(name);
  }
  std::vector<Value> members;
  for (const std::string_view name : names) members.push_back(enum_member(cls, name));
  return members;
}

// Fusion("sum"): the member of that value; unknown if nobody knows which.
Value Interpreter::member_of_value(Value cls, Value value) {
  if (is_enum_member(value)) return value;
  for (const Value member : enum_members(cls)) {
    step();
    if (known_equal(own_attribute(member, "value"), value) == true) return member;
  }
  return arena_.unknown();
}

}  // namespace etlens::recover
