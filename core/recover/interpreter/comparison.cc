// SPDX-License-Identifier: Apache-2.0
// Comparisons: what is equal, of which class values are, and how they are ordered.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/mappings.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {
namespace {

using K = PythonKind;

constexpr int kMaxEqualDepth = 16;
constexpr int kMaxTupleDepth = 4;  // of classes in tuples

bool is_whole(Value value) { return value->is(ValueKind::Int) || value->is(ValueKind::Bool); }

// The key under which a run remembers whether an unknown is this constant; "" for others.
std::string key_of_constant(Evaluator& run, Value constant) {
  if (constant->is(ValueKind::Text)) return "==" + constant->text();
  if (is_number(constant)) return "==#" + std::to_string(as_double(constant));
  if (constant->is(ValueKind::None)) return "==None";
  if (!is_enum_member(constant)) return {};
  return "==" + std::string(label_of(class_of(run, constant))) + "." +
         std::string(label_of(own_attribute(constant, "name")));
}

// What `is` says of objects and of tensors; null where it says no more than ==.
Value compare_objects(Evaluator& run, bool wants, Value left, Value right) {
  const bool is_object = left->is(ValueKind::Instance);
  if (is_object && right->is(ValueKind::Instance) && !is_enum_member(left))
    return run.arena.boolean((left == right) == wants);
  // A tensor lies on some device.
  const auto* const member = origin_of<payload::MemberOf>(left);
  if (member != nullptr && member->object->is(ValueKind::Tensor) && member->name == "device" &&
      right->is(ValueKind::None)) {
    return run.arena.boolean(!wants);
  }
  const bool is_lazy = left->is(ValueKind::Lazy);
  if (!right->is(ValueKind::None) || (!is_object && !is_lazy && !left->is(ValueKind::Tensor)))
    return nullptr;
  // A tensor that a child or a caller gave may be None only if nothing says otherwise.
  const bool may_be_none =
      left->is(ValueKind::Tensor) && left->tensor().state == TensorState::Any && !run.is_quiet();
  return may_be_none ? nullptr : run.arena.boolean(!wants);
}

// == and !=, of tensors and objects that define it; null for others.
Value compare_equal(Evaluator& run, bool wants, Value left, Value right, uint32_t node) {
  if (left->is(ValueKind::Tensor) || right->is(ValueKind::Tensor)) {
    Arguments operands{{left, right}, {}, false};
    return run.matcher.torch_call(wants ? "eq" : "ne", operands, node);
  }
  if (!left->is(ValueKind::Instance)) return nullptr;
  bool found = false;
  const Value made =
      call_method_named(run, left, wants ? "__eq__" : "__ne__", {{right}, {}, false}, node, found);
  return found ? made : nullptr;
}

// is, is not, == and !=.
Value compare_same(Evaluator& run, bool is_identity, bool wants, Value left, Value right,
                   uint32_t node) {
  const Value made = is_identity ? compare_objects(run, wants, left, right)
                                 : compare_equal(run, wants, left, right, node);
  if (made != nullptr) return made;
  const std::optional<bool> known = known_equal(run, left, right);
  // What is equal may be one object or two, but for those of which there is only one.
  const bool is_single =
      left == right || left->kind() != right->kind() || left->is(ValueKind::None) ||
      left->is(ValueKind::Bool) || left->is(ValueKind::Class) || left->is(ValueKind::Function) ||
      left->is(ValueKind::External) || left->is(ValueKind::Module) || is_enum_member(left);
  if (is_identity && known.has_value() && left->kind() != right->kind())
    return run.arena.boolean(!wants);
  if (known.has_value() && is_identity && !is_single && *known) return run.arena.unknown();
  if (known.has_value()) return run.arena.boolean(*known == wants);
  if (run.is_quiet()) return run.arena.unknown();
  const bool left_open = left->is(ValueKind::Unknown);
  if (left_open == right->is(ValueKind::Unknown)) return run.arena.unknown();
  const Value open = left_open ? left : right;
  const Value constant = left_open ? right : left;
  const std::string key = key_of_constant(run, constant);
  if (key.empty()) return run.arena.unknown();
  const bool equal = remembered_choice(run, open, key);
  if (equal) run.become(open, constant);
  return run.arena.boolean(equal == wants);
}

// in, and not in.
Value compare_membership(Evaluator& run, bool wants, Value left, Value right, uint32_t node) {
  right = run.model.settled(right);
  if (run.is_stopped()) return run.arena.unknown();
  if (const Value dict = held_dict(right)) right = dict;
  if (const Value all = mapping_of(run, right)) right = all;
  if (right->is(ValueKind::Dict) && right->dict().is_open) return run.arena.unknown();
  if (is_sequence(right) || right->is(ValueKind::Dict)) {
    const std::vector<Value> items =
        right->is(ValueKind::Dict) ? right->dict().keys : right->items();
    bool is_known = true;
    for (const Value item : items) {
      run.step();
      const std::optional<bool> equal = known_equal(run, left, item);
      if (equal == true) return run.arena.boolean(wants);
      if (!equal.has_value()) is_known = false;
    }
    if (is_known) return run.arena.boolean(!wants);
    if (!run.is_quiet() && left->is(ValueKind::Unknown)) {
      for (const Value item : items) {
        const std::optional<bool> equal = known_truth(run, compare(run, "==", left, item, node));
        if (run.is_stopped()) return run.arena.unknown();
        if (equal == true) return run.arena.boolean(wants);
        if (!equal.has_value()) return run.arena.unknown();
      }
      return run.arena.boolean(!wants);
    }
  }
  if (right->is(ValueKind::Text) && left->is(ValueKind::Text))
    return run.arena.boolean((right->text().find(left->text()) != std::string::npos) == wants);
  if (right->is(ValueKind::Module) && left->is(ValueKind::Text) && run.task != nullptr) {
    const std::string& above = right->path();
    const std::string path = above.empty() ? left->text() : above + "." + left->text();
    return run.arena.boolean(run.task->graph->has_module(path) == wants);
  }
  return run.arena.unknown();
}

// <, >, <= and >=.
Value compare_order(Evaluator& run, std::string_view op, Value left, Value right, uint32_t node) {
  const auto ordered = [&](auto x, auto y) {
    return run.arena.boolean(op == "<" ? x < y : op == ">" ? x > y : op == "<=" ? x <= y : x >= y);
  };
  if (is_whole(left) && is_whole(right)) return ordered(left->integer(), right->integer());
  if (is_number(left) && is_number(right)) {
    if (!is_exact(left) || !is_exact(right)) return run.arena.unknown();
    return ordered(as_double(left), as_double(right));
  }
  const OperatorMethod* row = operator_method(op);
  if (row == nullptr) return run.arena.unknown();
  if (left->is(ValueKind::Instance)) {
    bool found = false;
    const Value made = call_method_named(run, left, row->method, {{right}, {}, false}, node, found);
    if (found) return made;
  }
  if (!is_open(left) && !is_open(right)) return run.arena.unknown();
  Arguments operands{{left, right}, {}, false};
  return run.matcher.torch_call(row->name, operands, node);
}

// Of a class that is not in the sources: Python's own, or torch's.
bool is_of_external(Evaluator& run, Value value, const std::string& name, bool& is_known) {
  if (name == "torch.Tensor") return value->is(ValueKind::Tensor);
  if (name == "builtins.int") return value->is(ValueKind::Int) || value->is(ValueKind::Bool);
  if (name == "builtins.float") return value->is(ValueKind::Float);
  if (name == "builtins.bool") return value->is(ValueKind::Bool);
  if (name == "builtins.str") return value->is(ValueKind::Text);
  if (name == "builtins.tuple") {
    return value->is(ValueKind::Tuple) ||
           (value->is(ValueKind::Instance) && value->instance().form == InstanceForm::NamedTuple);
  }
  if (name == "builtins.list") return value->is(ValueKind::List);
  if (name == "builtins.dict") return value->is(ValueKind::Dict);
  if (name.starts_with("torch.nn.") && value->is(ValueKind::Module) && run.task != nullptr) {
    const std::string_view type = run.task->graph->type_of(value->path());
    const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
    if (last == "Module") return true;
    if (type.starts_with("torch.nn.")) return type.substr(type.rfind('.') + 1) == last;
    is_known = false;
    return false;
  }
  is_known = false;
  return false;
}

}  // namespace

