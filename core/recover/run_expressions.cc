// SPDX-License-Identifier: Apache-2.0
// Expressions, but for calls and attributes.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/recover/interpreter.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr int kMaxDepth = 400;
constexpr size_t kMaxItems = 4096;

struct OperatorMethod {
  std::string_view op, name, method, reflected;
};

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

const OperatorMethod* operator_method(std::string_view op) {
  for (const OperatorMethod& row : kOperators) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

bool is_number(Value value) {
  return value->is(ValueKind::Int) || value->is(ValueKind::Float) || value->is(ValueKind::Bool);
}

double as_double(Value value) {
  return value->is(ValueKind::Float) ? value->number : static_cast<double>(value->integer);
}

bool is_open(Value value) { return value->is(ValueKind::Unknown) || value->is(ValueKind::Tensor); }

Value arithmetic(Arena& arena, std::string_view op, Value a, Value b) {
  const bool whole = !a->is(ValueKind::Float) && !b->is(ValueKind::Float);
  const double x = as_double(a);
  const double y = as_double(b);
  const int64_t i = a->integer;
  const int64_t j = b->integer;
  int64_t out = 0;
  if (op == "+") {
    if (whole && !__builtin_add_overflow(i, j, &out)) return arena.integer(out);
    return arena.number(x + y);
  }
  if (op == "-") {
    if (whole && !__builtin_sub_overflow(i, j, &out)) return arena.integer(out);
    return arena.number(x - y);
  }
  if (op == "*") {
    if (whole && !__builtin_mul_overflow(i, j, &out)) return arena.integer(out);
    return arena.number(x * y);
  }
  if (op == "/") return y == 0 ? arena.unknown() : arena.number(x / y);
  if (op == "//" || op == "%") {
    if (whole) {
      if (j == 0 || j == -1) return j == 0 ? arena.unknown() : arena.integer(op == "%" ? 0 : -i);
      int64_t quotient = i / j;
      if (i % j != 0 && (i < 0) != (j < 0)) --quotient;
      return arena.integer(op == "//" ? quotient : i - quotient * j);
    }
    if (y == 0) return arena.unknown();
    const double quotient = std::floor(x / y);
    return arena.number(op == "//" ? quotient : x - quotient * y);
  }
  if (op == "**") {
    if (whole && j >= 0 && j < 64) {
      int64_t power = 1;
      for (int64_t n = 0; n < j; ++n) {
        if (__builtin_mul_overflow(power, i, &power)) return arena.number(std::pow(x, y));
      }
      return arena.integer(power);
    }
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

void Interpreter::stop() {
  if (!stopped_) mark_trouble();
  stopped_ = true;
}

void Interpreter::at(uint32_t node) {
  if (!frames_.empty() && frames_.back().file == scope_->file)
    frames_.back().line = tree()[node].line + 1;
}

Value Interpreter::eval(uint32_t node) {
  if (node == kNone || stopped_ || leaves_generator_) return arena_.unknown();
  if (++depth_ > kMaxDepth) {
    --depth_;
    stop();
    return arena_.unknown();
  }
  step();
  Value value = eval_kind(node);
  --depth_;
  return value == nullptr ? arena_.unknown() : value;
}

Value Interpreter::eval_kind(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t first = tree[node].first_child;
  switch (tree[node].kind) {
    case K::Identifier:
      return eval_name(node);
    case K::True:
      return arena_.boolean(true);
    case K::False:
      return arena_.boolean(false);
    case K::None:
      return arena_.none();
    case K::Ellipsis:
      return arena_.make(ValueKind::Ellipsis);
    case K::Integer: {
      std::string text(tree.text(node));
      std::erase(text, '_');
      int base = 10;
      size_t skip = 0;
      if (text.size() > 2 && text[0] == '0') {
        const char c = static_cast<char>(text[1] | 0x20);
        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
        skip = base == 10 ? 0 : 2;
      }
      int64_t number = 0;
      const auto parsed =
          std::from_chars(text.data() + skip, text.data() + text.size(), number, base);
      if (parsed.ec != std::errc()) return arena_.unknown();
      return arena_.integer(number);
    }
    case K::Float: {
      std::string text(tree.text(node));
      std::erase(text, '_');
      double number = 0;
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
      if (parsed.ec != std::errc()) return arena_.unknown();
      return arena_.number(number);
    }
    case K::String:
      return eval_string(node);
    case K::ConcatenatedString: {
      std::string text;
      for (uint32_t c = first; c != kNone; c = tree[c].next) {
        const Value part = eval(c);
        if (!part->is(ValueKind::Text)) return arena_.unknown();
        text += part->text;
      }
      return arena_.string(text);
    }
    case K::ParenthesizedExpression:
    case K::Await:
      return eval(first);
    case K::Tuple:
    case K::ExpressionList:
    case K::PatternList:
      return eval_collection(node, ValueKind::Tuple);
    case K::List:
    case K::Set:
      return eval_collection(node, ValueKind::List);
    case K::Dictionary:
      return eval_dictionary(node);
    case K::BinaryOperator:
      return eval_binary(node);
    case K::UnaryOperator:
      return eval_unary(node);
    case K::NotOperator: {
      const Value value = eval(tree.child(node, F::Argument));
      const std::optional<bool> known = known_truth(value);
      if (known.has_value()) return arena_.boolean(!*known);
      if (is_quiet()) return arena_.unknown();
      return arena_.boolean(!truth(value));
    }
    case K::BooleanOperator:
      return eval_boolean(node);
    case K::ComparisonOperator:
      return eval_comparison(node);
    case K::ConditionalExpression:
      return eval_conditional(node);
    case K::NamedExpression: {
      const Value value = eval(tree.child(node, F::Value));
      assign(tree.child(node, F::Name), value);
      return value;
    }
    case K::Lambda:
      return make_function(node, "<lambda>");
    case K::Assignment: {
      const uint32_t right = tree.child(node, F::Right);
      if (right == kNone) return arena_.none();
      const Value value = eval(right);
      assign(tree.child(node, F::Left), value);
      return value;
    }
    case K::AugmentedAssignment:
      augmented(node);
      return arena_.none();
    case K::ListComprehension:
    case K::SetComprehension:
      return eval_comprehension(node, ValueKind::List);
    case K::DictionaryComprehension:
      return eval_comprehension(node, ValueKind::Dict);
    case K::GeneratorExpression: {
      const Value lazy = arena_.make(ValueKind::Lazy);
      lazy->lazy = LazyKind::Expression;
      lazy->file = scope_->file;
      lazy->node = node;
      lazy->environment = scope_;
      return lazy;
    }
    case K::Subscript:
      return eval_subscript(node);
    case K::Slice:
      return eval_slice(node);
    case K::Attribute: {
      const Value object = eval(tree.child(node, F::Object));
      const uint32_t name = tree.child(node, F::Attribute);
      if (stopped_ || name == kNone) return arena_.unknown();
      at(name);
      return attribute(object, tree.text(name), node);
    }
    case K::Call:
      return eval_call(node);
    case K::Yield:
      return eval_yield(node);
    default:
      return arena_.unknown();
  }
}

Value Interpreter::lookup(std::string_view name) {
  for (Environment* e = scope_; e != nullptr; e = e->outer) {
    step();
    if (e->is_class_body && e != scope_) continue;
    if (const Value value = e->find(name)) return local(value);
    if (e->is_initial) {
      if (const Value value = initial_name(*e, name)) return value;
    }
  }
  return nullptr;
}

Value Interpreter::eval_name(uint32_t node) {
  const std::string_view name = tree().text(node);
  if (const Value value = lookup(name)) return value;
  return arena_.external("builtins." + std::string(name));
}

Value Interpreter::eval_string(uint32_t node) {
  const PythonTree& tree = this->tree();
  std::string_view text = tree.text(node);
  bool is_format = false;
  while (!text.empty() && text.front() != '"' && text.front() != '\'') {
    is_format |= (text.front() | 0x20) == 'f';
    text.remove_prefix(1);
  }
  const size_t quotes = text.starts_with("\"\"\"") || text.starts_with("'''") ? 3 : 1;
  if (text.size() < 2 * quotes) return arena_.unknown();
  if (!is_format) return arena_.string(text.substr(quotes, text.size() - 2 * quotes));
  std::string made;
  uint32_t from = tree[node].end - static_cast<uint32_t>(text.size() - quotes);
  const uint32_t end = tree[node].end - static_cast<uint32_t>(quotes);
  const std::string_view all = tree.document->text();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::Interpolation) continue;
    if (tree[c].begin > from) made += all.substr(from, tree[c].begin - from);
    from = tree[c].end;
    if (tree[c].first_child == kNone) return arena_.unknown();
    const Value part = eval(tree[c].first_child);
    if (part->is(ValueKind::Text)) {
      made += part->text;
    } else if (part->is(ValueKind::Int)) {
      made += std::to_string(part->integer);
    } else {
      return arena_.unknown();
    }
  }
  if (end > from) made += all.substr(from, end - from);
  return arena_.string(made);
}

Value Interpreter::eval_collection(uint32_t node, ValueKind kind) {
  const PythonTree& tree = this->tree();
  std::vector<Value> items;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::ListSplat) {
      const Value rest = eval(tree[c].first_child);
      for (const Value item : all_of(rest)) items.push_back(item);
    } else {
      items.push_back(eval(c));
    }
    if (stopped_ || items.size() > kMaxItems) return arena_.unknown();
  }
  return arena_.sequence(kind, std::move(items));
}

