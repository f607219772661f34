// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/value.h"

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxValueDepth = 8;

}  // namespace

Value Arena::integer(int64_t number) {
  const Value value = make(ValueKind::Int);
  value->integer = number;
  return value;
}

Value Arena::number(double number) {
  const Value value = make(ValueKind::Float);
  value->number = number;
  return value;
}

Value Arena::boolean(bool truth) {
  const Value value = make(ValueKind::Bool);
  value->integer = truth ? 1 : 0;
  return value;
}

Value Arena::string(std::string_view text) {
  const Value value = make(ValueKind::Text);
  value->text = text;
  return value;
}

Value Arena::external(std::string_view name) {
  const Value value = make(ValueKind::External);
  value->text = name;
  return value;
}

Value Arena::sequence(ValueKind kind, std::vector<Value> items) {
  const Value value = make(kind);
  value->items = std::move(items);
  return value;
}

Value Arena::tensor(TensorState state, std::vector<uint32_t> names) {
  const Value value = make(ValueKind::Tensor);
  value->state = state;
  value->names = std::move(names);
  return value;
}

Value own_attribute(Value value, std::string_view name) {
  for (const auto& [known, item] : value->attributes) {
    if (known == name) return item;
  }
  return nullptr;
}

bool is_operator_holder(Value value) {
  return value->is(ValueKind::Instance) && value->items[0]->is(ValueKind::External) &&
         value->items[0]->text.ends_with(".FloatFunctional");
}

bool is_number(Value value) {
  return value->is(ValueKind::Int) || value->is(ValueKind::Bool) || value->is(ValueKind::Float);
}

double as_double(Value value) {
  return value->is(ValueKind::Float) ? value->number : static_cast<double>(value->integer);
}

bool is_constant(Value value) {
  return value->is(ValueKind::Text) || value->is(ValueKind::Int) || value->is(ValueKind::Float) ||
         value->is(ValueKind::Bool) || value->is(ValueKind::None);
}

bool may_change(ValueKind kind) {
  switch (kind) {
    case ValueKind::Unknown:
    case ValueKind::Tensor:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Instance:
    case ValueKind::Method:
    case ValueKind::Partial:
      return true;
    default:
      return false;
  }
}

Value copy_of(Arena& arena, Value value, int depth) {
  if (value == nullptr || depth > kMaxValueDepth) return arena.unknown();
  go_on();
  if (value->is(ValueKind::Lazy)) return arena.unknown();
  if (!may_change(value->kind) || is_enum_member(value)) return value;
  if (value->is(ValueKind::Unknown)) {
    const Value fresh = arena.unknown();
    if (!value->values.empty()) return fresh;
    fresh->is_parameter = value->is_parameter;
    if (value->is_parameter) {
      fresh->owner = value->owner;
      fresh->text = value->text;
    }
    for (const Value item : value->items) fresh->items.push_back(copy_of(arena, item, depth + 1));
    return fresh;
  }
  const Value copy = arena.make(value->kind);
  const bool is_shared = copy->is_shared;
  *copy = *value;
  copy->is_shared = is_shared;
  copy->base = nullptr;                                         // of another run
  const size_t first = value->is(ValueKind::Instance) ? 1 : 0;  // the class is shared
  for (size_t i = first; i < copy->items.size(); ++i)
    copy->items[i] = copy_of(arena, copy->items[i], depth + 1);
  for (Value& item : copy->values) item = copy_of(arena, item, depth + 1);
  for (auto& [name, item] : copy->attributes) item = copy_of(arena, item, depth + 1);
  return copy;
}

bool is_same_value(Value a, Value b, int depth) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind || depth > kMaxValueDepth) return false;
  go_on();
  if (a->integer != b->integer || a->number != b->number || a->text != b->text ||
      a->node != b->node || a->file != b->file || a->items.size() != b->items.size() ||
      a->values.size() != b->values.size() || a->attributes.size() != b->attributes.size()) {
    return false;
  }
  if (a->is(ValueKind::Tensor)) return a->state == b->state && a->names == b->names;
  if (a->is(ValueKind::Lazy)) return false;
  for (size_t i = 0; i < a->items.size(); ++i) {
    if (!is_same_value(a->items[i], b->items[i], depth + 1)) return false;
  }
  for (size_t i = 0; i < a->values.size(); ++i) {
    if (!is_same_value(a->values[i], b->values[i], depth + 1)) return false;
  }
  for (size_t i = 0; i < a->attributes.size(); ++i) {
    if (a->attributes[i].first != b->attributes[i].first ||
        !is_same_value(a->attributes[i].second, b->attributes[i].second, depth + 1)) {
      return false;
    }
  }
  return true;
}

bool holds_any(std::span<const uint32_t> values, std::span<const uint32_t> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](uint32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

void collect_tensors(Value value, std::vector<Value>& tensors, int depth) {
  if (value == nullptr || depth > kMaxValueDepth) return;
  go_on();
  switch (value->kind) {
    case ValueKind::Tensor:
    case ValueKind::Unknown:
      tensors.push_back(value);
      break;
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Slice:
      for (const Value item : value->items) collect_tensors(item, tensors, depth + 1);
      break;
    case ValueKind::Dict:
      for (const Value item : value->values) collect_tensors(item, tensors, depth + 1);
      break;
    case ValueKind::Instance:
      for (const auto& [name, item] : value->attributes) collect_tensors(item, tensors, depth + 1);
      break;
    default:
      break;
  }
}

}  // namespace etlens::recover
