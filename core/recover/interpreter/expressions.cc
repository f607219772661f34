// SPDX-License-Identifier: Apache-2.0
// Expressions, but for operators, subscripts, calls and attributes.
#include "core/recover/interpreter/expressions.h"

#include <charconv>
#include <utility>

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

Value eval_literal(Evaluator& run, uint32_t node);
Value eval_integer(Evaluator& run, std::string_view written);
Value eval_float(Evaluator& run, std::string_view written);
Value eval_concatenated(Evaluator& run, uint32_t node);
Value eval_not(Evaluator& run, uint32_t node);
Value eval_attribute(Evaluator& run, uint32_t node);
Value eval_name(Evaluator& run, uint32_t node);
Value eval_collection(Evaluator& run, uint32_t node, ValueKind kind);
Value eval_dictionary(Evaluator& run, uint32_t node);

// `*a.f(x)` in a list without brackets: the grammar gives the star to `a`.
bool is_starred(const PythonTree& tree, uint32_t node) {
  while (node != kNone) {
    switch (tree[node].kind) {
      case K::ListSplat:
      case K::ListSplatPattern:
        return true;
      case K::Call:
        node = tree.child(node, F::Function);
        break;
      case K::Attribute:
        node = tree.child(node, F::Object);
        break;
      case K::Subscript:
        node = tree.child(node, F::Value);
        break;
      default:
        return false;
    }
  }
  return false;
}

}  // namespace

namespace {

Value eval_kind(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  switch (tree[node].kind) {
    case K::Identifier:
      return eval_name(run, node);
    case K::ParenthesizedExpression:
    case K::ListSplat:
    case K::ListSplatPattern:
    case K::Await:
      return eval(run, tree[node].first_child);
    case K::Tuple:
    case K::ExpressionList:
    case K::PatternList:
      return eval_collection(run, node, ValueKind::Tuple);
    case K::List:
      return eval_collection(run, node, ValueKind::List);
    case K::Set:
      return set_of(run, eval_collection(run, node, ValueKind::List));
    case K::Dictionary:
      return eval_dictionary(run, node);
    case K::BinaryOperator:
      return eval_binary(run, node);
    case K::UnaryOperator:
      return eval_unary(run, node);
    case K::NotOperator:
      return eval_not(run, node);
    case K::BooleanOperator:
      return eval_boolean(run, node);
    case K::ComparisonOperator:
      return eval_comparison(run, node);
    case K::ConditionalExpression:
      return eval_conditional(run, node);
    case K::Lambda:
      return make_function(run, node, "<lambda>");
    case K::ListComprehension:
      return eval_comprehension(run, node, ValueKind::List);
    case K::SetComprehension:
      return set_of(run, eval_comprehension(run, node, ValueKind::List));
    case K::DictionaryComprehension:
      return eval_comprehension(run, node, ValueKind::Dict);
    case K::GeneratorExpression:
      return eval_generator(run, node);
    case K::Subscript:
      return eval_subscript(run, node);
    case K::Slice:
      return eval_slice(run, node);
    case K::Attribute:
      return eval_attribute(run, node);
    case K::Call:
      return eval_call(run, node);
    case K::Yield:
      return eval_yield(run, node);
    default:
      return eval_literal(run, node);
  }
}

// What has no parts, or gives a name a value.
Value eval_literal(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  switch (tree[node].kind) {
    case K::True:
      return run.arena.boolean(true);
    case K::False:
      return run.arena.boolean(false);
    case K::None:
      return run.arena.none();
    case K::Ellipsis:
      return run.arena.make(payload::Ellipsis{});
    case K::Integer:
      return eval_integer(run, tree.text(node));
    case K::Float:
      return eval_float(run, tree.text(node));
    case K::String:
      return eval_string(run, node);
    case K::ConcatenatedString:
      return eval_concatenated(run, node);
    case K::NamedExpression: {
      const Value value = eval(run, tree.child(node, F::Value));
      assign(run, tree.child(node, F::Name), value);
      return value;
    }
    case K::Assignment: {
      const uint32_t right = tree.child(node, F::Right);
      if (right == kNone) return run.arena.none();
      const Value value = eval(run, right);
      assign(run, tree.child(node, F::Left), value);
      return value;
    }
    case K::AugmentedAssignment:
      augmented(run, node);
      return run.arena.none();
    default:
      return run.arena.unknown();
  }
}

Value eval_integer(Evaluator& run, std::string_view written) {
  std::string text(written);
  std::erase(text, '_');
  int base = 10;
  size_t skip = 0;
  if (text.size() > 2 && text[0] == '0') {
    const char c = static_cast<char>(text[1] | 0x20);
    base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
    skip = base == 10 ? 0 : 2;
  }
  int64_t number = 0;
  const auto parsed = std::from_chars(text.data() + skip, text.data() + text.size(), number, base);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return run.arena.unknown();
  return run.arena.integer(number);
}

Value eval_float(Evaluator& run, std::string_view written) {
  std::string text(written);
  std::erase(text, '_');
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return run.arena.unknown();
  return run.arena.number(number);
}

Value eval_concatenated(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  std::string text;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    const Value part = eval(run, c);
    if (!part->is(ValueKind::Text)) return run.arena.unknown();
    text += part->text();
    if (text.size() > kMaxText) return run.arena.unknown();
  }
  return run.arena.string(text);
}