Value Interpreter::eval_dictionary(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value dict = arena_.make(ValueKind::Dict);
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Pair) {
      const Value key = eval(tree.child(c, F::Key));
      const Value value = eval(tree.child(c, F::Value));
      dict->items.push_back(key);
      dict->values.push_back(value);
    } else if (tree[c].kind == K::DictionarySplat) {
      const Value rest = eval(tree[c].first_child);
      if (!rest->is(ValueKind::Dict)) return arena_.unknown();
      dict->items.insert(dict->items.end(), rest->items.begin(), rest->items.end());
      dict->values.insert(dict->values.end(), rest->values.begin(), rest->values.end());
    }
    if (stopped_ || dict->items.size() > kMaxItems) return arena_.unknown();
  }
  return dict;
}

Value Interpreter::eval_binary(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value left = eval(tree.child(node, F::Left));
  const Value right = eval(tree.child(node, F::Right));
  const uint32_t op = tree.child(node, F::Operator);
  if (stopped_ || op == kNone) return arena_.unknown();
  return binary(tree.text(op), left, right, node);
}

Value Interpreter::binary(std::string_view op, Value left, Value right, uint32_t node) {
  at(node);
  if (is_number(left) && is_number(right)) return arithmetic(arena_, op, left, right);
  const OperatorMethod* row = operator_method(op);
  if (row == nullptr) return arena_.unknown();
  bool found = false;
  if (left->is(ValueKind::Instance)) {
    const Value made = call_method_named(left, row->method, {{right}, {}, false}, node, found);
    if (found || stopped_) return made;
  }
  if (right->is(ValueKind::Instance)) {
    const Value made = call_method_named(right, row->reflected, {{left}, {}, false}, node, found);
    if (found || stopped_) return made;
    if (!is_quiet() && !left->is(ValueKind::Unknown)) {
      stop();  // Python would raise TypeError
      return arena_.unknown();
    }
  }
  if (left->is(ValueKind::Text) && right->is(ValueKind::Text) && op == "+")
    return arena_.string(left->text + right->text);
  if ((left->is(ValueKind::Tuple) || left->is(ValueKind::List)) && left->kind == right->kind &&
      op == "+") {
    std::vector<Value> items = left->items;
    items.insert(items.end(), right->items.begin(), right->items.end());
    if (items.size() > kMaxItems) return arena_.unknown();
    return arena_.sequence(left->kind, std::move(items));
  }
  if ((left->is(ValueKind::Tuple) || left->is(ValueKind::List)) && right->is(ValueKind::Int) &&
      op == "*") {
    std::vector<Value> items;
    for (int64_t n = 0; n < right->integer && items.size() < kMaxItems; ++n)
      items.insert(items.end(), left->items.begin(), left->items.end());
    return arena_.sequence(left->kind, std::move(items));
  }
  if (left->is(ValueKind::Dict) && right->is(ValueKind::Dict) && op == "|") {
    const Value both = arena_.make(ValueKind::Dict);
    *both = *left;
    for (size_t i = 0; i < right->items.size() && i < right->values.size(); ++i) {
      both->items.push_back(right->items[i]);
      both->values.push_back(right->values[i]);
    }
    return both;
  }
  if (!is_open(left) && !is_open(right)) return arena_.unknown();
  Arguments operands{{left, right}, {}, false};
  return torch_call(row->name, operands, node);
}

