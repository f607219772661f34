// SPDX-License-Identifier: Apache-2.0
// Statements of which nobody knows whether they run, or what they do: what they may have changed is
// not known any more.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {

std::string_view imported_name(const PythonTree& tree, uint32_t item) {
  const uint32_t alias = tree.child(item, PythonField::Alias);
  const std::string_view name = tree.text(alias == kNone ? item : alias);
  return name.substr(0, name.find('.'));
}

uint32_t filled_by(const PythonTree& tree, uint32_t call) {
  static constexpr std::string_view kFills[] = {
      "add", "append",  "appendleft", "clear",  "discard",    "extend", "insert",
      "pop", "popleft", "popitem",    "remove", "setdefault", "sort",   "update"};
  const uint32_t function = tree.child(call, PythonField::Function);
  if (function == kNone || tree[function].kind != PythonKind::Attribute) return kNone;
  const uint32_t name = tree.child(function, PythonField::Attribute);
  if (name == kNone || std::ranges::find(kFills, tree.text(name)) == std::end(kFills)) return kNone;
  return tree.child(function, PythonField::Object);
}
namespace {

using K = PythonKind;
using F = PythonField;

constexpr double kUnexplainedUnit = 0.02;

}  // namespace

// Any number of units may come from a statement that fits nothing; what it assigns is unknown.
Flow Interpreter::run_unexplained(uint32_t node) {
  const PythonTree& tree = this->tree();
  while (!stopped_ && next_unit() != nullptr) {
    step();
    if (choose({0, kUnexplainedUnit}) == 0) break;
    ++position_;
  }
  forget_targets(node);
  if (tree[node].kind == K::ReturnStatement) {
    returned_ = arena_.unknown();
    return Flow::Return;
  }
  return Flow::Next;
}

// The function may have returned any of these.
void Interpreter::note_open_returns(uint32_t node) {
  if (frames_.empty() || frames_.back().open_returns == nullptr) return;
  std::vector<Value>& open = *frames_.back().open_returns;
  const PythonTree& tree = this->tree();
  for (uint32_t n = node; n < tree[node].end_child && !stopped_; ++n) {
    step();
    const K kind = tree[n].kind;
    if (kind == K::ReturnStatement) {
      const uint32_t expression = tree[n].first_child;
      open.push_back(expression == kNone ? arena_.none() : eval(expression));
    } else if (kind != K::FunctionDefinition && kind != K::Lambda && kind != K::ClassDefinition) {
      continue;
    }
    n = tree[n].end_child - 1;
  }
}

// name.append(…) and its like: what the name holds is not known any more.
void Interpreter::forget_filled(uint32_t call) {
  const uint32_t filled = filled_by(tree(), call);
  if (filled != kNone) forget_container(filled);
}

void Interpreter::forget_container(uint32_t node) {
  const PythonTree& tree = this->tree();
  while (node != kNone && tree[node].kind == K::Subscript) node = tree.child(node, F::Value);
  if (node == kNone) return;
  if (tree[node].kind == K::Attribute) {
    forget_content(attribute(eval(tree.child(node, F::Object)),
                             tree.text(tree.child(node, F::Attribute)), node));
    return assign(node, arena_.unknown());
  }
  if (tree[node].kind != K::Identifier) return;
  const Value known = lookup(tree.text(node));
  if (known == nullptr) return;
  forget_content(known);
  if (known->is(ValueKind::List) || known->is(ValueKind::Dict) || known->is(ValueKind::Tuple))
    assign_name(tree.text(node), arena_.unknown());
}

// To all that have it.
void Interpreter::forget_content(Value value) {
  if (const Value dict = held_dict(value)) value = dict;
  if (value->is(ValueKind::List) || value->is(ValueKind::Dict)) forget(value);
}

// Every name and attribute that is assigned below the node becomes unknown.
void Interpreter::forget_targets(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t n = node; n < tree[node].end_child; ++n) {
    step();
    const K kind = tree[n].kind;
    if (kind == K::FunctionDefinition || kind == K::Lambda || kind == K::ClassDefinition) {
      const uint32_t name = tree.child(n, F::Name);
      if (name != kNone) assign_name(tree.text(name), arena_.unknown());
      n = tree[n].end_child - 1;
      continue;
    }
    switch (kind) {
      case K::Call:
        forget_filled(n);
        break;
      case K::Assignment:
      case K::AugmentedAssignment:
      case K::ForStatement:
        forget_target(tree.child(n, F::Left));
        break;
      case K::NamedExpression:
        forget_target(tree.child(n, F::Name));
        break;
      case K::DeleteStatement:
      case K::AsPatternTarget:
      case K::CasePattern:
        for (uint32_t c = tree[n].first_child; c != kNone; c = tree[c].next) forget_target(c);
        break;
      case K::ImportStatement:
      case K::ImportFromStatement:
        forget_imports(n);
        break;
      default:
        break;
    }
  }
}

void Interpreter::forget_imports(uint32_t node) {
  const PythonTree& tree = this->tree();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].field == F::ModuleName) continue;
    assign_name(imported_name(tree, c), arena_.unknown());
  }
}

void Interpreter::forget_target(uint32_t target) {
  if (target == kNone) return;
  const PythonTree& tree = this->tree();
  for (uint32_t t = target; t < tree[target].end_child; ++t) {
    if (tree[t].kind == K::Attribute || tree[t].kind == K::Subscript) {
      if (tree[t].kind == K::Attribute) assign(t, arena_.unknown());
      if (tree[t].kind == K::Subscript) forget_container(tree.child(t, F::Value));
      t = tree[t].end_child - 1;
    } else if (tree[t].kind == K::Identifier) {
      assign_name(tree.text(t), arena_.unknown());
    }
  }
}

}  // namespace etlens::recover
