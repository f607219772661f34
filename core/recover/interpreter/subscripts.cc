// SPDX-License-Identifier: Apache-2.0
// Subscripts and slices.
#include <algorithm>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/mappings.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

void settle_bound(Evaluator& run, const payload::Slice& slice, int64_t size);

constexpr int64_t kMaxBounds = 32;
constexpr double kOtherBound = 0.01;
constexpr size_t kMaxItemsToTry = 16;   // of a sequence
constexpr size_t kMaxValuesToTry = 64;  // of a dictionary

}  // namespace

// value[indices], by what the value is.
class Subscript {
 public:
  Subscript(Evaluator& run, Value value, const std::vector<Value>& indices, uint32_t node)
      : run_(run),
        arena_(run.arena),
        value_(value),
        indices_(indices),
        index_(indices[0]),
        node_(node) {}

  Value run() {
    switch (value_->kind()) {
      case ValueKind::Tuple:
      case ValueKind::List:
        return of_sequence();
      case ValueKind::Dict:
        return of_dict();
      case ValueKind::Text:
        return of_text();
      case ValueKind::Module:
        return of_module();
      case ValueKind::Instance:
        return of_instance();
      case ValueKind::Class:
      case ValueKind::External:
        return value_;  // Optional[…], Tensor[…], Enum["…"]
      case ValueKind::Tensor:
        return of_tensor();
      case ValueKind::Unknown:
        return of_unknown();
      default:
        return unknown();
    }
  }

 private:
  Value unknown() { return arena_.unknown(); }

  // The place that an integer means among so many; nullopt if there is none.
  static std::optional<size_t> place_of(Value index, size_t count) {
    const auto size = static_cast<int64_t>(count);
    const int64_t given = index->integer();
    const int64_t i = given < 0 ? given + size : given;
    if (i < 0 || i >= size) return std::nullopt;
    return static_cast<size_t>(i);
  }

  // What Python would raise an error for ends the run.
  Value missing() {
    if (!run_.is_quiet()) run_.stop();
    return unknown();
  }

  // One of so many for an unknown index; nullopt if the run is given up.
  std::optional<size_t> any_of(size_t count) {
    const std::vector<double> costs(count, 0);
    const size_t pick = run_.choose_any(costs);
    return pick < count ? std::optional(pick) : std::nullopt;
  }

  Value of_sequence() {
    const std::vector<Value>& items = value_->items();
    if (index_->is(ValueKind::Int) || index_->is(ValueKind::Bool)) {
      const std::optional<size_t> place = place_of(index_, items.size());
      return place ? items[*place] : missing();
    }
    if (index_->is(ValueKind::Slice)) return slice_of_sequence();
    if (!index_->is(ValueKind::Unknown) || run_.is_quiet() || items.empty() ||
        items.size() > kMaxItemsToTry) {
      return unknown();
    }
    const std::optional<size_t> pick = any_of(items.size());
    if (!pick) return unknown();
    run_.become(index_, arena_.integer(static_cast<int64_t>(*pick)));
    return items[*pick];
  }

  Value slice_of_sequence() {
    const auto size = static_cast<int64_t>(value_->items().size());
    const payload::Slice& slice = index_->slice();
    settle_bound(run_, slice, size);
    for (const Value part : {slice.start, slice.stop, slice.step}) {
      if (!part->is(ValueKind::None) && !part->is(ValueKind::Int)) return unknown();
    }
    const int64_t step = slice.step->is(ValueKind::None) ? 1 : slice.step->integer();
    if (step == 0) return unknown();
    const auto bound = [&](Value part, int64_t otherwise) {
      if (part->is(ValueKind::None)) return otherwise;
      int64_t i = part->integer();
      if (i < 0) i = std::max<int64_t>(i + size, step < 0 ? -1 : 0);
      return std::min(i, step < 0 ? size - 1 : size);
    };
    int64_t i = bound(slice.start, step < 0 ? size - 1 : 0);
    const int64_t end = bound(slice.stop, step < 0 ? -1 : size);
    std::vector<Value> items;
    for (; step > 0 ? i < end : i > end; i += step) {
      run_.step();
      items.push_back(value_->items()[static_cast<size_t>(i)]);
      if (step > size || step < -size) break;
    }
    return arena_.sequence(value_->kind(), std::move(items));
  }

  Value of_dict() {
    bool is_open_key = index_->is(ValueKind::Unknown);
    const auto& [keys, values, factory, is_open] = value_->dict();
    for (size_t i = 0; i < keys.size() && i < values.size(); ++i) {
      run_.step();
      const size_t last = keys.size() - 1 - i;
      const std::optional<bool> equal = known_equal(run_, keys[last], index_);
      if (equal == true) return values[last];
      if (!equal.has_value()) is_open_key = true;
    }
    return is_open_key ? of_open_key() : of_missing_key();
  }

  // An unknown, the same one for the same key.
  Value entry() { return unknown_attribute(run_, value_, "[" + std::string(label_of(index_))); }

  Value of_missing_key() {
    if (value_->dict().is_open) return entry();
    const Value factory = value_->dict().factory;
    if (factory == nullptr) return missing();  // KeyError
    Arguments none;
    const Value made = call(run_, factory, none, node_);
    put(run_, value_, index_, made);
    return made;
  }