Value Interpreter::eval_unary(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t argument = tree.child(node, F::Argument);
  const uint32_t op_node = tree.child(node, F::Operator);
  const Value value = eval(argument);
  if (stopped_ || op_node == kNone) return arena_.unknown();
  const std::string_view op = tree.text(op_node);
  at(node);
  if (value->is(ValueKind::Int) || value->is(ValueKind::Bool)) {
    if (op == "-")
      return value->integer == INT64_MIN ? arena_.unknown() : arena_.integer(-value->integer);
    return op == "~" ? arena_.integer(~value->integer) : arena_.integer(value->integer);
  }
  if (value->is(ValueKind::Float)) return arena_.number(op == "-" ? -value->number : value->number);
  bool found = false;
  if (value->is(ValueKind::Instance)) {
    const Value made = call_method_named(value,
                                         op == "-"   ? "__neg__"
                                         : op == "~" ? "__invert__"
                                                     : "__pos__",
                                         {}, node, found);
    if (found || stopped_) return made;
  }
  if (!is_open(value) || op == "+") return arena_.unknown();
  Arguments operands{{value}, {}, false};
  return torch_call(op == "-" ? "neg" : "bitwise_not", operands, node);
}

std::optional<bool> Interpreter::known_truth(Value value) {
  switch (value->kind) {
    case ValueKind::None:
      return false;
    case ValueKind::Bool:
    case ValueKind::Int:
      return value->integer != 0;
    case ValueKind::Float:
      return value->number != 0;
    case ValueKind::Text:
      return !value->text.empty();
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
      return !value->items.empty();
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
    case ValueKind::Class:
    case ValueKind::File:
    case ValueKind::Ellipsis:
      return true;
    case ValueKind::Instance:
      if (!value->items[0]->is(ValueKind::Class)) return true;
      if (find_member(value->items[0], "__bool__") || find_member(value->items[0], "__len__"))
        return std::nullopt;
      return true;
    case ValueKind::Module:
      return true;
    case ValueKind::External:
      if (value->text == "typing.TYPE_CHECKING") return false;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// The same question about the same value gives the same answer within a run.
bool Interpreter::remembered_choice(Value value, std::string_view key) {
  for (const auto& [name, answer] : value->attributes) {
    if (name == key) return answer->integer != 0;
  }
  const bool answer = choose({0, 0}) == 0;
  value->attributes.emplace_back(arena_.keep(std::string(key)), arena_.boolean(answer));
  return answer;
}

bool Interpreter::truth(Value value) {
  const std::optional<bool> known = known_truth(value);
  if (known.has_value()) return *known;
  if (stopped_ || is_quiet()) return false;
  return remembered_choice(value, "__bool__");
}

void Interpreter::become(Value unknown, Value known) {
  if (unknown == known || !unknown->is(ValueKind::Unknown)) return;
  const bool is_shared = unknown->is_shared;
  *unknown = *known;
  unknown->is_shared = is_shared;
}

// What files define is shared by all runs: what may change in a run is copied first.
Value Interpreter::local(Value value) {
  if (!value->is_shared || problem_ == nullptr) return value;
  switch (value->kind) {
    case ValueKind::Unknown:
    case ValueKind::Tensor:
    case ValueKind::Tuple:
    case ValueKind::List:
    case ValueKind::Dict:
    case ValueKind::Instance:
    case ValueKind::Method:
    case ValueKind::Partial:
      break;
    default:
      return value;
  }
  if (value->is(ValueKind::Instance) && !value->items.empty() && value->text.empty() &&
      value->items[0]->is(ValueKind::Class)) {
    for (const Value base : bases_in_order(value->items[0])) {
      // Members of an enumeration are told apart by what they are, not by what they hold.
      if (base->is(ValueKind::External) && base->text.starts_with("enum.")) return value;
    }
  }
  Value& copy = local_[value];
  if (copy == nullptr) copy = copy_of(arena_, value);
  return copy;
}

Value Interpreter::eval_boolean(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t op = tree.child(node, F::Operator);
  const Value left = eval(tree.child(node, F::Left));
  if (stopped_ || op == kNone) return arena_.unknown();
  const bool is_and = tree.text(op) == "and";
  const std::optional<bool> known = known_truth(left);
  if (!known.has_value() && is_quiet()) {
    const Value right = eval(tree.child(node, F::Right));
    const Value open = arena_.unknown();
    if (!is_and) open->items = {left, right};
    return open;
  }
  if (truth(left) == is_and) return eval(tree.child(node, F::Right));
  return left;
}

std::optional<bool> Interpreter::known_equal(Value a, Value b) {
  if (a == b && !a->is(ValueKind::Unknown) && !a->is(ValueKind::Tensor)) return true;
  const auto is_open_value = [](Value v) {
    return v->is(ValueKind::Unknown) || v->is(ValueKind::Tensor) || v->is(ValueKind::Lazy) ||
           v->is(ValueKind::Instance);
  };
  if (is_open_value(a) || is_open_value(b)) return std::nullopt;
  if (is_number(a) && is_number(b)) return as_double(a) == as_double(b);
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case ValueKind::None:
      return true;
    case ValueKind::Text:
    case ValueKind::Module:
      return a->text == b->text;
    case ValueKind::External:
      if (a->text == b->text) return true;
      return std::nullopt;
    case ValueKind::Tuple:
    case ValueKind::List: {
      if (a->items.size() != b->items.size()) return false;
      std::optional<bool> all = true;
      for (size_t i = 0; i < a->items.size(); ++i) {
        step();
        const std::optional<bool> one = known_equal(a->items[i], b->items[i]);
        if (one == false) return false;
        if (!one.has_value()) all = std::nullopt;
      }
      return all;
    }
    case ValueKind::Class:
      return a == b;
    case ValueKind::Function:
      return a->node == b->node && a->file == b->file;
    default:
      return std::nullopt;
  }
}

Value Interpreter::compare(std::string_view op, Value left, Value right, uint32_t node) {
  at(node);
  if (op == "is" || op == "is not" || op == "==" || op == "!=") {
    const bool wants = op == "is" || op == "==";
    if (op == "==" || op == "!=") {
      if (left->is(ValueKind::Tensor) || right->is(ValueKind::Tensor)) {
        Arguments operands{{left, right}, {}, false};
        return torch_call(wants ? "eq" : "ne", operands, node);
      }
      if (left->is(ValueKind::Instance)) {
        bool found = false;
        const Value made =
            call_method_named(left, wants ? "__eq__" : "__ne__", {{right}, {}, false}, node, found);
        if (found) return made;
      }
    }
    if (op == "is" || op == "is not") {
      if (left->is(ValueKind::Instance) && right->is(ValueKind::Instance))
        return arena_.boolean((left == right) == wants);
      if (right->is(ValueKind::None) &&
          (left->is(ValueKind::Tensor) || left->is(ValueKind::Instance) ||
           left->is(ValueKind::Lazy))) {
        // A tensor that a child or a caller gave may be None only if nothing says otherwise.
        if (!left->is(ValueKind::Tensor) || left->state != TensorState::Any || is_quiet())
          return arena_.boolean(!wants);
      }
    }
    const std::optional<bool> known = known_equal(left, right);
    if (known.has_value()) return arena_.boolean(*known == wants);
    if (is_quiet()) return arena_.unknown();
    const bool left_open = left->is(ValueKind::Unknown);
    const bool right_open = right->is(ValueKind::Unknown);
    if (left_open == right_open) {
      const Value open = arena_.unknown();
      return open;
    }
    const Value open = left_open ? left : right;
    const Value constant = left_open ? right : left;
    std::string key = "==";
    if (constant->is(ValueKind::Text)) {
      key += constant->text;
    } else if (is_number(constant)) {
      key += "#" + std::to_string(as_double(constant));
    } else if (constant->is(ValueKind::None)) {
      key += "None";
    } else {
      return arena_.unknown();
    }
    const bool equal = remembered_choice(open, key);
    if (equal) become(open, constant);
    return arena_.boolean(equal == wants);
  }
  if (op == "in" || op == "not in") {
    const bool wants = op == "in";
    if (right->is(ValueKind::Tuple) || right->is(ValueKind::List) || right->is(ValueKind::Dict)) {
      bool is_known = true;
      for (const Value item : right->items) {
        step();
        const std::optional<bool> equal = known_equal(left, item);
        if (equal == true) return arena_.boolean(wants);
        if (!equal.has_value()) is_known = false;
      }
      if (is_known) return arena_.boolean(!wants);
      if (!is_quiet() && left->is(ValueKind::Unknown)) {
        for (const Value item : right->items) {
          const Value equal = compare("==", left, item, node);
          if (stopped_) return arena_.unknown();
          if (known_truth(equal) == true) return arena_.boolean(wants);
          if (!known_truth(equal).has_value()) return arena_.unknown();
        }
        return arena_.boolean(!wants);
      }
    }
    if (right->is(ValueKind::Text) && left->is(ValueKind::Text))
      return arena_.boolean((right->text.find(left->text) != std::string::npos) == wants);
    if (right->is(ValueKind::Module) && left->is(ValueKind::Text) && problem_ != nullptr) {
      const std::string path = right->text.empty() ? left->text : right->text + "." + left->text;
      return arena_.boolean(problem_->graph->has_module(path) == wants);
    }
    return arena_.unknown();
  }
  if (is_number(left) && is_number(right)) {
    const double x = as_double(left);
    const double y = as_double(right);
    return arena_.boolean(op == "<" ? x < y : op == ">" ? x > y : op == "<=" ? x <= y : x >= y);
  }
  const OperatorMethod* row = operator_method(op);
  if (row == nullptr) return arena_.unknown();
  if (left->is(ValueKind::Instance)) {
    bool found = false;
    const Value made = call_method_named(left, row->method, {{right}, {}, false}, node, found);
    if (found) return made;
  }
  if (!is_open(left) && !is_open(right)) return arena_.unknown();
  Arguments operands{{left, right}, {}, false};
  return torch_call(row->name, operands, node);
}

Value Interpreter::eval_comparison(uint32_t node) {
  const PythonTree& tree = this->tree();
  std::vector<uint32_t> operands;
  std::vector<std::string> operators;
  std::string op;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Token) {
      if (!op.empty()) op += ' ';
      op += tree.text(c);
    } else {
      if (!operands.empty()) operators.push_back(op);
      op.clear();
      operands.push_back(c);
    }
  }
  if (operands.empty()) return arena_.unknown();
  Value left = eval(operands[0]);
  Value result = arena_.boolean(true);
  for (size_t i = 0; i < operators.size() && i + 1 < operands.size(); ++i) {
    const Value right = eval(operands[i + 1]);
    if (stopped_) return arena_.unknown();
    result = compare(operators[i], left, right, node);
    if (i + 1 < operators.size() && !truth(result)) return result;
    left = right;
  }
  return result;
}

