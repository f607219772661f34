// SPDX-License-Identifier: Apache-2.0
// Operators, comparisons and what is true.
#include <algorithm>
#include <cmath>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

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

constexpr int kMaxEqualDepth = 16;

bool is_whole(Value value) { return value->is(ValueKind::Int) || value->is(ValueKind::Bool); }

// As a floating-point number it is what it is.
bool is_exact(Value value) {
  return value->is(ValueKind::Float) ||
         (as_double(value) < kMostExact && as_double(value) > -kMostExact);
}

bool is_open(Value value) { return value->is(ValueKind::Unknown) || value->is(ValueKind::Tensor); }

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
    if (find_object(left, row->method, false))
      return call_method_named(left, row->method, {{right}, {}, false}, node, found);
    if (!is_quiet() && !left->is(ValueKind::Unknown)) {
      stop();  // Python would raise TypeError
      return arena_.unknown();
    }
  }
  if (left->is(ValueKind::Text) && op == "+") {
    if (right->is(ValueKind::Text)) return made_text(left->text() + right->text());
    if (right->is(ValueKind::Unknown)) return text_beginning(left->text());
  }
  const bool is_more = is_from_module(right);
  if (is_sequence(left) && (left->kind() == right->kind() || is_more) && op == "+") {
    std::vector<Value> items = left->items();
    const std::vector<Value> more = all_of(right);
    items.insert(items.end(), more.begin(), more.end());
    if (items.size() > kMaxItems) return arena_.unknown();
    return arena_.sequence(left->kind(), std::move(items));
  }
  if (left->is(ValueKind::Int) && is_sequence(right)) std::swap(left, right);
  if (is_sequence(left) && right->is(ValueKind::Int) && op == "*") {
    const size_t size = left->items().size();
    const int64_t times = size == 0 ? 0 : std::max<int64_t>(right->integer(), 0);
    if (times > static_cast<int64_t>(kMaxItems / std::max<size_t>(size, 1)))
      return arena_.unknown();
    std::vector<Value> items;
    items.reserve(size * static_cast<size_t>(times));
    for (int64_t n = 0; n < times; ++n)
      items.insert(items.end(), left->items().begin(), left->items().end());
    return arena_.sequence(left->kind(), std::move(items));
  }
  if (left->is(ValueKind::Dict) && right->is(ValueKind::Dict) && op == "|") {
    const Value both = arena_.dict();
    put_all(both, left);
    put_all(both, right);
    return both;
  }
  if (!is_open(left) && !is_open(right)) return arena_.unknown();
  if (is_quiet() && !left->is(ValueKind::Tensor) && !right->is(ValueKind::Tensor))
    return arena_.unknown();  // numbers, or texts, or containers
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
      return value->integer() == INT64_MIN ? arena_.unknown() : arena_.integer(-value->integer());
    return op == "~" ? arena_.integer(~value->integer()) : arena_.integer(value->integer());
  }
  if (value->is(ValueKind::Float))
    return arena_.number(op == "-" ? -value->number() : value->number());
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

// No base of it has a truth of its own, as containers and numbers have.
bool Interpreter::has_plain_truth(Value cls) {
  return std::ranges::all_of(bases_in_order(cls), [](Value base) {
    if (base->is(ValueKind::Class)) return true;
    return base->is(ValueKind::External) &&
           (base->name() == "builtins.object" || base->name() == "enum.Enum" ||
            base->name().starts_with("abc.") || base->name().starts_with("typing.") ||
            base->name().starts_with("torch.nn."));
  });
}

