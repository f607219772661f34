// SPDX-License-Identifier: Apache-2.0
// Operators, comparisons and what is true.
#include "core/recover/interpreter/operators.h"

#include <algorithm>
#include <cmath>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {
namespace {

using F = PythonField;

constexpr OperatorMethod kOperators[] = {
    {"+", "add", "__add__", "__radd__"},
    {"-", "sub", "__sub__", "__rsub__"},
    {"*", "mul", "__mul__", "__rmul__"},
    {"/", "div", "__truediv__", "__rtruediv__"},
    {"//", "floor_divide", "__floordiv__", "__rfloordiv__"},
    {"%", "remainder", "__mod__", "__rmod__"},
    {"**", "pow", "__pow__", "__rpow__"},
    {"@", "matmul", "__matmul__", "__rmatmul__"},
    {"&", "bitwise_and", "__and__", "__rand__"},
    {"|", "bitwise_or", "__or__", "__ror__"},
    {"^", "bitwise_xor", "__xor__", "__rxor__"},
    {">>", "bitwise_right_shift", "__rshift__", "__rrshift__"},
    {"<<", "bitwise_left_shift", "__lshift__", "__rlshift__"},
    {"<", "lt", "__lt__", "__gt__"},
    {">", "gt", "__gt__", "__lt__"},
    {"<=", "le", "__le__", "__ge__"},
    {">=", "ge", "__ge__", "__le__"},
    {"==", "eq", "__eq__", "__eq__"},
    {"!=", "ne", "__ne__", "__ne__"},
};

Value arithmetic(Arena& arena, std::string_view op, Value a, Value b) {
  const bool whole = !a->is(ValueKind::Float) && !b->is(ValueKind::Float);
  const double x = as_double(a);
  const double y = as_double(b);
  const int64_t i = whole ? a->integer() : 0;
  const int64_t j = whole ? b->integer() : 0;
  int64_t out = 0;
  // Python's integers have no end; and what a float cannot hold is rounded.
  if (!whole && (!is_exact(a) || !is_exact(b))) return arena.unknown();
  if (op == "+") {
    if (!whole) return arena.number(x + y);
    return __builtin_add_overflow(i, j, &out) ? arena.unknown() : arena.integer(out);
  }
  if (op == "-") {
    if (!whole) return arena.number(x - y);
    return __builtin_sub_overflow(i, j, &out) ? arena.unknown() : arena.integer(out);
  }
  if (op == "*") {
    if (!whole) return arena.number(x * y);
    return __builtin_mul_overflow(i, j, &out) ? arena.unknown() : arena.integer(out);
  }
  if (op == "/")
    return y == 0 || !is_exact(a) || !is_exact(b) ? arena.unknown() : arena.number(x / y);
  if (op == "//" || op == "%") {
    if (whole) {
      if (j == 0 || (j == -1 && i == INT64_MIN)) return arena.unknown();
      if (j == -1) return arena.integer(op == "%" ? 0 : -i);
      const bool is_below = i % j != 0 && (i < 0) != (j < 0);
      return arena.integer(op == "//" ? i / j - (is_below ? 1 : 0) : i % j + (is_below ? j : 0));
    }
    if (y == 0) return arena.unknown();
    const double quotient = std::floor(x / y);
    return arena.number(op == "//" ? quotient : x - quotient * y);
  }
  if (op == "**") {
    if (whole && j >= 0 && j < 64) {
      int64_t power = 1;
      for (int64_t n = 0; n < j; ++n) {
        if (__builtin_mul_overflow(power, i, &power)) return arena.unknown();
      }
      return arena.integer(power);
    }
    if ((whole && j >= 0) || x <= 0) return arena.unknown();  // too large, or complex, or an error
    return arena.number(std::pow(x, y));
  }
  if (whole && op == "&") return arena.integer(i & j);
  if (whole && op == "|") return arena.integer(i | j);
  if (whole && op == "^") return arena.integer(i ^ j);
  if (whole && op == ">>" && j >= 0 && j < 63) return arena.integer(i >> j);
  if (whole && op == "<<" && j >= 0 && j < 31 && i >= 0 && i < (1LL << 31))
    return arena.integer(i << j);
  return arena.unknown();
}

}  // namespace