Value Interpreter::eval_conditional(uint32_t node) {
  const PythonTree& tree = this->tree();
  const uint32_t body = tree[node].first_child;
  const uint32_t condition = body == kNone ? kNone : tree[body].next;
  const uint32_t other = condition == kNone ? kNone : tree[condition].next;
  if (other == kNone) return arena_.unknown();
  const Value value = eval(condition);
  if (stopped_) return arena_.unknown();
  if (is_quiet() && !known_truth(value).has_value()) {
    const Value open = arena_.unknown();
    open->items = {eval(body), eval(other)};
    return open;
  }
  return eval(truth(value) ? body : other);
}

// Runs the for and if clauses from `clause` on; `each` gets the key of a dictionary's pair in a
// tuple with its value.
bool Interpreter::comprehend(uint32_t clause, uint32_t body, const Each& each) {
  const PythonTree& tree = this->tree();
  if (stopped_) return false;
  if (clause == kNone) {
    if (tree[body].kind == K::Pair) {
      const Value key = eval(tree.child(body, F::Key));
      const Value value = eval(tree.child(body, F::Value));
      return each(arena_.sequence(ValueKind::Tuple, {key, value}));
    }
    return each(eval(body));
  }
  if (tree[clause].kind == K::IfClause) {
    const Value condition = eval(tree[clause].first_child);
    if (stopped_) return false;
    return truth(condition) ? comprehend(tree[clause].next, body, each) : !stopped_;
  }
  if (tree[clause].kind != K::ForInClause) return comprehend(tree[clause].next, body, each);
  const Value source = eval(tree.child(clause, F::Right));
  bool goes_on = true;
  const uint32_t next = tree[clause].next;
  const uint32_t target = tree.child(clause, F::Left);
  iterate(source, [&](Value item) {
    step();
    assign(target, item);
    goes_on = !stopped_ && comprehend(next, body, each);
    return goes_on && !stopped_;
  });
  return goes_on && !stopped_;
}

