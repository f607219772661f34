// SPDX-License-Identifier: Apache-2.0
// Statements that may not run, or whose effect is unknown: all that they may have changed becomes
// unknown.

#include <algorithm>
#include <map>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"
#include "core/recover/interpreter/tree_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

void forget_container(Evaluator& run, uint32_t node);

constexpr double kUnexplainedUnit = 0.02;
constexpr size_t kMostWays = 8;  // of one attribute

// name.append(…) and its like: what the name holds is not known any more.
void forget_filled(Evaluator& run, uint32_t call) {
  const uint32_t filled = filled_by(run.tree(), call);
  if (filled != kNone) forget_container(run, filled);
}

void forget_container(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  while (node != kNone && tree[node].kind == K::Subscript) node = tree.child(node, F::Value);
  if (node == kNone) return;
  if (tree[node].kind == K::Attribute) {
    forget_content(run, attribute(run, eval(run, tree.child(node, F::Object)),
                                  tree.text(tree.child(node, F::Attribute)), node));
    return assign(run, node, run.arena.unknown());
  }
  if (tree[node].kind != K::Identifier) return;
  const Value known = lookup(run, tree.text(node));
  if (known == nullptr) return;
  forget_content(run, known);
  if (known->is(ValueKind::List) || known->is(ValueKind::Dict) || known->is(ValueKind::Tuple))
    assign_name(run, tree.text(node), run.arena.unknown());
}

void forget_imports(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].field == F::ModuleName) continue;
    assign_name(run, imported_name(tree, c), run.arena.unknown());
  }
}

void forget_target(Evaluator& run, uint32_t target) {
  if (target == kNone) return;
  const PythonTree& tree = run.tree();
  for (uint32_t t = target; t < tree[target].end_child; ++t) {
    if (tree[t].kind == K::Attribute || tree[t].kind == K::Subscript) {
      if (tree[t].kind == K::Attribute) assign(run, t, run.arena.unknown());
      if (tree[t].kind == K::Subscript) forget_container(run, tree.child(t, F::Value));
      t = tree[t].end_child - 1;
    } else if (tree[t].kind == K::Identifier) {
      assign_name(run, tree.text(t), run.arena.unknown());
    }
  }
}

// What only names something that can be called: g, module.g, torch.compile(g).
bool may_name_callable(Evaluator& run, uint32_t right) {
  const PythonTree& tree = run.tree();
  if (right == kNone) return false;
  if (tree[right].kind == K::Identifier || tree[right].kind == K::Attribute) return true;
  if (tree[right].kind != K::Call) return false;
  const uint32_t function = tree.child(right, F::Function);
  return function != kNone && tree.text(function) == "torch.compile";
}

// Without counting steps: what forgets the node's targets counts them, and comes here as often.
bool assigns_callable(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    if (tree[n].kind != K::Assignment) continue;
    const uint32_t left = tree.child(n, F::Left);
    if (left != kNone && tree[left].kind == K::Attribute &&
        may_name_callable(run, tree.child(n, F::Right)))
      return true;
  }
  return false;
}

bool is_named_callable(Value value) {
  return value->is(ValueKind::Function) ||
         (value->is(ValueKind::External) && !value->name().starts_with("builtins."));
}

}  // namespace