const OperatorMethod* operator_method(std::string_view op) {
  for (const OperatorMethod& row : kOperators) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

bool is_exact(Value value) {
  return value->is(ValueKind::Float) ||
         (as_double(value) < kMostExact && as_double(value) > -kMostExact);
}

bool is_open(Value value) { return value->is(ValueKind::Unknown) || value->is(ValueKind::Tensor); }

Value eval_binary(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const Value left = eval(run, tree.child(node, F::Left));
  const Value right = eval(run, tree.child(node, F::Right));
  const uint32_t op = tree.child(node, F::Operator);
  if (run.is_stopped() || op == kNone) return run.arena.unknown();
  return binary(run, tree.text(op), left, right, node);
}

Value binary(Evaluator& run, std::string_view op, Value left, Value right, uint32_t node) {
  run.at(node);
  if (is_number(left) && is_number(right)) return arithmetic(run.arena, op, left, right);
  const OperatorMethod* row = operator_method(op);
  if (row == nullptr) return run.arena.unknown();
  bool found = false;
  if (left->is(ValueKind::Instance)) {
    const Value made = call_method_named(run, left, row->method, {{right}, {}, false}, node, found);
    if (found || run.is_stopped()) return made;
  }
  if (right->is(ValueKind::Instance)) {
    const Value made =
        call_method_named(run, right, row->reflected, {{left}, {}, false}, node, found);
    if (found || run.is_stopped()) return made;
    if (find_object(run, left, row->method, false))
      return call_method_named(run, left, row->method, {{right}, {}, false}, node, found);
    if (!run.is_quiet() && !left->is(ValueKind::Unknown)) {
      run.stop();  // Python would raise TypeError
      return run.arena.unknown();
    }
  }
  if (left->is(ValueKind::Text) && op == "+") {
    if (right->is(ValueKind::Text)) return made_text(run, left->text() + right->text());
    if (right->is(ValueKind::Unknown)) return text_beginning(run, left->text());
  }
  const bool is_more = is_from_module(right);
  if (is_sequence(left) && (left->kind() == right->kind() || is_more) && op == "+") {
    std::vector<Value> items = left->items();
    const std::vector<Value> more = all_of(run, right);
    items.insert(items.end(), more.begin(), more.end());
    if (items.size() > kMaxItems) return run.arena.unknown();
    return run.arena.sequence(left->kind(), std::move(items));
  }
  if (left->is(ValueKind::Int) && is_sequence(right)) std::swap(left, right);
  if (is_sequence(left) && right->is(ValueKind::Int) && op == "*") {
    const size_t size = left->items().size();
    const int64_t times = size == 0 ? 0 : std::max<int64_t>(right->integer(), 0);
    if (times > static_cast<int64_t>(kMaxItems / std::max<size_t>(size, 1)))
      return run.arena.unknown();
    std::vector<Value> items;
    items.reserve(size * static_cast<size_t>(times));
    for (int64_t n = 0; n < times; ++n)
      items.insert(items.end(), left->items().begin(), left->items().end());
    return run.arena.sequence(left->kind(), std::move(items));
  }
  if (left->is(ValueKind::Dict) && right->is(ValueKind::Dict) && op == "|") {
    const Value both = run.arena.dict();
    put_all(run, both, left);
    put_all(run, both, right);
    return both;
  }
  if (!is_open(left) && !is_open(right)) return run.arena.unknown();
  if (run.is_quiet() && !left->is(ValueKind::Tensor) && !right->is(ValueKind::Tensor))
    return run.arena.unknown();  // numbers, or texts, or containers
  Arguments operands{{left, right}, {}, false};
  return run.matcher.torch_call(row->name, operands, node);
}

Value eval_unary(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t argument = tree.child(node, F::Argument);
  const uint32_t op_node = tree.child(node, F::Operator);
  const Value value = eval(run, argument);
  if (run.is_stopped() || op_node == kNone) return run.arena.unknown();
  const std::string_view op = tree.text(op_node);
  run.at(node);
  if (value->is(ValueKind::Int) || value->is(ValueKind::Bool)) {
    if (op == "-")
      return value->integer() == INT64_MIN ? run.arena.unknown()
                                           : run.arena.integer(-value->integer());
    return op == "~" ? run.arena.integer(~value->integer()) : run.arena.integer(value->integer());
  }
  if (value->is(ValueKind::Float))
    return run.arena.number(op == "-" ? -value->number() : value->number());
  bool found = false;
  if (value->is(ValueKind::Instance)) {
    const Value made = call_method_named(run, value,
                                         op == "-"   ? "__neg__"
                                         : op == "~" ? "__invert__"
                                                     : "__pos__",
                                         {}, node, found);
    if (found || run.is_stopped()) return made;
  }
  if (!is_open(value) || op == "+") return run.arena.unknown();
  Arguments operands{{value}, {}, false};
  return run.matcher.torch_call(op == "-" ? "neg" : "bitwise_not", operands, node);
}

}  // namespace etlens::recover
