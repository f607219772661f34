// SPDX-License-Identifier: Apache-2.0
// What gives its items one by one: generators, and iterators over others.
#include <algorithm>
#include <utility>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

bool iterate_generator(Evaluator& run, Value value, const Each& each);
bool give_item(Evaluator& run, const CallFrame& generator, const Each& give, Value item);
bool iterate_zip(Evaluator& run, Value value, const Each& each);

bool walk_lazy(Evaluator& run, Value value, const Each& each) {
  const std::vector<Value>& of = value->lazy().items;
  switch (value->lazy().kind) {
    case LazyKind::Generator:
    case LazyKind::Expression:
      return iterate_generator(run, value, each);
    case LazyKind::Map:
      return iterate(run, of[1], [&](Value item) {
        Arguments arguments{{item}, {}, false};
        for (size_t i = 2; i < of.size(); ++i) {
          const Value other = next_of(run, of[i]);
          if (other == nullptr) return false;
          arguments.positional.push_back(other);
        }
        const Value made = call(run, of[0], arguments, kNone);
        return !run.is_stopped() && each(made);
      });
    case LazyKind::Zip:
      return iterate_zip(run, value, each);
    case LazyKind::Enumerate:
      return iterate(run, of[0], [&](Value item) {
        const bool is_open = value->lazy().is_open;
        const Value number = is_open ? run.arena.unknown() : run.arena.integer(value->lazy().next);
        ++value->lazy().next;
        return each(run.arena.tuple({number, item}));
      });
    case LazyKind::Filter:
      return iterate(run, of[1], [&](Value item) {
        Arguments arguments{{item}, {}, false};
        const bool keeps =
            truth(run, of[0]->is(ValueKind::None) ? item : call(run, of[0], arguments, kNone));
        if (run.is_stopped()) return false;
        return !keeps || each(item);
      });
    case LazyKind::Iterator:
      while (value->is(ValueKind::Lazy) && !run.is_stopped() &&
             static_cast<size_t>(value->lazy().next) < of.size()) {
        run.step();
        if (!each(of[static_cast<size_t>(value->lazy().next++)])) break;
      }
      return true;
  }
  return false;
}

// A generator that was left is not entered again: the items that it still gives are unknown.
bool iterate_generator(Evaluator& run, Value value, const Each& each) {
  payload::Lazy& lazy = value->lazy();
  if (lazy.state == GeneratorState::Ended) return true;
  if (lazy.state == GeneratorState::Begun) return iterate(run, run.arena.unknown(), each);
  lazy.state = GeneratorState::Begun;
  bool is_left = false;
  Each give = [&](Value item) {
    is_left = !each(item);
    return !is_left;
  };
  if (run.frames().size() > Evaluator::kMaxFrames) run.stop();
  if (!run.goes_deeper(Evaluator::kMaxWalkDepth)) return false;
  const PythonTree& tree = *lazy.file->tree;
  CallFrame frame;
  frame.file = lazy.file;
  frame.line = tree[lazy.node].line + 1;
  frame.on_yield = &give;
  frame.consumer_frames = run.frames().size();
  frame.consumer = run.scope();
  const Value before = run.signals.returned;
  if (lazy.kind == LazyKind::Generator) {
    const Evaluator::InScope inside(run, lazy.environment);
    frame.function = tree.text(tree.child(lazy.node, F::Name));
    run.frames().push_back(frame);
    run_block(run, tree.child(lazy.node, F::Body));
  } else {
    const Evaluator::InScope inside(run, run.arena.environment(lazy.environment, lazy.file));
    frame.function = "<genexpr>";
    run.frames().push_back(frame);
    const uint32_t body = tree.child(lazy.node, F::Body);
    if (body != kNone) {
      comprehend(
          run, tree[body].next, body, [&](Value item) { return give_item(run, frame, give, item); },
          lazy.items.empty() ? nullptr : lazy.items.front());
    }
  }
  run.comes_back();
  run.signals.leaves_generator = false;
  run.signals.returned = before;
  run.frames().resize(frame.consumer_frames);
  if (!is_left) lazy.state = GeneratorState::Ended;
  return true;
}