std::optional<bool> known_equal(Evaluator& run, Value a, Value b, int depth) {
  if (depth > kMaxEqualDepth || run.is_stopped()) return std::nullopt;
  if (a == b && !a->is(ValueKind::Unknown) && !a->is(ValueKind::Tensor)) return true;
  const auto is_open_value = [](Value v) {
    return v->is(ValueKind::Unknown) || v->is(ValueKind::Tensor) || v->is(ValueKind::Lazy) ||
           v->is(ValueKind::Instance);
  };
  if (is_enum_member(a) && is_enum_member(b)) return is_same_value(a, b);
  if (is_enum_member(a) && b->is(ValueKind::Text))
    return known_equal(run, own_attribute(a, "value"), b, depth + 1);
  if (is_enum_member(b) && a->is(ValueKind::Text))
    return known_equal(run, a, own_attribute(b, "value"), depth + 1);
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
        run.step();
        const std::optional<bool> one = known_equal(run, a->items()[i], b->items()[i], depth + 1);
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

Value compare(Evaluator& run, std::string_view op, Value left, Value right, uint32_t node) {
  run.at(node);
  if (op == "is" || op == "is not") return compare_same(run, true, op == "is", left, right, node);
  if (op == "==" || op == "!=") return compare_same(run, false, op == "==", left, right, node);
  if (op == "in" || op == "not in") return compare_membership(run, op == "in", left, right, node);
  return compare_order(run, op, left, right, node);
}

Value eval_comparison(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
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
  if (operands.empty()) return run.arena.unknown();
  Value left = eval(run, operands[0]);
  Value result = run.arena.boolean(true);
  for (size_t i = 0; i < operators.size() && i + 1 < operands.size(); ++i) {
    const Value right = eval(run, operands[i + 1]);
    if (run.is_stopped()) return run.arena.unknown();
    result = compare(run, operators[i], left, right, node);
    if (i + 1 < operators.size() && !truth(run, result)) return result;
    left = right;
  }
  return result;
}

bool is_before(Value a, Value b) {
  return a->is(ValueKind::Text) ? a->text() < b->text() : as_double(a) < as_double(b);
}

bool is_instance(Evaluator& run, Value value, Value cls, bool& is_known, int depth) {
  is_known = depth <= kMaxTupleDepth;
  if (!is_known) return false;
  if (cls->is(ValueKind::Tuple)) {
    bool all_known = true;
    for (const Value one : cls->items()) {
      bool known = true;
      run.step();
      if (is_instance(run, value, one, known, depth + 1) && known) return true;
      all_known &= known;
    }
    is_known = all_known;
    return false;
  }
  if (value->is(ValueKind::None))
    return label_of(cls) == kTypeOfNone || label_of(cls) == "builtins.object";
  if (value->is(ValueKind::Unknown) || cls->is(ValueKind::Unknown)) {
    is_known = false;
    return false;
  }
  // The values of an export are FakeTensors, and no other tracer's.
  if (value->is(ValueKind::Tensor) && !is_from_module(value) && cls->is(ValueKind::External)) {
    if (cls->name().ends_with(".FakeTensor")) return true;
    if (cls->name() == "torch.fx.Proxy") return false;
  }
  // What a child returned may be a container of tensors, or an object.
  if (is_from_module(value) && label_of(cls) != "torch.Tensor") {
    is_known = false;
    return false;
  }
  if (cls->is(ValueKind::External)) return is_of_external(run, value, cls->name(), is_known);
  const Value own = class_of(run, value);
  if (own == nullptr) {
    const bool is_layer = value->is(ValueKind::Module) && run.task != nullptr &&
                          run.task->graph->type_of(value->path()).starts_with("torch.nn.");
    is_known = is_layer || !value->is(ValueKind::Module);
    return false;
  }
  const std::vector<Value> order = bases_in_order(run, own);
  return std::find(order.begin(), order.end(), cls) != order.end();
}

std::optional<std::vector<Value>> sort_keys(Evaluator& run, const std::vector<Value>& items,
                                            const Arguments& arguments, uint32_t node) {
  std::vector<Value> keys = items;
  for (const auto& [name, function] : arguments.named) {
    if (name != "key") continue;
    for (Value& key : keys) {
      Arguments one{{key}, {}, false};
      key = call(run, function, one, node);
      if (run.is_stopped()) return std::nullopt;
    }
  }
  const auto is_text = [](Value key) { return key->is(ValueKind::Text); };
  const auto is_ordered = [](Value key) { return is_number(key) && !std::isnan(as_double(key)); };
  if (!std::all_of(keys.begin(), keys.end(), is_ordered) &&
      !std::all_of(keys.begin(), keys.end(), is_text)) {
    return std::nullopt;
  }
  return keys;
}

bool sort(Evaluator& run, std::vector<Value>& items, const Arguments& arguments, uint32_t node) {
  bool is_reversed = false;
  for (const auto& [name, value] : arguments.named) {
    if (name != "reverse") continue;
    const std::optional<bool> truth = known_truth(run, value);
    if (!truth) return false;
    is_reversed = *truth;
  }
  const std::optional<std::vector<Value>> keys = sort_keys(run, items, arguments, node);
  if (!keys) return items.size() < 2;
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return is_reversed ? is_before((*keys)[b], (*keys)[a]) : is_before((*keys)[a], (*keys)[b]);
  });
  std::vector<Value> sorted;
  for (const size_t at : order) sorted.push_back(items[at]);
  items = std::move(sorted);
  return true;
}

}  // namespace etlens::recover
