// SPDX-License-Identifier: Apache-2.0
// Statements.
#include "core/recover/interpreter/statements.h"

#include <utility>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/scopes.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

Flow run_if(Evaluator& run, uint32_t node);
Flow run_for(Evaluator& run, uint32_t node);
Flow run_else(Evaluator& run, uint32_t node);
Flow run_while(Evaluator& run, uint32_t node);
Flow run_with(Evaluator& run, uint32_t node);
void run_delete(Evaluator& run, uint32_t node);

constexpr size_t kMaxRounds = 600;  // of one loop, that use no unit

// A block whose first line may run again, or last.
class Again {
 public:
  explicit Again(Evaluator& run) : run_(run), depth_(run.frames().size()) { count(1); }
  ~Again() { count(-1); }
  Again(const Again&) = delete;
  Again& operator=(const Again&) = delete;

 private:
  void count(int by) {
    if (depth_ > 0 && depth_ <= run_.frames().size())
      run_.frames()[depth_ - 1].loops += static_cast<uint32_t>(by);
  }

  Evaluator& run_;
  size_t depth_;
};

Flow run_kind(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t first = tree[node].first_child;
  switch (tree[node].kind) {
    case K::ExpressionStatement:
      for (uint32_t c = first; c != kNone; c = tree[c].next) eval(run, c);
      return Flow::Next;
    case K::ReturnStatement:
      if (tree[node].next != kNone || first == kNone || tree[first].next == kNone)
        run.signals.returned = first == kNone ? run.arena.none() : eval(run, first);
      return Flow::Return;
    case K::IfStatement:
      return run_if(run, node);
    case K::ForStatement:
      return run_for(run, node);
    case K::WhileStatement:
      return run_while(run, node);
    case K::WithStatement:
      return run_with(run, node);
    case K::MatchStatement:
      return run_match(run, node);
    case K::TryStatement:
      return run_try(run, node);
    case K::FunctionDefinition:
    case K::ClassDefinition:
    case K::DecoratedDefinition:
      define(run, node);
      return Flow::Next;
    case K::ImportStatement:
      run_import(run, node);
      return Flow::Next;
    case K::ImportFromStatement:
      run_import_from(run, node);
      return Flow::Next;
    case K::BreakStatement:
      return Flow::Break;
    case K::ContinueStatement:
      return Flow::Continue;
    case K::RaiseStatement:
      if (run.is_quiet()) run.signals.returned = run.arena.unknown();
      else run.stop();
      return Flow::Return;
    case K::AssertStatement:
      if (first != kNone && !run.is_quiet() && known_truth(run, eval(run, first)) == false)
        run.stop();
      return Flow::Next;
    case K::DeleteStatement:
      run_delete(run, node);
      return Flow::Next;
    case K::GlobalStatement:
    case K::NonlocalStatement:
      for (uint32_t c = first; c != kNone; c = tree[c].next)
        run.scope()->outer_names.push_back(tree.text(c));
      return Flow::Next;
    case K::Block:
      return run_block(run, node);
    default:
      return Flow::Next;
  }
}

// The condition is unknown, and a quiet run tries nothing: what the ways may change becomes unknown.
Flow leave_ways_open(Evaluator& run, uint32_t node) {
  const std::vector<OpenImport> imports = sole_imports(run, node);
  const std::vector<OpenCallable> callables = open_callables(run, node);
  note_open_returns(run, node);
  forget_targets(run, node);
  leave_imports_open(run, imports);
  keep_callables(run, callables);
  return Flow::Next;
}

Flow run_if(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const Value condition = eval(run, tree.child(node, F::Condition));
  if (run.is_quiet() && !known_truth(run, condition).has_value()) return leave_ways_open(run, node);
  if (truth(run, condition))
    return run.is_stopped() ? Flow::Return : run_block(run, tree.child(node, F::Consequence));
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (run.is_stopped()) return Flow::Return;
    if (tree[c].kind == K::ElifClause) {
      const Value next = eval(run, tree.child(c, F::Condition));
      if (run.is_quiet() && !known_truth(run, next).has_value()) return leave_ways_open(run, node);
      if (truth(run, next))
        return run.is_stopped() ? Flow::Return : run_block(run, tree.child(c, F::Consequence));
    } else if (tree[c].kind == K::ElseClause) {
      return run_block(run, tree.child(c, F::Body));
    }
  }
  return Flow::Next;
}

Flow run_for(Evaluator& run, uint32_t node) {
  const Again again(run);
  const PythonTree& tree = run.tree();
  const uint32_t target = tree.child(node, F::Left);
  const uint32_t body = tree.child(node, F::Body);
  const uint32_t right = tree.child(node, F::Right);
  const Value value = eval(run, right);
  Flow result = Flow::Next;
  bool is_left = false;  // by break
  size_t rounds = 0;
  size_t used = run.matcher.position();
  Environment* const scope = run.scope();
  run.at(right);
  const bool missed = std::exchange(run.signals.misses_items, false);
  run.signals.misses_rounds = false;
  iterate(run, value, [&](Value item) {
    rounds = run.matcher.position() == used ? rounds + 1 : 0;
    used = run.matcher.position();
    if (rounds > kMaxRounds) {
      run.stop();
      return false;
    }
    if (run.scope() != scope) return false;
    assign(run, target, item);
    const Flow flow = run_block(run, body);
    if (run.is_stopped() || run.signals.leaves_generator) return false;
    if (flow == Flow::Break) {
      is_left = true;
      return false;
    }
    if (flow == Flow::Return) {
      result = Flow::Return;
      return false;
    }
    run.at(right);  // where the next item is made
    return true;
  });
  const bool is_open = std::exchange(run.signals.misses_items, missed) || run.signals.misses_rounds;
  run.signals.misses_rounds = false;
  if (is_open && !run.is_stopped() && result == Flow::Next) {
    note_open_returns(run, node);
    forget_targets(run, node);
  } else if (!run.is_stopped() && !is_left && result == Flow::Next) {
    result = run_else(run, node);
  }
  if (run.is_stopped()) return Flow::Return;
  return result;
}

