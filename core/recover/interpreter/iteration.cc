// SPDX-License-Identifier: Apache-2.0
// What a loop, an unpacking and a generator give.
#include "core/recover/interpreter/iteration.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

bool iterate_inner(Evaluator& run, Value value, const Each& each);

constexpr size_t kMaxOpenRounds = 64;
constexpr double kNextRound = 0.01;  // of a loop with an unknown end

// The name of a list's child is a place behind this one.
bool is_later_place(std::string_view name, size_t place) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number > place &&
         number < kMaxItems;
}

}  // namespace

// Its characters are its bytes.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

namespace {

// Of what may change while it is walked.
bool iterate_copy(Evaluator& run, std::vector<Value> items, const Each& each) {
  for (const Value item : items) {
    if (run.is_stopped() || !each(item)) break;
  }
  return true;
}

bool iterate_module(Evaluator& run, Value module, const Each& each) {
  const Value cls = run.model.class_of_module(module->path());
  if (cls != nullptr && find_member(run, cls, "__iter__") != nullptr) {
    bool found = false;
    return iterate_inner(run, call_method_named(run, module, "__iter__", {}, kNone, found), each);
  }
  const ModelModule* const row = run.task->graph->find_module(module->path());
  if (row == nullptr) return true;
  const std::string prefix = module->path().empty() ? std::string() : module->path() + ".";
  // Never called itself, and of no class of the sources.
  const bool is_list = cls == nullptr && run.task->graph->type_of(module->path()).empty();
  size_t place = 0;
  for (const std::string_view name : row->children) {
    // Of a list that holds None at some places the model has the others.
    for (; is_list && is_later_place(name, place) && !run.is_stopped(); ++place) {
      if (!each(run.arena.none())) return true;
    }
    ++place;
    const Value child = run.arena.module(prefix + std::string(name));
    if (run.is_stopped() || !each(child)) return true;
  }
  if (!row->children.empty()) return true;
  for (const uint32_t tensor : row->held_values) {
    if (run.is_stopped() || !each(run.arena.tensor(TensorState::Known, {tensor}))) break;
  }
  return true;
}

bool iterate_instance(Evaluator& run, Value instance, const Each& each) {
  bool found = false;
  const Value made = call_method_named(run, instance, "__iter__", {}, kNone, found);
  if (found) return iterate_inner(run, made, each);
  if (const Value dict = held_dict(instance)) return iterate(run, dict, each);
  if (instance->instance().form != InstanceForm::NamedTuple) {
    run.signals.misses_items = true;
    return false;
  }
  std::vector<Value> items;
  for (const auto& [name, item] : instance->attributes) items.push_back(item);
  return iterate_copy(run, std::move(items), each);
}

bool iterate_tensor(Evaluator& run, Value tensor, const Each& each) {
  if (is_multiple(tensor) || is_from_module(tensor)) {
    const std::vector<uint32_t> parts =
        tensor->tensor().is_multiple ? tensor->tensor().parts : tensor->tensor().names;
    if (tensor->tensor().is_field && !run.is_quiet()) {
      // Some of them, in the order of an unknown container.
      for (size_t round = 0; round < parts.size() && !run.is_stopped(); ++round) {
        if (run.choose({kNextRound, 0}) != 0 || run.is_stopped()) break;
        const Value item = run.arena.tensor(TensorState::Known, parts);
        item->tensor().from_module = true;
        item->tensor().is_field = true;
        if (!each(item)) break;
      }
      return true;
    }
    for (const uint32_t part : parts) {
      if (run.is_stopped() || !each(run.arena.tensor(TensorState::Known, {part}))) break;
    }
    return true;
  }
  if (!run.is_quiet()) {
    Arguments arguments{{tensor}, {}, false};
    const Value made = run.matcher.torch_call("unbind", arguments, kNone);
    if (!run.is_stopped() && is_multiple(made)) return iterate(run, made, each);
  }
  run.signals.misses_items = run.signals.misses_items || run.is_quiet();
  return false;
}

bool iterate_unknown(Evaluator& run, Value unknown, const Each& each) {
  if (run.is_quiet()) {
    run.signals.misses_items = true;
    return false;
  }
  size_t before = SIZE_MAX;
  const size_t begin = run.matcher.position();
  for (size_t round = 0; round < kMaxOpenRounds && !run.is_stopped(); ++round) {
    if (before == run.matcher.position()) break;  // a round must use a unit
    before = run.matcher.position();
    if (run.matcher.next_unit() == nullptr) break;
    if (run.choose({kNextRound, 0}) != 0 || run.is_stopped()) break;
    const auto* const counting = origin_of<payload::Counting>(unknown);
    const Value item =
        counting != nullptr
            ? binary(run, "+", counting->first, run.arena.integer(static_cast<int64_t>(round)),
                     kNone)
            : unknown_attribute(run, unknown, run.arena.keep("#" + std::to_string(round)));
    if (!each(item)) break;
  }
  // The units that it uses show how often it is walked.
  if (run.matcher.position() == begin) run.signals.misses_rounds = true;
  return true;
}

// What __iter__ gave; it may give itself again and again.
bool iterate_inner(Evaluator& run, Value value, const Each& each) {
  if (!run.goes_deeper(Evaluator::kMaxWalkDepth)) return false;
  const bool is_walked = iterate(run, value, each);
  run.comes_back();
  return is_walked;
}

}  // namespace

