// SPDX-License-Identifier: Apache-2.0
// Comprehensions, and generator expressions.
#include <utility>

#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

bool comprehend_kind(Evaluator& run, uint32_t clause, uint32_t body, const Each& each, Value made) {
  const PythonTree& tree = run.tree();
  if (clause == kNone) {
    if (tree[body].kind == K::Pair) {
      const Value key = eval(run, tree.child(body, F::Key));
      const Value value = eval(run, tree.child(body, F::Value));
      return each(run.arena.tuple({key, value}));
    }
    return each(eval(run, body));
  }
  if (tree[clause].kind == K::IfClause) {
    const Value condition = eval(run, tree[clause].first_child);
    if (run.is_stopped()) return false;
    if (run.is_quiet() && !known_truth(run, condition).has_value()) run.signals.misses_items = true;
    return truth(run, condition) ? comprehend(run, tree[clause].next, body, each)
                                 : !run.is_stopped();
  }
  if (tree[clause].kind != K::ForInClause) return comprehend(run, tree[clause].next, body, each);
  const uint32_t right = tree.child(clause, F::Right);
  const Value source = made == nullptr ? eval(run, right) : made;
  bool goes_on = true;
  run.at(right);
  const uint32_t next = tree[clause].next;
  const uint32_t target = tree.child(clause, F::Left);
  bool is_walked = false;
  const size_t begin = run.matcher.position();
  iterate(run, source, [&](Value item) {
    run.step();
    is_walked = true;
    assign(run, target, item);
    goes_on = !run.is_stopped() && comprehend(run, next, body, each);
    if (goes_on && !run.is_stopped()) run.at(right);
    return goes_on && !run.is_stopped();
  });
  const bool is_open = source->is(ValueKind::Unknown) || is_from_module(source);
  // The units that it uses show how often it is walked.
  if (is_open && (!is_walked || run.matcher.position() == begin)) run.signals.misses_items = true;
  return goes_on && !run.is_stopped();
}

}  // namespace

Value eval_generator(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  payload::Lazy lazy{.kind = LazyKind::Expression};
  lazy.file = run.scope()->file;
  lazy.node = node;
  lazy.environment = run.scope();
  // The first source is made here, by whoever makes the generator.
  const uint32_t body = tree.child(node, F::Body);
  const uint32_t clause = body == kNone ? kNone : tree[body].next;
  if (clause != kNone && tree[clause].kind == K::ForInClause)
    lazy.items.push_back(eval(run, tree.child(clause, F::Right)));
  return run.arena.make(std::move(lazy));
}

bool comprehend(Evaluator& run, uint32_t clause, uint32_t body, const Each& each, Value made) {
  if (!run.goes_deeper()) return false;
  const bool goes_on = comprehend_kind(run, clause, body, each, made);
  run.comes_back();
  return goes_on;
}

Value eval_comprehension(Evaluator& run, uint32_t node, ValueKind kind) {
  const PythonTree& tree = run.tree();
  const uint32_t body = tree.child(node, F::Body);
  if (body == kNone) return run.arena.unknown();
  std::vector<Value> items;
  std::vector<Value> values;  // of a dictionary, whose keys are the items
  const Evaluator::InScope inside(run, run.arena.environment(run.scope(), run.scope()->file));
  const bool missed = std::exchange(run.signals.misses_items, false);
  const size_t begin = run.matcher.position();
  comprehend(run, tree[body].next, body, [&](Value item) {
    if (items.size() > kMaxItems) {
      run.stop();
      return false;
    }
    if (kind == ValueKind::Dict) {
      items.push_back(item->items()[0]);
      values.push_back(item->items()[1]);
    } else {
      items.push_back(item);
    }
    return true;
  });
  const bool is_open = std::exchange(run.signals.misses_items, missed);
  if (is_open && (run.is_quiet() || items.empty() || run.matcher.position() == begin))
    return run.arena.unknown();
  if (kind == ValueKind::Dict)
    return run.arena.make(payload::Dict{.keys = std::move(items), .values = std::move(values)});
  return run.arena.sequence(kind, std::move(items));
}

}  // namespace etlens::recover