Value Interpreter::eval_comprehension(uint32_t node, ValueKind kind) {
  const PythonTree& tree = this->tree();
  const uint32_t body = tree.child(node, F::Body);
  if (body == kNone) return arena_.unknown();
  const Value made = arena_.make(kind);
  Environment* const outer = scope_;
  scope_ = arena_.environment(outer, outer->file);
  scope_->owner = nullptr;
  comprehend(tree[body].next, body, [&](Value item) {
    if (made->items.size() > kMaxItems) {
      stop();
      return false;
    }
    if (kind == ValueKind::Dict) {
      made->items.push_back(item->items[0]);
      made->values.push_back(item->items[1]);
    } else {
      made->items.push_back(item);
    }
    return true;
  });
  scope_ = outer;
  return made;
}

Value Interpreter::eval_slice(uint32_t node) {
  const PythonTree& tree = this->tree();
  Value parts[3] = {arena_.none(), arena_.none(), arena_.none()};
  size_t at_part = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Token) {
      if (tree.text(c) == ":") at_part = std::min<size_t>(at_part + 1, 2);
    } else {
      parts[at_part] = eval(c);
    }
  }
  return arena_.sequence(ValueKind::Slice, {parts[0], parts[1], parts[2]});
}

std::vector<Value> Interpreter::eval_indices(uint32_t node) {
  const PythonTree& tree = this->tree();
  std::vector<Value> indices;
  size_t count = 0;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].field != F::Subscript) continue;
    ++count;
    if (tree[c].kind == K::ListSplat) {
      for (const Value item : all_of(eval(tree[c].first_child))) indices.push_back(item);
      ++count;
    } else {
      indices.push_back(eval(c));
    }
  }
  // x[i] with a tuple i is x[i0, i1]
  if (count == 1 && indices.size() == 1 && indices[0]->is(ValueKind::Tuple))
    return indices[0]->items;
  return indices;
}

