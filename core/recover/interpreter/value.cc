// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/value.h"

#include <unordered_map>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxValueDepth = 8;
constexpr size_t kMaxParts = 1 << 14;  // of one value, that are looked at

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
    case ValueKind::Lazy:
      return true;
    default:
      return false;
  }
}

namespace {

// Copies what is in several places once.
class Copier {
 public:
  explicit Copier(Arena& arena) : arena_(arena) {}

  Value copy(Value value, int depth) {
    if (value == nullptr || depth > kMaxValueDepth) return arena_.unknown();
    go_on();
    if (value->is(ValueKind::Lazy)) return arena_.unknown();
    if (!may_change(value->kind) || is_enum_member(value)) return value;
    if (value->is(ValueKind::Tensor) && value->attributes.empty()) return copied(value);
    if (const auto known = copies_.find(value); known != copies_.end()) return known->second;
    if (copies_.size() >= kMaxParts) return arena_.unknown();
    if (value->is(ValueKind::Unknown)) return copy_unknown(value, depth);
    const Value copy = copied(value);
    copies_.emplace(value, copy);
    const size_t first = value->is(ValueKind::Instance) ? 1 : 0;  // the class is shared
    for (size_t i = first; i < copy->items.size(); ++i)
      copy->items[i] = this->copy(copy->items[i], depth + 1);
    for (Value& item : copy->values) item = this->copy(item, depth + 1);
    for (auto& [name, item] : copy->attributes) item = this->copy(item, depth + 1);
    return copy;
  }

 private:
  Value copied(Value value) {
    const Value copy = arena_.make(value->kind);
    const bool is_shared = copy->is_shared;
    *copy = *value;
    copy->is_shared = is_shared;
    copy->base = nullptr;  // of another run
    return copy;
  }

  Value copy_unknown(Value value, int depth) {
    const Value fresh = arena_.unknown();
    copies_.emplace(value, fresh);
    if (!value->values.empty()) return fresh;
    fresh->is_parameter = value->is_parameter;
    if (value->is_parameter) {
      fresh->owner = value->owner;
      fresh->text = value->text;
    }
    for (const Value item : value->items) fresh->items.push_back(copy(item, depth + 1));
    return fresh;
  }

  Arena& arena_;
  std::unordered_map<Value, Value> copies_;
};

bool is_same_part(Value a, Value b, int depth, size_t& left) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind || depth > kMaxValueDepth) return false;
  if (left == 0) return false;
  --left;
  go_on();
  if (a->integer != b->integer || a->number != b->number || a->text != b->text ||
      a->node != b->node || a->file != b->file || a->items.size() != b->items.size() ||
      a->values.size() != b->values.size() || a->attributes.size() != b->attributes.size()) {
    return false;
  }
  if (a->is(ValueKind::Tensor)) return a->state == b->state && a->names == b->names;
  if (a->is(ValueKind::Lazy)) return false;
  for (size_t i = 0; i < a->items.size(); ++i) {
    if (!is_same_part(a->items[i], b->items[i], depth + 1, left)) return false;
  }
  for (size_t i = 0; i < a->values.size(); ++i) {
    if (!is_same_part(a->values[i], b->values[i], depth + 1, left)) return false;
  }
  for (size_t i = 0; i < a->attributes.size(); ++i) {
    if (a->attributes[i].first != b->attributes[i].first ||
        !is_same_part(a->attributes[i].second, b->attributes[i].second, depth + 1, left)) {
      return false;
    }
  }
  return true;
}

void collect(Value value, std::vector<Value>& tensors, int depth, size_t& left) {
  if (value == nullptr || depth > kMaxValueDepth || left == 0) return;
  --left;
  go_on();
  switch (value->kind) {
    case ValueKind::Tensor:
    case ValueKind::Unknown:
      tensors.push_back(value);
      break;
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Slice:
      for (const Value item : value->items) collect(item, tensors, depth + 1, left);
      break;
    case ValueKind::Dict:
      for (const Value item : value->values) collect(item, tensors, depth + 1, left);
      break;
    case ValueKind::Instance:
      for (const auto& [name, item] : value->attributes) collect(item, tensors, depth + 1, left);
      break;
    default:
      break;
  }
}

}  // namespace

Value copy_of(Arena& arena, Value value) { return Copier(arena).copy(value, 0); }

bool is_same_value(Value a, Value b) {
  size_t left = kMaxParts;
  return is_same_part(a, b, 0, left);
}

bool holds_any(std::span<const uint32_t> values, std::span<const uint32_t> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](uint32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  });
}

void collect_tensors(Value value, std::vector<Value>& tensors) {
  size_t left = kMaxParts;
  collect(value, tensors, 0, left);
}

}  // namespace etlens::recover