Value eval_not(Evaluator& run, uint32_t node) {
  const Value value = eval(run, run.tree().child(node, F::Argument));
  const std::optional<bool> known = known_truth(run, value);
  if (known.has_value()) return run.arena.boolean(!*known);
  if (run.is_quiet()) return run.arena.unknown();
  return run.arena.boolean(!truth(run, value));
}

Value eval_attribute(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const bool is_called = node == run.signals.callee;
  const Value object = eval(run, tree.child(node, F::Object));
  const uint32_t name = tree.child(node, F::Attribute);
  if (run.is_stopped() || name == kNone) return run.arena.unknown();
  run.at(name);
  if (!is_called && is_from_module(object) && !is_tensor_member(tree.text(name)))
    return field_of(run, object);
  return attribute(run, object, tree.text(name), node);
}

Value eval_name(Evaluator& run, uint32_t node) {
  const std::string_view name = run.tree().text(node);
  if (const Value value = lookup(run, name)) return value;
  return run.arena.external("builtins." + std::string(name));
}

Value eval_collection(Evaluator& run, uint32_t node, ValueKind kind) {
  const PythonTree& tree = run.tree();
  std::vector<Value> items;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (is_starred(tree, c)) {
      const Value rest = eval(run, c);
      if (rest->is(ValueKind::Unknown)) return run.arena.unknown();
      const std::optional<std::vector<Value>> more = exactly_all_of(run, rest);
      if (!more) return run.arena.unknown();
      items.insert(items.end(), more->begin(), more->end());
    } else {
      items.push_back(eval(run, c));
    }
    if (run.is_stopped() || items.size() > kMaxItems) return run.arena.unknown();
  }
  return run.arena.sequence(kind, std::move(items));
}

Value eval_dictionary(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const Value dict = run.arena.dict();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Pair) {
      const Value key = eval(run, tree.child(c, F::Key));
      const Value value = eval(run, tree.child(c, F::Value));
      put(run, dict, key, value);
    } else if (tree[c].kind == K::DictionarySplat) {
      merge(run, dict, eval(run, tree[c].first_child));
    }
    if (run.is_stopped() || dict->dict().keys.size() > kMaxItems) return run.arena.unknown();
  }
  return dict;
}

}  // namespace

Value eval(Evaluator& run, uint32_t node) {
  if (node == kNone || run.is_stopped() || run.signals.leaves_generator) return run.arena.unknown();
  if (!run.goes_deeper()) return run.arena.unknown();
  run.step();
  Value value = eval_kind(run, node);
  run.comes_back();
  return value == nullptr ? run.arena.unknown() : value;
}

Value set_of(Evaluator& run, Value list) {
  if (!list->is(ValueKind::List)) return list;
  std::vector<Value> items;
  for (const Value item : list->items()) {
    bool is_known = false;
    for (const Value other : items) {
      run.step();
      const std::optional<bool> equal = known_equal(run, item, other);
      if (!equal.has_value()) return run.arena.unknown();
      is_known |= *equal;
    }
    if (!is_known) items.push_back(item);
  }
  return run.arena.list(std::move(items));
}

}  // namespace etlens::recover
