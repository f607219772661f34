// SPDX-License-Identifier: Apache-2.0
// Subscripts and slices.
#include <algorithm>

#include "core/recover/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr int64_t kMaxBounds = 32;
constexpr double kOtherBound = 0.01;

}  // namespace

Value Interpreter::eval_slice(uint32_t node) {
  const PythonTree& tree = this->tree();
  Value parts[3] = {arena_.none(), arena_.none(), arena_.none()};
  size_t at_part = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Token) {
      if (tree.text(c) == ":") at_part = std::min<size_t>(at_part + 1, 2);
    } else {
      parts[at_part] = eval(c);
    }
  }
  return arena_.sequence(ValueKind::Slice, {parts[0], parts[1], parts[2]});
}

std::vector<Value> Interpreter::eval_indices(uint32_t node) {
  const PythonTree& tree = this->tree();
  std::vector<Value> indices;
  size_t count = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].field != F::Subscript) continue;
    ++count;
    if (tree[c].kind == K::ListSplat) {
      for (const Value item : all_of(eval(tree[c].first_child))) indices.push_back(item);
      ++count;
    } else {
      indices.push_back(eval(c));
    }
  }
  // x[i] with a tuple i is x[i0, i1]
  if (count == 1 && indices.size() == 1 && indices[0]->is(ValueKind::Tuple))
    return indices[0]->items;
  return indices;
}

Value Interpreter::eval_subscript(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value value = settled(eval(tree.child(node, F::Value)));
  if (stopped_) return arena_.unknown();
  const std::vector<Value> indices = eval_indices(node);
  if (stopped_) return arena_.unknown();
  at(node);
  if (value->is(ValueKind::Dict) || value->is(ValueKind::Instance) || value->is(ValueKind::Class)) {
    // A tuple is one key here.
    uint32_t first = kNone;
    size_t count = 0;
    for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
      if (tree[c].field != F::Subscript) continue;
      if (first == kNone) first = c;
      ++count;
    }
    if (indices.size() > 1 && count >= 1)
      return subscript(value, {arena_.sequence(ValueKind::Tuple, indices)}, node);
  }
  return subscript(value, indices, node);
}

// An unknown bound of a slice of a known sequence is one of its places, most likely its end.
void Interpreter::settle_bound(const Object& slice, int64_t size) {
  const Value start = slice.items[0];
  const Value end = slice.items[1];
  if (is_quiet() || choices_ == nullptr || size > kMaxBounds) return;
  if (start->is(ValueKind::Unknown) == end->is(ValueKind::Unknown)) return;
  const Value open = end->is(ValueKind::Unknown) ? end : start;
  std::vector<double> costs(static_cast<size_t>(size) + 1, kOtherBound);
  costs[open == end ? costs.size() - 1 : 0] = 0;
  const size_t pick = choices_->choose(costs);
  if (pick >= costs.size()) return stop();
  become(open, arena_.integer(static_cast<int64_t>(pick)));
}