// What a loop does that no break left.
Flow run_else(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::ElseClause) return run_block(run, tree.child(c, F::Body));
  }
  return Flow::Next;
}

Flow run_while(Evaluator& run, uint32_t node) {
  const Again again(run);
  const PythonTree& tree = run.tree();
  size_t at_last = SIZE_MAX;
  size_t used = run.matcher.position();
  for (size_t rounds = 0;; ++rounds) {
    if (run.matcher.position() != used) rounds = 0;
    used = run.matcher.position();
    const Value condition = eval(run, tree.child(node, F::Condition));
    const std::optional<bool> known = known_truth(run, condition);
    if (!known.has_value() && run.is_quiet()) {
      note_open_returns(run, node);
      forget_targets(run, node);
      return Flow::Next;
    }
    // A round behind an open question must have used a unit, or there is no end to them.
    if (!known.has_value() && at_last == run.matcher.position()) {
      forget_targets(run, node);
      return Flow::Next;
    }
    if (!known.has_value()) at_last = run.matcher.position();
    if (!truth(run, condition)) return run.is_stopped() ? Flow::Return : run_else(run, node);
    if (run.is_stopped()) break;
    if (rounds > kMaxRounds) {
      run.stop();
      return Flow::Return;
    }
    const Flow flow = run_block(run, tree.child(node, F::Body));
    if (run.is_stopped() || run.signals.leaves_generator || flow == Flow::Return)
      return Flow::Return;
    if (flow == Flow::Break) break;
  }
  return run.is_stopped() ? Flow::Return : Flow::Next;
}

Flow run_with(Evaluator& run, uint32_t node) {
  const Again again(run);
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::WithClause) continue;
    for (uint32_t item = tree[c].first_child; item != kNone; item = tree[item].next) {
      uint32_t value = tree.child(item, F::Value);
      if (value == kNone) value = tree[item].first_child;
      if (value == kNone) continue;
      if (tree[value].kind == K::AsPattern) {
        const uint32_t what = tree[value].first_child;
        if (what == kNone) continue;
        const Value entered = eval(run, what);
        const uint32_t alias = tree[what].next;
        if (alias != kNone && tree[alias].first_child != kNone) {
          // The value of `as` is what __enter__ returns; without the method it is unknown.
          bool found = false;
          const Value given = call_method_named(run, entered, "__enter__", {}, what, found);
          assign(run, tree[alias].first_child, found ? given : run.arena.unknown());
        }
      } else {
        eval(run, value);
      }
    }
  }
  return run_block(run, tree.child(node, F::Body));
}

// What a container holds without the item, or an object without the attribute, is not said.
void run_delete(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    for (uint32_t t = c; t < tree[c].end_child && !run.is_stopped(); ++t) {
      if (tree[t].kind == K::Subscript) {
        forget_content(run, eval(run, tree.child(t, F::Value)));
      } else if (tree[t].kind == K::Attribute) {
        assign(run, t, run.arena.unknown());
      } else {
        if (tree[t].kind == K::Identifier) assign_name(run, tree.text(t), run.arena.unknown());
        continue;
      }
      t = tree[t].end_child - 1;
    }
  }
}

}  // namespace

Flow run_block(Evaluator& run, uint32_t block) {
  if (block == kNone) return Flow::Next;
  const PythonTree& tree = run.tree();
  if (tree[block].kind != K::Block && tree[block].kind != K::Module)
    return run_statement(run, block);
  for (uint32_t c = tree[block].first_child; c != kNone; c = tree[c].next) {
    const Flow flow = run_statement(run, c);
    if (run.is_stopped() || run.signals.leaves_generator) return Flow::Return;
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Flow run_statement(Evaluator& run, uint32_t node) {
  run.step();
  if (run.is_stopped()) return Flow::Return;
  if (!run.is_quiet() && run.task != nullptr && !run.frames().empty() &&
      run.frames().back().loops == 0 && run.matcher.has_passed(run.tree()[node].line + 1)) {
    run.matcher.mark_trouble();
    run.stop();
    return Flow::Return;
  }
  if (!run.frames().empty()) run.frames().back().statement = node;
  if (!run.is_quiet() && run.task != nullptr && !run.task->unexplained.empty() &&
      run.task->unexplained.contains({run.scope()->file, node})) {
    return run_unexplained(run, node);
  }
  if (!run.goes_deeper()) return Flow::Return;
  const Flow flow = run_kind(run, node);
  run.comes_back();
  return flow;
}

}  // namespace etlens::recover