Value Interpreter::eval_subscript(uint32_t node) {
  const PythonTree& tree = this->tree();
  const Value value = eval(tree.child(node, F::Value));
  if (stopped_) return arena_.unknown();
  const std::vector<Value> indices = eval_indices(node);
  if (stopped_) return arena_.unknown();
  at(node);
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
      return subscript(value, {arena_.sequence(ValueKind::Tuple, indices)}, node);
  }
  return subscript(value, indices, node);
}

Value Interpreter::subscript(Value value, const std::vector<Value>& indices, uint32_t node) {
  if (indices.empty()) return arena_.unknown();
  const Value index = indices[0];
  switch (value->kind) {
    case ValueKind::Tuple:
    case ValueKind::List: {
      const auto size = static_cast<int64_t>(value->items.size());
      if (index->is(ValueKind::Int) || index->is(ValueKind::Bool)) {
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i < 0 || i >= size) {
          if (!is_quiet()) stop();
          return arena_.unknown();
        }
        return value->items[static_cast<size_t>(i)];
      }
      if (index->is(ValueKind::Slice)) {
        for (const Value part : index->items) {
          if (!part->is(ValueKind::None) && !part->is(ValueKind::Int)) return arena_.unknown();
        }
        const int64_t step_size =
            index->items[2]->is(ValueKind::None) ? 1 : index->items[2]->integer;
        if (step_size == 0) return arena_.unknown();
        const auto bound = [&](Value part, int64_t otherwise) {
          if (part->is(ValueKind::None)) return otherwise;
          int64_t i = part->integer;
          if (i < 0) i = std::max<int64_t>(i + size, step_size < 0 ? -1 : 0);
          return std::min(i, step_size < 0 ? size - 1 : size);
        };
        int64_t i = bound(index->items[0], step_size < 0 ? size - 1 : 0);
        const int64_t end = bound(index->items[1], step_size < 0 ? -1 : size);
        std::vector<Value> items;
        for (; step_size > 0 ? i < end : i > end; i += step_size) {
          step();
          items.push_back(value->items[static_cast<size_t>(i)]);
          if (step_size > size || step_size < -size) break;
        }
        return arena_.sequence(value->kind, std::move(items));
      }
      if (index->is(ValueKind::Unknown) && !is_quiet() && !value->items.empty() && size <= 16) {
        std::vector<double> costs(value->items.size(), 0);
        const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
        if (pick >= value->items.size()) {
          stop();
          return arena_.unknown();
        }
        become(index, arena_.integer(static_cast<int64_t>(pick)));
        return value->items[pick];
      }
      return arena_.unknown();
    }
    case ValueKind::Dict: {
      bool is_open_key = index->is(ValueKind::Unknown);
      for (size_t i = 0; i < value->items.size() && i < value->values.size(); ++i) {
        step();
        const size_t last = value->items.size() - 1 - i;
        const std::optional<bool> equal = known_equal(value->items[last], index);
        if (equal == true) return value->values[last];
        if (!equal.has_value()) is_open_key = true;
      }
      if (!is_open_key) {
        if (!is_quiet()) stop();  // KeyError
        return arena_.unknown();
      }
      if (value->values.empty()) return arena_.unknown();
      if (is_quiet()) {
        const Value open = arena_.unknown();
        open->items = value->values;
        open->values = {index};
        return open;
      }
      if (value->values.size() > 64 || !index->is(ValueKind::Unknown)) return arena_.unknown();
      std::vector<double> costs(value->values.size(), 0);
      const size_t pick = choices_ == nullptr ? 0 : choices_->choose(costs);
      if (pick >= value->values.size()) {
        stop();
        return arena_.unknown();
      }
      become(index, value->items[pick]);
      return value->values[pick];
    }
    case ValueKind::Text:
      if (index->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(value->text.size());
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i >= 0 && i < size)
          return arena_.string(std::string_view(value->text).substr(static_cast<size_t>(i), 1));
      }
      return arena_.unknown();
    case ValueKind::Module: {
      const std::string& path = value->text;
      const auto child = [&](std::string_view name) -> Value {
        return module_attribute(value, name, node);
      };
      if (index->is(ValueKind::Text)) return child(index->text);
      const std::vector<Value> items = all_of(value);
      const Value list = arena_.sequence(ValueKind::List, items);
      if (items.empty() && !path.empty() && class_of_module(path) != nullptr) break;
      return subscript(list, indices, node);
    }
    case ValueKind::Instance: {
      bool found = false;
      const Value made = call_method_named(value, "__getitem__", {{index}, {}, false}, node, found);
      if (found || stopped_) return made;
      if (value->text == "namedtuple") {
        std::vector<Value> items;
        for (const auto& [name, item] : value->attributes) items.push_back(item);
        return subscript(arena_.sequence(ValueKind::Tuple, std::move(items)), indices, node);
      }
      return arena_.unknown();
    }
    case ValueKind::Class:
    case ValueKind::External:
      return value;  // Optional[…], Tensor[…], Enum["…"]
    case ValueKind::Tensor:
      if (value->is_multiple && index->is(ValueKind::Int)) {
        const auto size = static_cast<int64_t>(value->parts.size());
        const int64_t i = index->integer < 0 ? index->integer + size : index->integer;
        if (i >= 0 && i < size)
          return arena_.tensor(TensorState::Known, {value->parts[static_cast<size_t>(i)]});
        return arena_.tensor(TensorState::Known, value->parts);
      }
      [[fallthrough]];
    case ValueKind::Unknown: {
      if (value->is(ValueKind::Unknown) && !value->items.empty() && is_quiet())
        return arena_.unknown();
      if (value->is(ValueKind::Unknown) && index->is(ValueKind::Text))
        return unknown_attribute(value, arena_.keep("[" + index->text));
      Arguments arguments;
      arguments.positional.push_back(value);
      arguments.positional.insert(arguments.positional.end(), indices.begin(), indices.end());
      return torch_call("getitem", arguments, node);
    }
    default:
      break;
  }
  return arena_.unknown();
}

Value Interpreter::eval_yield(uint32_t node) {
  const PythonTree& tree = this->tree();
  if (frames_.empty() || frames_.back().on_yield == nullptr) return arena_.unknown();
  bool is_from = tree.text(node).starts_with("yield from");
  const uint32_t first = tree[node].first_child;
  const Value value = first == kNone ? arena_.none() : eval(first);
  if (stopped_) return arena_.unknown();
  const auto give = [&](Value item) {
    // The consumer runs without the generator's frames.
    Frame own = frames_.back();
    const size_t depth = frames_.size();
    std::vector<Frame> hidden(frames_.begin() + static_cast<ptrdiff_t>(own.consumer_frames),
                              frames_.end());
    frames_.resize(own.consumer_frames);
    Environment* const inner = scope_;
    scope_ = own.consumer;
    const bool goes_on = (*own.on_yield)(item);
    scope_ = inner;
    frames_.resize(own.consumer_frames);
    frames_.insert(frames_.end(), hidden.begin(), hidden.end());
    if (!goes_on) leaves_generator_ = true;
    return goes_on && !stopped_ && frames_.size() == depth;
  };
  if (is_from) {
    iterate(value, give);
  } else {
    give(value);
  }
  return arena_.none();
}

}  // namespace etlens::recover