bool iterate(Evaluator& run, Value value, const Each& each) {
  run.step();
  value = run.model.settled(value);
  if (run.is_stopped()) return false;
  switch (value->kind()) {
    case ValueKind::Tuple:
    case ValueKind::List:
      // The list may grow while it is walked, or be forgotten.
      for (size_t i = 0; is_sequence(value) && i < value->items().size() && i < kMaxItems; ++i) {
        if (run.is_stopped() || !each(value->items()[i])) break;
      }
      return true;
    case ValueKind::Dict:
      return iterate_copy(run, value->dict().keys, each);
    case ValueKind::Text: {
      const std::string text = value->text();
      run.signals.misses_items =
          run.signals.misses_items || text.size() > kMaxItems || !is_plain(text);
      for (size_t i = 0; i < text.size() && i < kMaxItems; ++i) {
        if (run.is_stopped() || !each(run.arena.string(std::string_view(text).substr(i, 1)))) break;
      }
      return true;
    }
    case ValueKind::Module:
      return iterate_module(run, value, each);
    case ValueKind::Instance:
      return iterate_instance(run, value, each);
    case ValueKind::Class:
      if (is_enumeration(run, value)) return iterate_copy(run, enum_members(run, value), each);
      run.signals.misses_items = true;
      return false;
    case ValueKind::Lazy:
      return iterate_lazy(run, value, each);
    case ValueKind::Tensor:
      return iterate_tensor(run, value, each);
    case ValueKind::Unknown:
      return iterate_unknown(run, value, each);
    default:
      run.signals.misses_items = true;
      return false;
  }
}

Value next_of(Evaluator& run, Value iterator) {
  Value next = nullptr;
  iterate(run, iterator, [&](Value item) {
    next = item;
    return false;
  });
  return next;
}

std::vector<Value> all_of(Evaluator& run, Value value) {
  std::vector<Value> items;
  iterate(run, value, [&](Value item) {
    items.push_back(item);
    if (items.size() > kMaxItems) run.stop();
    return !run.is_stopped();
  });
  return items;
}

bool iterate_exactly(Evaluator& run, Value value, const Each& each) {
  const bool missed = std::exchange(run.signals.misses_items, false);
  const bool is_walked = iterate(run, value, each);
  return !std::exchange(run.signals.misses_items, missed) && is_walked;
}

std::optional<std::vector<Value>> exactly_all_of(Evaluator& run, Value value) {
  const bool missed = std::exchange(run.signals.misses_items, false);
  std::vector<Value> items = all_of(run, value);
  if (std::exchange(run.signals.misses_items, missed)) return std::nullopt;
  return items;
}

std::vector<Value> unpack(Evaluator& run, Value value, size_t count, size_t star) {
  std::vector<Value> items;
  if (value->is(ValueKind::Unknown)) {
    for (size_t i = 0; i < count; ++i)
      items.push_back(unknown_attribute(run, value, "#" + std::to_string(i)));
    return items;
  }
  if ((is_from_module(value) || is_multiple(value)) &&
      (star != SIZE_MAX || !is_multiple(value) || value->tensor().parts.size() != count)) {
    // Any of the results: the order in a graph is not the order of a return.
    std::vector<uint32_t> any = value->tensor().names;
    for (const uint32_t part : value->tensor().parts) {
      if (std::find(any.begin(), any.end(), part) == any.end()) any.push_back(part);
    }
    for (size_t i = 0; i < count; ++i) {
      const Value one = run.arena.tensor(TensorState::Known, any);
      one->tensor().from_module = true;
      one->tensor().is_field = true;
      items.push_back(one);
    }
    return items;
  }
  if (value->is(ValueKind::Tensor) && run.is_quiet()) {
    for (size_t i = 0; i < count; ++i) items.push_back(run.arena.tensor(TensorState::Any));
    return items;
  }
  std::vector<Value> all = all_of(run, value);
  if (run.is_stopped()) return {};
  if (star != SIZE_MAX && all.size() + 1 >= count) {
    const size_t rest = all.size() + 1 - count;
    for (size_t i = 0; i < star; ++i) items.push_back(all[i]);
    items.push_back(run.arena.list({all.begin() + static_cast<ptrdiff_t>(star),
                                    all.begin() + static_cast<ptrdiff_t>(star + rest)}));
    for (size_t i = star + rest; i < all.size(); ++i) items.push_back(all[i]);
    return items;
  }
  if (value->is(ValueKind::Module) && all.size() < count && star == SIZE_MAX)
    all.resize(count, run.arena.none());  // a list that ends with None
  if (all.size() != count) {
    if (!run.is_quiet()) {
      run.stop();  // ValueError
      return {};
    }
    items.assign(count, nullptr);
    for (Value& item : items) item = run.arena.unknown();
    return items;
  }
  return all;
}

}  // namespace etlens::recover
