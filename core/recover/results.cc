// SPDX-License-Identifier: Apache-2.0
#include "core/recover/results.h"

#include <algorithm>
#include <string>

#include "core/base/budget.h"

namespace etlens::recover {
namespace {

constexpr int kMaxResultDepth = 8;

bool has_form_of(Value a, Value b) {
  return a->kind() == b->kind() && parts_of(a).size() == parts_of(b).size() &&
         (!a->is(ValueKind::Instance) || a->instance().form == b->instance().form) &&
         std::equal(a->attributes.begin(), a->attributes.end(), b->attributes.begin(),
                    b->attributes.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

// What is no part of the values that it holds: a class, the keys of a dictionary.
size_t fixed_items(Value value) {
  if (value->is(ValueKind::Instance)) return 1;
  return value->is(ValueKind::Dict) ? value->dict().keys.size() : 0;
}

Value common_tensor(Arena& arena, Value a, Value b) {
  const payload::Tensor& one = a->tensor();
  const payload::Tensor& other = b->tensor();
  if (one.state != TensorState::Known || other.state != TensorState::Known) return arena.unknown();
  const Value made = arena.tensor(TensorState::Known, one.names);
  std::vector<uint32_t>& names = made->tensor().names;
  for (const uint32_t name : other.names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  made->tensor().from_module = true;
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
  const bool is_known_tensor =
      value->is(ValueKind::Tensor) && value->tensor().state != TensorState::Any;
  if (!is_plain && !is_known_tensor && !is_holder(value)) return arena.unknown();
  const Value copy = arena.unknown();
  *copy = *value;
  copy->is_shared = false;
  if (copy->is(ValueKind::Tensor)) copy->tensor().base = nullptr;
  each_part(*copy, [&](Value& part) { part = kept(arena, part, depth + 1); });
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
  const std::vector<Value> parts = parts_of(a);
  const std::vector<Value> others = parts_of(b);
  for (size_t i = 0; i < fixed_items(a); ++i) {
    if (!is_same_value(parts[i], others[i])) return arena.unknown();
  }
  const Value made = kept(arena, a);
  size_t at = 0;
  each_part(*made, [&](Value& part) {
    if (at >= fixed_items(a)) part = common_result(arena, parts[at], others[at], depth + 1);
    ++at;
  });
  for (size_t i = 0; i < made->attributes.size(); ++i) {
    made->attributes[i].second =
        common_result(arena, a->attributes[i].second, b->attributes[i].second, depth + 1);
  }
  return made;
}

}  // namespace etlens::recover
