// SPDX-License-Identifier: Apache-2.0
// What gives names, attributes and items values.

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

void assign_subscript(Evaluator& run, uint32_t target, Value value) {
  const PythonTree& tree = run.tree();
  const Value container = eval(run, tree.child(target, PythonField::Value));
  const std::vector<Value> indices = eval_indices(run, target);
  if (run.is_stopped() || indices.empty() || !run.may_write(container)) return;
  run.at(target);
  switch (container->kind()) {
    case ValueKind::Dict:
      return put(run, container, indices[0], value);
    case ValueKind::List:
      if (indices[0]->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(container->items().size());
        const int64_t given = indices[0]->integer();
        const int64_t i = given < 0 ? given + size : given;
        if (i >= 0 && i < size) container->items()[static_cast<size_t>(i)] = value;
      } else {
        run.forget(container);
      }
      return;
    case ValueKind::Instance: {
      bool found = false;
      call_method_named(run, container, "__setitem__", {{indices[0], value}, {}, false}, target,
                        found);
      if (!found && held_dict(container) != nullptr)
        put(run, held_dict(container), indices[0], value);
      return;
    }
    case ValueKind::Tensor:
      if (!is_multiple(container)) run.matcher.write_to(container, indices, value);
      return;
    default:
      return;
  }
}

// tensor[…] += value: its part is read, computed with and written back.
void update_part(Evaluator& run, uint32_t node, std::string_view op, Value tensor) {
  const PythonTree& tree = run.tree();
  const uint32_t left = tree.child(node, F::Left);
  const std::vector<Value> indices = eval_indices(run, left);
  if (run.is_stopped() || indices.empty() || !run.may_write(tensor)) return;
  run.at(left);
  const Value part = run.matcher.part_of(tensor, indices);
  const Value right = eval(run, tree.child(node, F::Right));
  const OperatorMethod* const row = operator_method(op);
  if (run.is_stopped() || row == nullptr) return;
  run.at(left);
  const Value made = run.matcher.update(std::string(row->name) + '_', tensor, indices, part, right);
  if (!run.is_stopped()) run.matcher.write_to(tensor, indices, made);
}

}  // namespace

void assign(Evaluator& run, uint32_t target, Value value) {
  if (run.is_stopped() || target == kNone) return;
  const PythonTree& tree = run.tree();
  switch (tree[target].kind) {
    case K::Identifier:
      assign_name(run, tree.text(target), value);
      return;
    case K::ParenthesizedExpression:
      assign(run, tree[target].first_child, value);
      return;
    case K::Attribute: {
      const Value object = eval(run, tree.child(target, F::Object));
      set_attribute(run, object, tree.text(tree.child(target, F::Attribute)), value);
      return;
    }
    case K::Subscript:
      assign_subscript(run, target, value);
      return;
    case K::PatternList:
    case K::TuplePattern:
    case K::ListPattern:
    case K::ExpressionList:
    case K::Tuple:
    case K::List: {
      std::vector<uint32_t> targets;
      size_t star = SIZE_MAX;
      for (uint32_t c = tree[target].first_child; c != kNone; c = tree[c].next) {
        if (tree[c].kind == K::ListSplatPattern || tree[c].kind == K::ListSplat)
          star = targets.size();
        targets.push_back(c);
      }
      run.at(target);
      const std::vector<Value> items = unpack(run, value, targets.size(), star);
      if (run.is_stopped() || items.size() != targets.size()) return;
      for (size_t i = 0; i < targets.size(); ++i)
        assign(run, i == star ? tree[targets[i]].first_child : targets[i], items[i]);
      return;
    }
    default:
      return;
  }
}

void augmented(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t left = tree.child(node, F::Left);
  const uint32_t op_node = tree.child(node, F::Operator);
  if (left == kNone || op_node == kNone) return;
  std::string_view op = tree.text(op_node);
  if (!op.empty()) op.remove_suffix(1);
  if (tree[left].kind == K::Subscript) {
    const Value container = eval(run, tree.child(left, F::Value));
    if (container->is(ValueKind::Tensor) && !is_multiple(container))
      return update_part(run, node, op, container);
  }
  const Value old = eval(run, left);
  const Value right = eval(run, tree.child(node, F::Right));
  if (run.is_stopped()) return;
  if (old->is(ValueKind::List) && op == "+" && run.may_write(old)) {
    extend(run, old, right);
    return;
  }
  const Value made = binary(run, op, old, right, node);
  if (run.is_stopped()) return;
  if (old->is(ValueKind::Tensor) && made->is(ValueKind::Tensor) && !run.is_quiet() &&
      run.may_write(old)) {
    *old = *made;  // in place: all names of the object see it
    old->tensor().is_updated = true;
    assign(run, left, old);
    return;
  }
  assign(run, left, made);
}

}  // namespace etlens::recover