Value Interpreter::subscript(Value value, const std::vector<Value>& indices, uint32_t node) {
  if (indices.empty()) return arena_.unknown();
  const Value index = indices[0];
  switch (value->kind) {
    case ValueKind::Tuple:
    case ValueKind::List: {
      const auto size = static_cast<int64_t>(value->items.size());
      if (index->is(ValueKind::Int) || index->is(ValueKind::Bool)) {
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i < 0 || i >= size) {
          if (!is_quiet()) stop();
          return arena_.unknown();
        }
        return value->items[static_cast<size_t>(i)];
      }
      if (index->is(ValueKind::Slice)) {
        settle_bound(*index, size);
        for (const Value part : index->items) {
          if (!part->is(ValueKind::None) && !part->is(ValueKind::Int)) return arena_.unknown();
        }
        const int64_t step_size =
            index->items[2]->is(ValueKind::None) ? 1 : index->items[2]->integer;
        if (step_size == 0) return arena_.unknown();
        const auto bound = [&](Value part, int64_t otherwise) {
          if (part->is(ValueKind::None)) return otherwise;
          int64_t i = part->integer;
          if (i < 0) i = std::max<int64_t>(i + size, step_size < 0 ? -1 : 0);
          return std::min(i, step_size < 0 ? size - 1 : size);
        };
        int64_t i = bound(index->items[0], step_size < 0 ? size - 1 : 0);
        const int64_t end = bound(index->items[1], step_size < 0 ? -1 : size);
        std::vector<Value> items;
        for (; step_size > 0 ? i < end : i > end; i += step_size) {
          step();
          items.push_back(value->items[static_cast<size_t>(i)]);
          if (step_size > size || step_size < -size) break;
        }
        return arena_.sequence(value->kind, std::move(items));
      }
      if (index->is(ValueKind::Unknown) && !is_quiet() && !value->items.empty() && size <= 16) {
        std::vector<double> costs(value->items.size(), 0);
        const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
        if (pick >= value->items.size()) {
          stop();
          return arena_.unknown();
        }
        become(index, arena_.integer(static_cast<int64_t>(pick)));
        return value->items[pick];
      }
      return arena_.unknown();
    }
    case ValueKind::Dict: {
      bool is_open_key = index->is(ValueKind::Unknown);
      for (size_t i = 0; i < value->items.size() && i < value->values.size(); ++i) {
        step();
        const size_t last = value->items.size() - 1 - i;
        const std::optional<bool> equal = known_equal(value->items[last], index);
        if (equal == true) return value->values[last];
        if (!equal.has_value()) is_open_key = true;
      }
      if (!is_open_key && value->is_open)
        return unknown_attribute(value, arena_.keep("[" + index->text));
      if (const Value factory = own_attribute(value, kDefault);
          factory != nullptr && !is_open_key) {
        Arguments none;
        const Value made = call(factory, none, node);
        put(value, index, made);
        return made;
      }
      if (!is_open_key) {
        if (!is_quiet()) stop();  // KeyError
        return arena_.unknown();
      }
      if (value->values.empty()) return arena_.unknown();
      if (is_quiet()) {
        const Value open = arena_.unknown();
        open->items = value->values;
        open->values = {index};
        return open;
      }
      if (value->values.size() > 64 || !index->is(ValueKind::Unknown)) return arena_.unknown();
      std::vector<double> costs(value->values.size(), 0);
      const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
      if (pick >= value->values.size()) {
        stop();
        return arena_.unknown();
      }
      become(index, value->items[pick]);
      return value->values[pick];
    }
    case ValueKind::Text:
      if (index->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(value->text.size());
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i >= 0 && i < size)
          return arena_.string(std::string_view(value->text).substr(static_cast<size_t>(i), 1));
      }
      return arena_.unknown();
    case ValueKind::Module: {
      const std::string& path = value->text;
      const auto child = [&](std::string_view name) -> Value {
        return module_attribute(value, name, node);
      };
      if (index->is(ValueKind::Text)) return child(index->text);
      const std::vector<Value> items = all_of(value);
      const Value list = arena_.sequence(ValueKind::List, items);
      if (items.empty() && !path.empty() && class_of_module(path) != nullptr) break;
      return subscript(list, indices, node);
    }
    case ValueKind::Instance: {
      bool found = false;
      const Value made = call_method_named(value, "__getitem__", {{index}, {}, false}, node, found);
      if (found || stopped_) return made;
      if (const Value dict = held_dict(value)) return subscript(dict, indices, node);
      if (value->text == "namedtuple") {
        std::vector<Value> items;
        for (const auto& [name, item] : value->attributes) items.push_back(item);
        return subscript(arena_.sequence(ValueKind::Tuple, std::move(items)), indices, node);
      }
      return arena_.unknown();
    }
    case ValueKind::Class:
    case ValueKind::External:
      return value;  // Optional[…], Tensor[…], Enum["…"]
    case ValueKind::Tensor:
      if (value->from_module && index->is(ValueKind::Text)) return field_of(value);
      if (value->is_multiple && index->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(value->parts.size());
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i >= 0 && i < size)
          return arena_.tensor(TensorState::Known, {value->parts[static_cast<size_t>(i)]});
        return arena_.tensor(TensorState::Known, value->parts);
      }
      [[fallthrough]];
    case ValueKind::Unknown: {
      if (value->is(ValueKind::Unknown) && !value->items.empty() && is_quiet())
        return arena_.unknown();
      if (value->is(ValueKind::Unknown) && index->is(ValueKind::Text))
        return unknown_attribute(value, arena_.keep("[" + index->text));
      Arguments arguments;
      arguments.positional.push_back(value);
      arguments.positional.insert(arguments.positional.end(), indices.begin(), indices.end());
      return torch_call("getitem", arguments, node);
    }
    default:
      break;
  }
  return arena_.unknown();
}

}  // namespace etlens::recover
