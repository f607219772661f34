// SPDX-License-Identifier: Apache-2.0
// What a loop, an unpacking and a generator give.
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kMaxOpenRounds = 64;
constexpr double kNextRound = 0.01;  // of a loop that nobody knows the end of
constexpr int kMaxWalkDepth = 350;   // of what calls itself

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

bool Interpreter::iterate(Value value, const Each& each) {
  step();
  value = settled(value);
  if (stopped_) return false;
  switch (value->kind()) {
    case ValueKind::Tuple:
    case ValueKind::List:
      // The list may grow while it is walked, or be forgotten.
      for (size_t i = 0; is_sequence(value) && i < value->items().size() && i < kMaxItems; ++i) {
        if (stopped_ || !each(value->items()[i])) break;
      }
      return true;
    case ValueKind::Dict:
      return iterate_copy(value->dict().keys, each);
    case ValueKind::Text: {
      const std::string text = value->text();
      misses_items_ = misses_items_ || text.size() > kMaxItems || !is_plain(text);
      for (size_t i = 0; i < text.size() && i < kMaxItems; ++i) {
        if (stopped_ || !each(arena_.string(std::string_view(text).substr(i, 1)))) break;
      }
      return true;
    }
    case ValueKind::Module:
      return iterate_module(value, each);
    case ValueKind::Instance:
      return iterate_instance(value, each);
    case ValueKind::Class:
      if (is_enumeration(value)) return iterate_copy(enum_members(value), each);
      misses_items_ = true;
      return false;
    case ValueKind::Lazy:
      return iterate_lazy(value, each);
    case ValueKind::Tensor:
      return iterate_tensor(value, each);
    case ValueKind::Unknown:
      return iterate_unknown(value, each);
    default:
      misses_items_ = true;
      return false;
  }
}

// Of what may change while it is walked.
bool Interpreter::iterate_copy(std::vector<Value> items, const Each& each) {
  for (const Value item : items) {
    if (stopped_ || !each(item)) break;
  }
  return true;
}

bool Interpreter::iterate_module(Value module, const Each& each) {
  const Value cls = class_of_module(module->path());
  if (cls != nullptr && find_member(cls, "__iter__") != nullptr) {
    bool found = false;
    return iterate_inner(call_method_named(module, "__iter__", {}, kNone, found), each);
  }
  const ModelModule* const row = problem_->graph->find_module(module->path());
  if (row == nullptr) return true;
  const std::string prefix = module->path().empty() ? std::string() : module->path() + ".";
  // Never called itself, and of no class of the sources.
  const bool is_list = cls == nullptr && problem_->graph->type_of(module->path()).empty();
  size_t place = 0;
  for (const std::string_view name : row->children) {
    // Of a list that holds None at some places the model has the others.
    for (; is_list && is_later_place(name, place) && !stopped_; ++place) {
      if (!each(arena_.none())) return true;
    }
    ++place;
    const Value child = arena_.module(prefix + std::string(name));
    if (stopped_ || !each(child)) return true;
  }
  if (!row->children.empty()) return true;
  for (const uint32_t tensor : row->held_values) {
    if (stopped_ || !each(arena_.tensor(TensorState::Known, {tensor}))) break;
  }
  return true;
}

bool Interpreter::iterate_instance(Value instance, const Each& each) {
  bool found = false;
  const Value made = call_method_named(instance, "__iter__", {}, kNone, found);
  if (found) return iterate_inner(made, each);
  if (const Value dict = held_dict(instance)) return iterate(dict, each);
  if (instance->instance().form != InstanceForm::NamedTuple) {
    misses_items_ = true;
    return false;
  }
  std::vector<Value> items;
  for (const auto& [name, item] : instance->attributes) items.push_back(item);
  return iterate_copy(std::move(items), each);
}

bool Interpreter::iterate_tensor(Value tensor, const Each& each) {
  if (is_multiple(tensor) || is_from_module(tensor)) {
    const std::vector<uint32_t> parts =
        tensor->tensor().is_multiple ? tensor->tensor().parts : tensor->tensor().names;
    if (tensor->tensor().is_field && !is_quiet()) {
      // Some of them, in the order of a container that nobody knows.
      for (size_t round = 0; round < parts.size() && !stopped_; ++round) {
        if (choose({kNextRound, 0}) != 0 || stopped_) break;
        const Value item = arena_.tensor(TensorState::Known, parts);
        item->tensor().from_module = true;
        item->tensor().is_field = true;
        if (!each(item)) break;
      }
      return true;
    }
    for (const uint32_t part : parts) {
      if (stopped_ || !each(arena_.tensor(TensorState::Known, {part}))) break;
    }
    return true;
  }
  if (!is_quiet()) {
    Arguments arguments{{tensor}, {}, false};
    const Value made = torch_call("unbind", arguments, kNone);
    if (!stopped_ && is_multiple(made)) return iterate(made, each);
  }
  misses_items_ = misses_items_ || is_quiet();
  return false;
}

