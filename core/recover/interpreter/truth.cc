// SPDX-License-Identifier: Apache-2.0
// What is true, and what follows from that.

#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/operators.h"

namespace etlens::recover {
namespace {

using F = PythonField;

}  // namespace

std::optional<bool> known_truth(Evaluator& run, Value value) {
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
      if (!class_of(run, value)->is(ValueKind::Class)) return true;
      if (find_member(run, class_of(run, value), "__bool__") ||
          find_member(run, class_of(run, value), "__len__"))
        return std::nullopt;
      if (const Value dict = held_dict(value)) return known_truth(run, dict);
      return has_plain_truth(run, class_of(run, value)) ? std::optional(true) : std::nullopt;
    case ValueKind::Module: {
      const Value cls = run.model.class_of_module(value->path());
      if (find_member(run, cls, "__bool__") || find_member(run, cls, "__len__"))
        return std::nullopt;
      const bool is_list =
          cls == nullptr && run.task != nullptr && run.task->graph->type_of(value->path()).empty();
      const ModelModule* row = is_list ? run.task->graph->find_module(value->path()) : nullptr;
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

bool remembered_choice(Evaluator& run, Value value, std::string_view key) {
  for (const auto& [name, answer] : value->attributes) {
    if (name == key) return answer->is(ValueKind::Bool) && answer->integer() != 0;
  }
  const bool answer = run.choose({0, 0}) == 0;
  if (run.may_write(value))
    value->attributes.emplace_back(run.arena.keep(std::string(key)), run.arena.boolean(answer));
  return answer;
}

bool truth(Evaluator& run, Value value) {
  const std::optional<bool> known = known_truth(run, value);
  if (known.has_value()) return *known;
  if (run.is_stopped() || run.is_quiet()) return false;
  return remembered_choice(run, value, "__bool__");
}

Value eval_boolean(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t op = tree.child(node, F::Operator);
  const Value left = eval(run, tree.child(node, F::Left));
  if (run.is_stopped() || op == kNone) return run.arena.unknown();
  const bool is_and = tree.text(op) == "and";
  const std::optional<bool> known = known_truth(run, left);
  if (!known.has_value() && run.is_quiet()) {
    const Value right = eval(run, tree.child(node, F::Right));
    return is_and ? run.arena.unknown() : run.arena.one_of({left, right});
  }
  if (truth(run, left) == is_and) return eval(run, tree.child(node, F::Right));
  return left;
}

Value eval_conditional(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t body = tree[node].first_child;
  const uint32_t condition = body == kNone ? kNone : tree[body].next;
  const uint32_t other = condition == kNone ? kNone : tree[condition].next;
  if (other == kNone) return run.arena.unknown();
  const Value value = eval(run, condition);
  if (run.is_stopped()) return run.arena.unknown();
  if (run.is_quiet() && !known_truth(run, value).has_value()) {
    const Value one = eval(run, body);
    return run.arena.one_of({one, eval(run, other)});
  }
  return eval(run, truth(run, value) ? body : other);
}

}  // namespace etlens::recover