std::optional<bool> Interpreter::known_truth(Value value) {
  switch (value->kind()) {
    case ValueKind::None:
      return false;
    case ValueKind::Bool:
    case ValueKind::Int:
      return value->integer() != 0;
    case ValueKind::Float:
      return value->number() != 0;
    case ValueKind::Text:
      return !value->text().empty();
    case ValueKind::Tuple:
    case ValueKind::List:
      return !value->items().empty();
    case ValueKind::Dict:
      if (value->dict().keys.empty() && value->dict().is_open) return std::nullopt;
      return !value->dict().keys.empty();
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
    case ValueKind::Class:
    case ValueKind::File:
    case ValueKind::Ellipsis:
      return true;
    case ValueKind::Instance:
      if (!class_of(value)->is(ValueKind::Class)) return true;
      if (find_member(class_of(value), "__bool__") || find_member(class_of(value), "__len__"))
        return std::nullopt;
      if (const Value dict = held_dict(value)) return known_truth(dict);
      return has_plain_truth(class_of(value)) ? std::optional(true) : std::nullopt;
    case ValueKind::Module: {
      const Value cls = class_of_module(value->path());
      if (find_member(cls, "__bool__") || find_member(cls, "__len__")) return std::nullopt;
      const bool is_list =
          cls == nullptr && problem_ != nullptr && problem_->graph->type_of(value->path()).empty();
      const ModelModule* row = is_list ? problem_->graph->find_module(value->path()) : nullptr;
      if (row != nullptr && row->children.empty()) return std::nullopt;  // an empty list
      return true;
    }
    case ValueKind::External:
      if (value->name() == "typing.TYPE_CHECKING") return false;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// The same question about the same value gives the same answer within a run.
bool Interpreter::remembered_choice(Value value, std::string_view key) {
  for (const auto& [name, answer] : value->attributes) {
    if (name == key) return answer->is(ValueKind::Bool) && answer->integer() != 0;
  }
  const bool answer = choose({0, 0}) == 0;
  if (may_write(value))
    value->attributes.emplace_back(arena_.keep(std::string(key)), arena_.boolean(answer));
  return answer;
}

bool Interpreter::truth(Value value) {
  const std::optional<bool> known = known_truth(value);
  if (known.has_value()) return *known;
  if (stopped_ || is_quiet()) return false;
  return remembered_choice(value, "__bool__");
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
    return is_and ? arena_.unknown() : arena_.one_of({left, right});
  }
  if (truth(left) == is_and) return eval(tree.child(node, F::Right));
  return left;
}

std::optional<bool> Interpreter::known_equal(Value a, Value b, int depth) {
  if (depth > kMaxEqualDepth || stopped_) return std::nullopt;
  if (a == b && !a->is(ValueKind::Unknown) && !a->is(ValueKind::Tensor)) return true;
  const auto is_open_value = [](Value v) {
    return v->is(ValueKind::Unknown) || v->is(ValueKind::Tensor) || v->is(ValueKind::Lazy) ||
           v->is(ValueKind::Instance);
  };
  if (is_enum_member(a) && is_enum_member(b)) return is_same_value(a, b);
  if (is_enum_member(a) && b->is(ValueKind::Text))
    return known_equal(own_attribute(a, "value"), b, depth + 1);
  if (is_enum_member(b) && a->is(ValueKind::Text))
    return known_equal(a, own_attribute(b, "value"), depth + 1);
  if (is_open_value(a) || is_open_value(b)) return std::nullopt;
  const bool has_external = a->is(ValueKind::External) || b->is(ValueKind::External);
  if (has_external && a->kind() != b->kind())
    return a->is(ValueKind::None) || b->is(ValueKind::None) ? std::optional(false) : std::nullopt;
  if (is_whole(a) && is_whole(b)) return a->integer() == b->integer();
  if (is_number(a) && is_number(b)) {
    if (!is_exact(a) || !is_exact(b)) return std::nullopt;
    return as_double(a) == as_double(b);
  }
  if (a->kind() != b->kind()) return false;
  switch (a->kind()) {
    case ValueKind::None:
      return true;
    case ValueKind::Text:
    case ValueKind::Module:
      return label_of(a) == label_of(b);
    case ValueKind::External:
      if (a->name() == b->name()) return true;
      return std::nullopt;
    case ValueKind::Tuple:
    case ValueKind::List: {
      if (a->items().size() != b->items().size()) return false;
      std::optional<bool> all = true;
      for (size_t i = 0; i < a->items().size(); ++i) {
        step();
        const std::optional<bool> one = known_equal(a->items()[i], b->items()[i], depth + 1);
        if (one == false) return false;
        if (!one.has_value()) all = std::nullopt;
      }
      return all;
    }
    case ValueKind::Class:
      return a == b;
    case ValueKind::Function:
      return a->function().node == b->function().node && a->function().file == b->function().file;
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
      if (left->is(ValueKind::Instance) && right->is(ValueKind::Instance) && !is_enum_member(left))
        return arena_.boolean((left == right) == wants);
      if (right->is(ValueKind::None) &&
          (left->is(ValueKind::Tensor) || left->is(ValueKind::Instance) ||
           left->is(ValueKind::Lazy))) {
        // A tensor that a child or a caller gave may be None only if nothing says otherwise.
        if (!left->is(ValueKind::Tensor) || left->tensor().state != TensorState::Any || is_quiet())
          return arena_.boolean(!wants);
      }
    }
    const std::optional<bool> known = known_equal(left, right);
    // What is equal may be one object or two, but for those of which there is only one.
    const bool is_identity = op == "is" || op == "is not";
    const bool is_single =
        left == right || left->kind() != right->kind() || left->is(ValueKind::None) ||
        left->is(ValueKind::Bool) || left->is(ValueKind::Class) || left->is(ValueKind::Function) ||
        left->is(ValueKind::External) || left->is(ValueKind::Module) || is_enum_member(left);
    if (is_identity && known.has_value() && left->kind() != right->kind())
      return arena_.boolean(!wants);
    if (known.has_value() && is_identity && !is_single && *known) return arena_.unknown();
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
      key += constant->text();
    } else if (is_number(constant)) {
      key += "#" + std::to_string(as_double(constant));
    } else if (constant->is(ValueKind::None)) {
      key += "None";
    } else if (is_enum_member(constant)) {
      key += label_of(class_of(constant));
      key += ".";
      key += label_of(own_attribute(constant, "name"));
    } else {
      return arena_.unknown();
    }
    const bool equal = remembered_choice(open, key);
    if (equal) become(open, constant);
    return arena_.boolean(equal == wants);
  }
  if (op == "in" || op == "not in") {
    const bool wants = op == "in";
    right = settled(right);
    if (stopped_) return arena_.unknown();
    if (const Value dict = held_dict(right)) right = dict;
    if (right->is(ValueKind::Dict) && right->dict().is_open) return arena_.unknown();
    if (is_sequence(right) || right->is(ValueKind::Dict)) {
      const std::vector<Value>& items =
          right->is(ValueKind::Dict) ? right->dict().keys : right->items();
      bool is_known = true;
      for (const Value item : items) {
        step();
        const std::optional<bool> equal = known_equal(left, item);
        if (equal == true) return arena_.boolean(wants);
        if (!equal.has_value()) is_known = false;
      }
      if (is_known) return arena_.boolean(!wants);
      if (!is_quiet() && left->is(ValueKind::Unknown)) {
        for (const Value item : items) {
          const Value equal = compare("==", left, item, node);
          if (stopped_) return arena_.unknown();
          if (known_truth(equal) == true) return arena_.boolean(wants);
          if (!known_truth(equal).has_value()) return arena_.unknown();
        }
        return arena_.boolean(!wants);
      }
    }
    if (right->is(ValueKind::Text) && left->is(ValueKind::Text))
      return arena_.boolean((right->text().find(left->text()) != std::string::npos) == wants);
    if (right->is(ValueKind::Module) && left->is(ValueKind::Text) && problem_ != nullptr) {
      const std::string& above = right->path();
      const std::string path = above.empty() ? left->text() : above + "." + left->text();
      return arena_.boolean(problem_->graph->has_module(path) == wants);
    }
    return arena_.unknown();
  }
  if (is_whole(left) && is_whole(right)) {
    const int64_t x = left->integer();
    const int64_t y = right->integer();
    return arena_.boolean(op == "<" ? x < y : op == ">" ? x > y : op == "<=" ? x <= y : x >= y);
  }
  if (is_number(left) && is_number(right)) {
    if (!is_exact(left) || !is_exact(right)) return arena_.unknown();
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
    const Value one = eval(body);
    return arena_.one_of({one, eval(other)});
  }
  return eval(truth(value) ? body : other);
}

}  // namespace etlens::recover