std::vector<OpenCallable> open_callables(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  if (!assigns_callable(run, node)) return {};
  std::map<std::string_view, OpenCallable> found;
  std::map<std::string_view, size_t> counts;  // how often an attribute is named
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    run.step();
    if (tree[n].kind == K::FunctionDefinition || tree[n].kind == K::Lambda) {
      n = tree[n].end_child - 1;
      continue;
    }
    if (tree[n].kind == K::Attribute) ++counts[tree.text(n)];
    if (tree[n].kind != K::Assignment) continue;
    const uint32_t left = tree.child(n, F::Left);
    const uint32_t right = tree.child(n, F::Right);
    if (left == kNone || tree[left].kind != K::Attribute) continue;
    OpenCallable& row = found[tree.text(left)];
    row.target = left;
    row.rights.push_back(may_name_callable(run, right) ? right : kNone);
  }
  std::vector<OpenCallable> rows;
  for (auto& [text, row] : found) {
    const bool is_whole =
        row.rights.size() <= kMostWays && std::ranges::find(row.rights, kNone) == row.rights.end();
    const uint32_t object = tree.child(row.target, F::Object);
    if (!is_whole || counts[text] != row.rights.size() || tree[object].kind != K::Identifier ||
        !eval(run, object)->is(ValueKind::Instance)) {
      continue;
    }
    row.before = eval(run, row.target);
    if (row.before->is(ValueKind::None) || is_named_callable(row.before)) rows.push_back(row);
  }
  return rows;
}

void keep_callables(Evaluator& run, const std::vector<OpenCallable>& rows) {
  for (const OpenCallable& row : rows) {
    std::vector<Value> values{row.before};
    for (const uint32_t right : row.rights) {
      const Value value = eval(run, right);
      if (!is_named_callable(value)) values.clear();
      if (values.empty() || run.is_stopped()) break;
      if (std::ranges::none_of(values, [&](Value one) { return is_same_value(one, value); }))
        values.push_back(value);
    }
    if (!values.empty()) assign(run, row.target, run.arena.one_of(std::move(values)));
  }
}

Flow run_unexplained(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  while (!run.is_stopped() && run.matcher.next_unit() != nullptr) {
    run.step();
    if (run.choose({0, kUnexplainedUnit}) == 0) break;
    run.matcher.skip_unit();
  }
  forget_targets(run, node);
  if (tree[node].kind == K::ReturnStatement) {
    run.signals.returned = run.arena.unknown();
    return Flow::Return;
  }
  return Flow::Next;
}

void note_open_returns(Evaluator& run, uint32_t node) {
  if (run.frames().empty() || run.frames().back().open_returns == nullptr) return;
  std::vector<Value>& open = *run.frames().back().open_returns;
  const PythonTree& tree = run.tree();
  for (uint32_t n = node; n < tree[node].end_child && !run.is_stopped(); ++n) {
    run.step();
    const K kind = tree[n].kind;
    if (kind == K::ReturnStatement) {
      const uint32_t expression = tree[n].first_child;
      open.push_back(expression == kNone ? run.arena.none() : eval(run, expression));
    } else if (kind != K::FunctionDefinition && kind != K::Lambda && kind != K::ClassDefinition) {
      continue;
    }
    n = tree[n].end_child - 1;
  }
}

void forget_content(Evaluator& run, Value value) {
  if (const Value dict = held_dict(value)) value = dict;
  if (value->is(ValueKind::List) || value->is(ValueKind::Dict)) run.forget(value);
}

void forget_targets(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    run.step();
    const K kind = tree[n].kind;
    if (kind == K::FunctionDefinition || kind == K::Lambda || kind == K::ClassDefinition) {
      const uint32_t name = tree.child(n, F::Name);
      if (name != kNone) assign_name(run, tree.text(name), run.arena.unknown());
      n = tree[n].end_child - 1;
      continue;
    }
    switch (kind) {
      case K::Call:
        forget_filled(run, n);
        break;
      case K::Assignment:
      case K::AugmentedAssignment:
      case K::ForStatement:
        forget_target(run, tree.child(n, F::Left));
        break;
      case K::NamedExpression:
        forget_target(run, tree.child(n, F::Name));
        break;
      case K::DeleteStatement:
      case K::AsPatternTarget:
      case K::CasePattern:
        for (uint32_t c = tree[n].first_child; c != kNone; c = tree[c].next) forget_target(run, c);
        break;
      case K::ImportStatement:
      case K::ImportFromStatement:
        forget_imports(run, n);
        break;
      default:
        break;
    }
  }
}

}  // namespace etlens::recover