bool Interpreter::iterate_unknown(Value unknown, const Each& each) {
  if (is_quiet()) {
    misses_items_ = true;
    return false;
  }
  size_t before = SIZE_MAX;
  const size_t begin = position_;
  for (size_t round = 0; round < kMaxOpenRounds && !stopped_; ++round) {
    if (before == position_) break;  // a round must use a unit
    before = position_;
    if (next_unit() == nullptr) break;
    if (choose({kNextRound, 0}) != 0 || stopped_) break;
    const auto* const counting = origin_of<payload::Counting>(unknown);
    const Value item =
        counting != nullptr
            ? binary("+", counting->first, arena_.integer(static_cast<int64_t>(round)), kNone)
            : unknown_attribute(unknown, arena_.keep("#" + std::to_string(round)));
    if (!each(item)) break;
  }
  // How often it is walked is told by the units that it uses.
  if (position_ == begin) misses_rounds_ = true;
  return true;
}

// What __iter__ gave; it may give itself again and again.
bool Interpreter::iterate_inner(Value value, const Each& each) {
  if (++depth_ > kMaxWalkDepth) stop();
  const bool is_walked = !stopped_ && iterate(value, each);
  --depth_;
  return is_walked;
}

// What `iter` makes of a value. What is walked by calls of the project's, or is not known, stays
// what it is.
Value Interpreter::iterator_of(Value value) {
  value = settled(value);
  if (value->is(ValueKind::Lazy) || value->is(ValueKind::Unknown)) return value;
  if (value->is(ValueKind::Instance)) {
    bool found = false;
    const Value made = call_method_named(value, "__iter__", {}, kNone, found);
    if (found) return made->is(ValueKind::Instance) ? made : iterator_of(made);
  }
  std::optional<std::vector<Value>> items = exactly_all_of(value);
  return items ? iterator_over(std::move(*items)) : arena_.unknown();
}

Value Interpreter::iterator_over(std::vector<Value> items) {
  return arena_.make(payload::Lazy{.kind = LazyKind::Iterator, .items = std::move(items)});
}

// The next item; null behind the last one.
Value Interpreter::next_of(Value iterator) {
  Value next = nullptr;
  iterate(iterator, [&](Value item) {
    next = item;
    return false;
  });
  return next;
}

bool Interpreter::iterate_lazy(Value value, const Each& each) {
  // Of all runs: how far it is walked through, nobody may note.
  if (!may_write(value)) return iterate(arena_.unknown(), each);
  if (++depth_ > kMaxWalkDepth) stop();
  const bool is_walked = !stopped_ && walk_lazy(value, each);
  --depth_;
  return is_walked;
}

bool Interpreter::walk_lazy(Value value, const Each& each) {
  const std::vector<Value>& of = value->lazy().items;
  switch (value->lazy().kind) {
    case LazyKind::Generator:
    case LazyKind::Expression:
      return iterate_generator(value, each);
    case LazyKind::Map:
      return iterate(of[1], [&](Value item) {
        Arguments arguments{{item}, {}, false};
        for (size_t i = 2; i < of.size(); ++i) {
          const Value other = next_of(of[i]);
          if (other == nullptr) return false;
          arguments.positional.push_back(other);
        }
        const Value made = call(of[0], arguments, kNone);
        return !stopped_ && each(made);
      });
    case LazyKind::Zip:
      return iterate_zip(value, each);
    case LazyKind::Enumerate:
      return iterate(of[0], [&](Value item) {
        const bool is_open = value->lazy().is_open;
        const Value number = is_open ? arena_.unknown() : arena_.integer(value->lazy().next);
        ++value->lazy().next;
        return each(arena_.tuple({number, item}));
      });
    case LazyKind::Filter:
      return iterate(of[1], [&](Value item) {
        Arguments arguments{{item}, {}, false};
        const bool keeps = truth(of[0]->is(ValueKind::None) ? item : call(of[0], arguments, kNone));
        if (stopped_) return false;
        return !keeps || each(item);
      });
    case LazyKind::Iterator:
      while (value->is(ValueKind::Lazy) && !stopped_ &&
             static_cast<size_t>(value->lazy().next) < of.size()) {
        step();
        if (!each(of[static_cast<size_t>(value->lazy().next++)])) break;
      }
      return true;
  }
  return false;
}

