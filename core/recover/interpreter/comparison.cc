// SPDX-License-Identifier: Apache-2.0
// Of which class values are, and how they are ordered.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

constexpr int kMaxTupleDepth = 4;  // of classes in tuples

}  // namespace

bool Interpreter::is_before(Value a, Value b) {
  return a->is(ValueKind::Text) ? a->text() < b->text() : as_double(a) < as_double(b);
}

bool Interpreter::is_instance(Value value, Value cls, bool& is_known, int depth) {
  is_known = depth <= kMaxTupleDepth;
  if (!is_known) return false;
  if (cls->is(ValueKind::Tuple)) {
    bool all_known = true;
    for (const Value one : cls->items()) {
      bool known = true;
      step();
      if (is_instance(value, one, known, depth + 1) && known) return true;
      all_known &= known;
    }
    is_known = all_known;
    return false;
  }
  if (value->is(ValueKind::Unknown) || cls->is(ValueKind::Unknown)) {
    is_known = false;
    return false;
  }
  // What a child returned may be a container of tensors, or an object.
  if (is_from_module(value) && label_of(cls) != "torch.Tensor") {
    is_known = false;
    return false;
  }
  if (cls->is(ValueKind::External)) {
    const std::string& name = cls->name();
    if (name == "torch.Tensor") return value->is(ValueKind::Tensor);
    if (name == "builtins.int") return value->is(ValueKind::Int) || value->is(ValueKind::Bool);
    if (name == "builtins.float") return value->is(ValueKind::Float);
    if (name == "builtins.bool") return value->is(ValueKind::Bool);
    if (name == "builtins.str") return value->is(ValueKind::Text);
    if (name == "builtins.tuple") {
      return value->is(ValueKind::Tuple) ||
             (value->is(ValueKind::Instance) && value->instance().form == InstanceForm::NamedTuple);
    }
    if (name == "builtins.list") return value->is(ValueKind::List);
    if (name == "builtins.dict") return value->is(ValueKind::Dict);
    if (name.starts_with("torch.nn.") && value->is(ValueKind::Module) && problem_ != nullptr) {
      const std::string_view type = problem_->graph->type_of(value->path());
      const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
      if (last == "Module") return true;
      if (type.starts_with("torch.nn.")) return type.substr(type.rfind('.') + 1) == last;
      is_known = false;
      return false;
    }
    is_known = false;
    return false;
  }
  const Value own = class_of(value);
  if (own == nullptr) {
    const bool is_layer = value->is(ValueKind::Module) && problem_ != nullptr &&
                          problem_->graph->type_of(value->path()).starts_with("torch.nn.");
    is_known = is_layer || !value->is(ValueKind::Module);
    return false;
  }
  const std::vector<Value> order = bases_in_order(own);
  return std::find(order.begin(), order.end(), cls) != order.end();
}

// What items are compared by: all numbers, or all texts. Nullopt if that is not known.
std::optional<std::vector<Value>> Interpreter::sort_keys(const std::vector<Value>& items,
                                                         const Arguments& arguments,
                                                         uint32_t node) {
  std::vector<Value> keys = items;
  for (const auto& [name, function] : arguments.named) {
    if (name != "key") continue;
    for (Value& key : keys) {
      Arguments one{{key}, {}, false};
      key = call(function, one, node);
      if (stopped_) return std::nullopt;
    }
  }
  const auto is_text = [](Value key) { return key->is(ValueKind::Text); };
  const auto is_ordered = [](Value key) { return is_number(key) && !std::isnan(as_double(key)); };
  if (!std::all_of(keys.begin(), keys.end(), is_ordered) &&
      !std::all_of(keys.begin(), keys.end(), is_text)) {
    return std::nullopt;
  }
  return keys;
}

// False if nobody knows the order.
bool Interpreter::sort(std::vector<Value>& items, const Arguments& arguments, uint32_t node) {
  bool is_reversed = false;
  for (const auto& [name, value] : arguments.named) {
    if (name != "reverse") continue;
    const std::optional<bool> truth = known_truth(value);
    if (!truth) return false;
    is_reversed = *truth;
  }
  const std::optional<std::vector<Value>> keys = sort_keys(items, arguments, node);
  if (!keys) return items.size() < 2;
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return is_reversed ? is_before((*keys)[b], (*keys)[a]) : is_before((*keys)[a], (*keys)[b]);
  });
  std::vector<Value> sorted;
  for (const size_t at : order) sorted.push_back(items[at]);
  items = std::move(sorted);
  return true;
}

}  // namespace etlens::recover