// Gives an item to who walks through a generator, which runs without the generator's frames.
bool give_item(Evaluator& run, const CallFrame& generator, const Each& give, Value item) {
  const auto first = static_cast<ptrdiff_t>(generator.consumer_frames);
  const std::vector<CallFrame> hidden(run.frames().begin() + first, run.frames().end());
  Environment* const consumer = generator.consumer;
  run.frames().resize(static_cast<size_t>(first));
  bool goes_on = false;
  {
    const Evaluator::InScope inside(run, consumer);
    goes_on = give(item);
  }
  run.frames().resize(static_cast<size_t>(first));
  run.frames().insert(run.frames().end(), hidden.begin(), hidden.end());
  return goes_on;
}

// What runs code of the project's leads, or else the first; a second one of that kind is run in
// advance.
bool iterate_zip(Evaluator& run, Value value, const Each& each) {
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
    if (other != leader && is_run(*other)) *other = iterator_over(run, all_of(run, *other));
  }
  return iterate(run, *leader, [&](Value item) {
    std::vector<Value> row;
    for (const Value& one : of) {
      const Value next =
          &one == &*leader ? item
          : is_known(one)  ? next_of(run, one)
                           : unknown_attribute(run, one, "#" + std::to_string(value->lazy().next));
      if (next == nullptr) return false;
      row.push_back(next);
    }
    ++value->lazy().next;
    return each(run.arena.tuple(std::move(row)));
  });
}

}  // namespace

Value iterator_of(Evaluator& run, Value value) {
  value = run.model.settled(value);
  if (value->is(ValueKind::Lazy) || value->is(ValueKind::Unknown)) return value;
  if (value->is(ValueKind::Instance)) {
    bool found = false;
    const Value made = call_method_named(run, value, "__iter__", {}, kNone, found);
    if (found) return made->is(ValueKind::Instance) ? made : iterator_of(run, made);
  }
  std::optional<std::vector<Value>> items = exactly_all_of(run, value);
  return items ? iterator_over(run, std::move(*items)) : run.arena.unknown();
}

Value iterator_over(Evaluator& run, std::vector<Value> items) {
  return run.arena.make(payload::Lazy{.kind = LazyKind::Iterator, .items = std::move(items)});
}

bool iterate_lazy(Evaluator& run, Value value, const Each& each) {
  // All runs share it: how far it was walked must not be noted in it.
  if (!run.may_write(value)) return iterate(run, run.arena.unknown(), each);
  if (!run.goes_deeper(Evaluator::kMaxWalkDepth)) return false;
  const bool is_walked = walk_lazy(run, value, each);
  run.comes_back();
  return is_walked;
}

bool is_generator(Evaluator& run, const SourceFile* file, uint32_t function) {
  const auto [at, is_new] = run.caches.is_generator.try_emplace({file, function}, false);
  if (!is_new) return at->second;
  const PythonTree& tree = *file->tree;
  const uint32_t body = tree.child(function, F::Body);
  if (body == kNone) return false;
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    run.step();
    const K kind = tree[n].kind;
    if (n != body && (kind == K::FunctionDefinition || kind == K::Lambda)) {
      n = tree[n].end_child - 1;
    } else if (kind == K::Yield) {
      at->second = true;
      break;
    }
  }
  return at->second;
}

Value eval_yield(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  if (run.frames().empty() || run.frames().back().on_yield == nullptr) return run.arena.unknown();
  const bool is_from = tree.text(node).starts_with("yield from");
  const uint32_t first = tree[node].first_child;
  const Value value = first == kNone ? run.arena.none() : eval(run, first);
  if (run.is_stopped()) return run.arena.unknown();
  const auto give = [&](Value item) {
    const CallFrame own = run.frames().back();
    const size_t depth = run.frames().size();
    const bool goes_on = give_item(run, own, *own.on_yield, item);
    if (!goes_on) run.signals.leaves_generator = true;
    return goes_on && !run.is_stopped() && run.frames().size() == depth;
  };
  if (is_from) {
    iterate(run, value, give);
  } else {
    give(value);
  }
  return run.arena.none();
}

}  // namespace etlens::recover
