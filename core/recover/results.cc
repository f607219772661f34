// SPDX-License-Identifier: Apache-2.0
#include "core/recover/results.h"

#include <algorithm>
#include <string>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxResultDepth = 8;

bool has_form_of(Value a, Value b) {
  return a->kind == b->kind && a->text == b->text && a->items.size() == b->items.size() &&
         a->values.size() == b->values.size() &&
         std::equal(a->attributes.begin(), a->attributes.end(), b->attributes.begin(),
                    b->attributes.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

// What is no part of the values that it holds: a class, the keys of a dictionary.
size_t fixed_items(Value value) {
  if (value->is(ValueKind::Instance)) return 1;
  return value->is(ValueKind::Dict) ? value->items.size() : 0;
}

Value common_tensor(Arena& arena, Value a, Value b) {
  if (a->state != TensorState::Known || b->state != TensorState::Known) return arena.unknown();
  const Value made = arena.tensor(TensorState::Known, a->names);
  for (const uint32_t name : b->names) {
    if (std::find(made->names.begin(), made->names.end(), name) == made->names.end())
      made->names.push_back(name);
  }
  made->from_module = true;
  return made;
}

}  // namespace

bool is_holder(Value value) {
  return value->is(ValueKind::Tuple) || value->is(ValueKind::List) || value->is(ValueKind::Dict) ||
         value->is(ValueKind::Instance);
}

Value kept(Arena& arena, Value value, int depth) {
  go_on();
  if (value == nullptr || depth > kMaxResultDepth) return arena.unknown();
  if (value->is_shared) return value;  // of the sources
  const bool is_plain = is_constant(value) || value->is(ValueKind::External) ||
                        value->is(ValueKind::Module) || value->is(ValueKind::Ellipsis);
  const bool is_known_tensor = value->is(ValueKind::Tensor) && value->state != TensorState::Any;
  if (!is_plain && !is_known_tensor && !is_holder(value)) return arena.unknown();
  const Value copy = arena.make(value->kind);
  *copy = *value;
  copy->is_shared = false;
  copy->environment = nullptr;
  copy->base = nullptr;
  for (Value& item : copy->items) item = kept(arena, item, depth + 1);
  for (Value& item : copy->values) item = kept(arena, item, depth + 1);
  for (auto& [name, item] : copy->attributes) {
    name = arena.keep(std::string(name));
    item = kept(arena, item, depth + 1);
  }
  return copy;
}

Value common_result(Arena& arena, Value a, Value b, int depth) {
  go_on();
  if (a == nullptr || b == nullptr || depth > kMaxResultDepth) return arena.unknown();
  if (is_same_value(a, b)) return kept(arena, a);
  if (a->is(ValueKind::Tensor) && b->is(ValueKind::Tensor)) return common_tensor(arena, a, b);
  if (!is_holder(a) || !has_form_of(a, b)) return arena.unknown();
  for (size_t i = 0; i < fixed_items(a); ++i) {
    if (!is_same_value(a->items[i], b->items[i])) return arena.unknown();
  }
  const Value made = kept(arena, a);
  for (size_t i = fixed_items(a); i < made->items.size(); ++i)
    made->items[i] = common_result(arena, a->items[i], b->items[i], depth + 1);
  for (size_t i = 0; i < made->values.size(); ++i)
    made->values[i] = common_result(arena, a->values[i], b->values[i], depth + 1);
  for (size_t i = 0; i < made->attributes.size(); ++i) {
    made->attributes[i].second =
        common_result(arena, a->attributes[i].second, b->attributes[i].second, depth + 1);
  }
  return made;
}

}  // namespace etlens::recover