  Value of_open_key() {
    const auto& [keys, values, factory, is_open] = value_->dict();
    if (values.empty()) return unknown();
    if (run_.is_quiet()) {
      return arena_.make(payload::Unknown{.candidates = values, .key = index_});
    }
    if (values.size() > kMaxValuesToTry || !index_->is(ValueKind::Unknown)) return unknown();
    const std::optional<size_t> pick = any_of(values.size());
    if (!pick) return unknown();
    run_.become(index_, keys[*pick]);
    return values[*pick];
  }

  Value of_text() {
    if (!index_->is(ValueKind::Int) || !is_plain(value_->text())) return unknown();
    const std::optional<size_t> place = place_of(index_, value_->text().size());
    return place ? arena_.string(std::string_view(value_->text()).substr(*place, 1)) : unknown();
  }

  Value of_module() {
    const std::string& path = value_->path();
    if (index_->is(ValueKind::Text))
      return run_.model.module_attribute(value_, index_->text(), node_);
    const Value list = arena_.list(all_of(run_, value_));
    if (list->items().empty() && !path.empty() && run_.model.class_of_module(path) != nullptr)
      return unknown();
    return subscript(run_, list, indices_, node_);
  }

  Value of_instance() {
    if (const Value all = mapping_of(run_, value_)) return subscript(run_, all, indices_, node_);
    bool found = false;
    const Value made =
        call_method_named(run_, value_, "__getitem__", {{index_}, {}, false}, node_, found);
    if (found || run_.is_stopped()) return made;
    if (const Value dict = held_dict(value_)) return subscript(run_, dict, indices_, node_);
    if (value_->instance().form != InstanceForm::NamedTuple) return unknown();
    std::vector<Value> items;
    for (const auto& [name, item] : value_->attributes) items.push_back(item);
    return subscript(run_, arena_.tuple(std::move(items)), indices_, node_);
  }

  Value of_tensor() {
    if (value_->tensor().from_module && index_->is(ValueKind::Text)) return field_of(run_, value_);
    if (!value_->tensor().is_multiple || !index_->is(ValueKind::Int)) return from_unit();
    const std::optional<size_t> place = place_of(index_, value_->tensor().parts.size());
    return place ? arena_.tensor(TensorState::Known, {value_->tensor().parts[*place]})
                 : arena_.tensor(TensorState::Known, value_->tensor().parts);
  }

  Value of_unknown() {
    if (!value_->unknown().candidates.empty() && run_.is_quiet()) return unknown();
    if (index_->is(ValueKind::Text)) return entry();
    return from_unit();
  }

  Value from_unit() {
    Arguments arguments;
    arguments.positional.push_back(value_);
    arguments.positional.insert(arguments.positional.end(), indices_.begin(), indices_.end());
    return run_.matcher.torch_call("getitem", arguments, node_);
  }

  Evaluator& run_;
  Arena& arena_;
  Value value_;
  const std::vector<Value>& indices_;
  Value index_;  // the first one
  uint32_t node_;
};

namespace {

// An unknown bound of a slice of a known sequence is one of its places, most likely its end.
void settle_bound(Evaluator& run, const payload::Slice& slice, int64_t size) {
  const Value start = slice.start;
  const Value end = slice.stop;
  if (run.is_quiet() || !run.has_choices() || size > kMaxBounds) return;
  if (start->is(ValueKind::Unknown) == end->is(ValueKind::Unknown)) return;
  const Value open = end->is(ValueKind::Unknown) ? end : start;
  std::vector<double> costs(static_cast<size_t>(size) + 1, kOtherBound);
  costs[open == end ? costs.size() - 1 : 0] = 0;
  const size_t pick = run.choose_any(costs);
  if (run.is_stopped()) return;
  run.become(open, run.arena.integer(static_cast<int64_t>(pick)));
}

}  // namespace

Value eval_slice(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  Value parts[3] = {run.arena.none(), run.arena.none(), run.arena.none()};
  size_t at_part = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Token) {
      if (tree.text(c) == ":") at_part = std::min<size_t>(at_part + 1, 2);
    } else {
      parts[at_part] = eval(run, c);
    }
  }
  return run.arena.make(payload::Slice{parts[0], parts[1], parts[2]});
}

std::vector<Value> eval_indices(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  std::vector<Value> indices;
  size_t count = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].field != F::Subscript) continue;
    ++count;
    if (tree[c].kind == K::ListSplat) {
      for (const Value item : all_of(run, eval(run, tree[c].first_child))) indices.push_back(item);
      ++count;
    } else {
      indices.push_back(eval(run, c));
    }
  }
  // x[i] with a tuple i is x[i0, i1]
  if (count == 1 && indices.size() == 1 && indices[0]->is(ValueKind::Tuple))
    return indices[0]->items();
  return indices;
}

Value eval_subscript(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const Value value = run.model.settled(eval(run, tree.child(node, F::Value)));
  if (run.is_stopped()) return run.arena.unknown();
  const std::vector<Value> indices = eval_indices(run, node);
  if (run.is_stopped()) return run.arena.unknown();
  run.at(node);
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
      return subscript(run, value, {run.arena.tuple(indices)}, node);
  }
  return subscript(run, value, indices, node);
}

Value subscript(Evaluator& run, Value value, const std::vector<Value>& indices, uint32_t node) {
  if (indices.empty()) return run.arena.unknown();
  return Subscript(run, value, indices, node).run();
}

}  // namespace etlens::recover