// A generator that was left is not entered again: what it still gives, nobody knows.
bool Interpreter::iterate_generator(Value value, const Each& each) {
  payload::Lazy& lazy = value->lazy();
  if (lazy.state == GeneratorState::Ended) return true;
  if (lazy.state == GeneratorState::Begun) return iterate(arena_.unknown(), each);
  lazy.state = GeneratorState::Begun;
  bool is_left = false;
  Each give = [&](Value item) {
    is_left = !each(item);
    return !is_left;
  };
  const PythonTree& tree = *lazy.file->tree;
  Frame frame;
  frame.file = lazy.file;
  frame.line = tree[lazy.node].line + 1;
  frame.on_yield = &give;
  frame.consumer_frames = frames_.size();
  frame.consumer = scope_;
  if (frames_.size() > 60 || ++depth_ > kMaxWalkDepth) {
    stop();
    return false;
  }
  Environment* const outer = scope_;
  const Value before = returned_;
  if (lazy.kind == LazyKind::Generator) {
    frame.function = tree.text(tree.child(lazy.node, F::Name));
    frames_.push_back(frame);
    scope_ = lazy.environment;
    run_block(tree.child(lazy.node, F::Body));
  } else {
    frame.function = "<genexpr>";
    frames_.push_back(frame);
    scope_ = arena_.environment(lazy.environment, lazy.file);
    const uint32_t body = tree.child(lazy.node, F::Body);
    if (body != kNone) {
      comprehend(
          tree[body].next, body,
          [&](Value item) {
            std::vector<Frame> hidden(
                frames_.begin() + static_cast<ptrdiff_t>(frame.consumer_frames), frames_.end());
            frames_.resize(frame.consumer_frames);
            Environment* const inner = scope_;
            scope_ = outer;
            const bool goes_on = give(item);
            scope_ = inner;
            frames_.resize(frame.consumer_frames);
            frames_.insert(frames_.end(), hidden.begin(), hidden.end());
            return goes_on;
          },
          lazy.items.empty() ? nullptr : lazy.items.front());
    }
  }
  --depth_;
  leaves_generator_ = false;
  returned_ = before;
  frames_.resize(frame.consumer_frames);
  scope_ = outer;
  if (!is_left) lazy.state = GeneratorState::Ended;
  return true;
}

// What runs code of the project's leads, or else the first; a second one of that kind is run in
// advance.
bool Interpreter::iterate_zip(Value value, const Each& each) {
  std::vector<Value>& of = value->lazy().items;
  if (of.empty()) return true;
  const auto is_run = [](Value one) {
    return one->is(ValueKind::Lazy) && one->lazy().kind != LazyKind::Iterator;
  };
  const auto is_known = [](Value one) { return !one->is(ValueKind::Unknown); };
  auto leader = std::ranges::find_if(of, is_run);
  if (leader == of.end()) leader = std::ranges::find_if(of, is_known);
  if (leader == of.end()) leader = of.begin();
  for (auto other = of.begin(); other != of.end(); ++other) {
    if (other != leader && is_run(*other)) *other = iterator_over(all_of(*other));
  }
  return iterate(*leader, [&](Value item) {
    std::vector<Value> row;
    for (const Value& one : of) {
      const Value next = &one == &*leader ? item
                         : is_known(one)
                             ? next_of(one)
                             : unknown_attribute(one, "#" + std::to_string(value->lazy().next));
      if (next == nullptr) return false;
      row.push_back(next);
    }
    ++value->lazy().next;
    return each(arena_.tuple(std::move(row)));
  });
}

std::vector<Value> Interpreter::all_of(Value value) {
  std::vector<Value> items;
  iterate(value, [&](Value item) {
    items.push_back(item);
    if (items.size() > kMaxItems) stop();
    return !stopped_;
  });
  return items;
}

// False if there may be other items than those that `each` was given.
bool Interpreter::iterate_exactly(Value value, const Each& each) {
  const bool missed = std::exchange(misses_items_, false);
  const bool is_walked = iterate(value, each);
  return !std::exchange(misses_items_, missed) && is_walked;
}

std::optional<std::vector<Value>> Interpreter::exactly_all_of(Value value) {
  const bool missed = std::exchange(misses_items_, false);
  std::vector<Value> items = all_of(value);
  if (std::exchange(misses_items_, missed)) return std::nullopt;
  return items;
}

std::vector<Value> Interpreter::unpack(Value value, size_t count, size_t star) {
  std::vector<Value> items;
  if (value->is(ValueKind::Unknown)) {
    for (size_t i = 0; i < count; ++i)
      items.push_back(unknown_attribute(value, "#" + std::to_string(i)));
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
      const Value one = arena_.tensor(TensorState::Known, any);
      one->tensor().from_module = true;
      one->tensor().is_field = true;
      items.push_back(one);
    }
    return items;
  }
  if (value->is(ValueKind::Tensor) && is_quiet()) {
    for (size_t i = 0; i < count; ++i) items.push_back(arena_.tensor(TensorState::Any));
    return items;
  }
  std::vector<Value> all = all_of(value);
  if (stopped_) return {};
  if (star != SIZE_MAX && all.size() + 1 >= count) {
    const size_t rest = all.size() + 1 - count;
    for (size_t i = 0; i < star; ++i) items.push_back(all[i]);
    items.push_back(arena_.list({all.begin() + static_cast<ptrdiff_t>(star),
                                 all.begin() + static_cast<ptrdiff_t>(star + rest)}));
    for (size_t i = star + rest; i < all.size(); ++i) items.push_back(all[i]);
    return items;
  }
  if (value->is(ValueKind::Module) && all.size() < count && star == SIZE_MAX)
    all.resize(count, arena_.none());  // a list that ends with None
  if (all.size() != count) {
    if (!is_quiet()) {
      stop();  // ValueError
      return {};
    }
    items.assign(count, nullptr);
    for (Value& item : items) item = arena_.unknown();
    return items;
  }
  return all;
}

}  // namespace etlens::recover
