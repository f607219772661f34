// SPDX-License-Identifier: Apache-2.0
// Attributes: of plain objects, tensors and modules of the model.
#include "core/recover/interpreter/attributes.h"

#include <algorithm>
#include <cmath>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/containers.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/mappings.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/torch_methods.h"

namespace etlens::recover {
namespace {

bool is_likely_constant(const payload::Unknown& value) {
  return std::ranges::all_of(value.candidates, is_constant);
}

bool is_method_of_dict(std::string_view name) {
  static constexpr std::string_view kMethods[] = {
      "clear", "copy", "get", "items", "keys", "pop", "update", "values", "setdefault", "popitem"};
  return std::ranges::find(kMethods, name) != std::end(kMethods);
}

}  // namespace

std::string held_operator(std::string_view method) {
  return "torch." + std::string(method.substr(0, method.find("_scalar")));
}

namespace {

// What the member is of those objects that the unknown may be.
void add_members(Value unknown, std::string_view name, Value open) {
  std::vector<Value>& found = open->unknown().candidates;
  for (const Value object : unknown->unknown().candidates) {
    const Value member = object->is(ValueKind::Instance) ? own_attribute(object, name) : nullptr;
    if (member == nullptr) continue;
    if (!member->is(ValueKind::Unknown)) {
      found.push_back(member);
    } else if (has_candidates(member)) {
      const std::vector<Value>& more = member->unknown().candidates;
      found.insert(found.end(), more.begin(), more.end());
    }
  }
}

// x.name of an unknown: of one of several values, of an object of the project, or open.
Value attribute_of_unknown(Evaluator& run, Value value, std::string_view name, uint32_t node) {
  if (!value->unknown().candidates.empty() && !run.is_quiet() && run.may_write(value) &&
      !is_likely_constant(value->unknown())) {
    // Which one of several values it is, is asked first.
    const std::vector<Value> candidates = std::move(value->unknown().candidates);
    const std::vector<double> costs(candidates.size(), 0);
    const size_t pick = run.choose_raw(costs);
    value->unknown().candidates.clear();
    if (pick < candidates.size() && !candidates[pick]->is(ValueKind::Unknown)) {
      run.become(value, run.local(candidates[pick]));
      return attribute(run, value, name, node);
    }
  }
  if (run.task != nullptr && run.task->is_second_look && find_object(run, value, name, true))
    return attribute(run, value, name, node);
  if (run.is_stopped()) return run.arena.unknown();
  const Value open = unknown_attribute(run, value, name);
  if (!run.may_write(open) || !open->is(ValueKind::Unknown)) return open;
  payload::Unknown& unknown = open->unknown();
  if (run.is_quiet() && unknown.candidates.empty()) add_members(value, name, open);
  if (std::holds_alternative<std::monostate>(unknown.origin) && !is_tensor_fact(name))
    unknown.origin = payload::MemberOf{value, std::string(name)};
  return open;
}

Value attribute_of_class(Evaluator& run, Value cls, std::string_view name) {
  const Value member = find_member(run, cls, name);
  if (member == nullptr && name == "apply" && is_differentiable(run, cls))
    return run.arena.method("container.apply", cls);
  if (member == nullptr) return unknown_attribute(run, cls, name);
  if (member->is(ValueKind::Function))
    return member->function().is_class_method ? run.arena.method(member, cls) : member;
  const Value one = is_enumeration(run, cls) ? enum_member(run, cls, name) : nullptr;
  return one != nullptr ? one : class_attribute(run, cls, name, member);
}

Value attribute_of_super(Evaluator& run, const payload::Super& super, std::string_view name,
                         uint32_t node) {
  const Value cls = class_of(run, super.self);
  std::vector<Value> order = bases_in_order(run, cls != nullptr ? cls : super.cls);
  const auto own = std::find(order.begin(), order.end(), super.cls);
  for (auto base = own == order.end() ? order.begin() : own + 1; base != order.end(); ++base) {
    if (!(*base)->is(ValueKind::Class)) continue;
    const Value member = own_attribute(*base, name);
    if (member != nullptr) return bind_member(run, member, name, super.self, *base, node);
  }
  if (is_mapping_method(name)) {
    if (const Value all = mapping_of(run, super.self))
      return run.arena.method("container." + std::string(name), all);
  }
  return run.arena.method("super." + std::string(name), super.self);
}

Value attribute_of_external(Evaluator& run, const std::string& above, std::string_view name) {
  const std::string full = above + "." + std::string(name);
  if (full == "math.pi" || full == "numpy.pi" || full == "torch.pi")
    return run.arena.number(3.14159265358979323846);
  if (full == "math.inf" || full == "torch.inf") return run.arena.number(HUGE_VAL);
  return run.arena.external(full);
}

Value instance_attribute(Evaluator& run, Value value, std::string_view name, uint32_t node) {
  // What a member of an enumeration holds is of all runs.
  if (const Value own = own_attribute(value, name))
    return is_enum_member(value) ? run.local(own) : own;
  const Value cls = value->instance().cls;
  if (is_operator_holder(value)) return run.arena.external(held_operator(name));
  if (cls->is(ValueKind::External)) return unknown_attribute(run, value, name);
  if (const Value member = find_member(run, cls, name))
    return bind_member(run, member, name, value, cls, node);
  if (is_mapping_method(name)) {
    if (const Value all = mapping_of(run, value))
      return run.arena.method("container." + std::string(name), all);
  }
  const bool is_dict_method = held_dict(value) != nullptr && is_method_of_dict(name);
  if (!is_dict_method && !name.starts_with("__")) {
    bool found = false;
    const Value asked = call_method_named(run, value, "__getattr__",
                                          {{run.arena.string(name)}, {}, false}, node, found);
    if (run.is_stopped() || (found && !asked->is(ValueKind::Unknown))) return asked;
  }
  if (held_dict(value) != nullptr && name != "__class__") {
    return run.arena.method("container." + std::string(name), value);
  }
  bool is_open = false;
  for (const Value base : bases_in_order(run, cls)) {
    if (!base->is(ValueKind::Class)) is_open |= !label_of(base).starts_with("builtins.object");
  }
  if (find_member(run, cls, "__getattr__") != nullptr) is_open = true;
  if (const Value init = find_member(run, cls, "__init__");
      init != nullptr && init->is(ValueKind::Function))
    is_open |= init->function().is_wrapped;
  if (name == "__class__") return cls;
  if (name == "__dict__") return run.arena.unknown();
  if (name == "_replace" || name == "_asdict") return run.arena.unknown();
  if (!is_open && !run.is_quiet()) {
    run.stop();  // AttributeError
    return run.arena.unknown();
  }
  return unknown_attribute(run, value, name);
}

Value tensor_attribute(Evaluator& run, Value value, std::string_view name, uint32_t node) {
  if (name == "T" || name == "mT" || name == "H" || name == "mH" || name == "real" ||
      name == "imag") {
    Arguments arguments{{value}, {}, false};
    return run.matcher.torch_call("get", arguments, node);
  }
  if (name == "data") return value;
  if (name == "shape") return run.matcher.size_of(value, nullptr);
  if (name == "ndim") {
    const Value sizes = run.matcher.size_of(value, nullptr);
    return sizes->is(ValueKind::Tuple)
               ? run.arena.integer(static_cast<int64_t>(sizes->items().size()))
               : run.arena.unknown();
  }
  if (name == "dtype" && value->tensor().state == TensorState::Known &&
      value->tensor().names.size() == 1 && run.task != nullptr) {
    const TensorSizes& sizes = run.task->graph->sizes_of(value->tensor().names[0]);
    if (sizes.is_known && !sizes.dtype.empty())
      return run.arena.external("torch." + std::string(sizes.dtype));
  }
  if (is_tensor_fact(name)) {
    const Value fact = unknown_attribute(run, value, name);
    if (name == "device" && fact->is(ValueKind::Unknown) && run.may_write(fact))
      fact->unknown().origin = payload::MemberOf{value, std::string(name)};
    return fact;
  }
  if (value->tensor().is_multiple && (name == "values" || name == "indices")) {
    const size_t i = name == "values" ? 0 : 1;
    if (i < value->tensor().parts.size())
      return run.arena.tensor(TensorState::Known, {value->tensor().parts[i]});
  }
  if (const Value own = own_attribute(value, name)) return own;
  return run.arena.method("Tensor." + std::string(name), value);
}

}  // namespace

Value unknown_attribute(Evaluator& run, Value value, std::string_view name) {
  if (const Value known = own_attribute(value, name)) return known;
  const Value open = run.arena.unknown();
  if (run.may_write(value)) value->attributes.emplace_back(run.arena.keep(std::string(name)), open);
  return open;
}

Value field_of(Evaluator& run, Value result) {
  std::vector<uint32_t> any = result->tensor().names;
  for (const uint32_t part : result->tensor().parts) {
    if (std::find(any.begin(), any.end(), part) == any.end()) any.push_back(part);
  }
  const Value field = run.arena.tensor(TensorState::Known, std::move(any));
  field->tensor().from_module = true;
  field->tensor().is_field = true;
  return field;
}

Value bind_member(Evaluator& run, Value member, std::string_view name, Value self, Value cls,
                  uint32_t node) {
  if (!member->is(ValueKind::Function)) return class_attribute(run, cls, name, member);
  if (member->function().is_property) {
    Arguments arguments{{self}, {}, false};
    run.at(node);
    return call(run, member, arguments, node);
  }
  if (member->function().is_static) return member;
  return run.arena.method(member, member->function().is_class_method ? cls : self);
}

Value attribute(Evaluator& run, Value value, std::string_view name, uint32_t node) {
  run.step();
  switch (value->kind()) {
    case ValueKind::Unknown:
      return attribute_of_unknown(run, value, name, node);
    case ValueKind::Instance:
      return instance_attribute(run, value, name, node);
    case ValueKind::Class:
      return attribute_of_class(run, value, name);
    case ValueKind::Super:
      return attribute_of_super(run, value->super(), name, node);
    case ValueKind::Module:
      return run.model.module_attribute(value, name, node);
    case ValueKind::Tensor:
      return tensor_attribute(run, value, name, node);
    case ValueKind::File: {
      run_file(run, value->file());
      const Value member = member_of_file(run, *value->file(), name);
      return member != nullptr ? member : run.arena.unknown();
    }
    case ValueKind::External:
      return attribute_of_external(run, value->name(), name);
    case ValueKind::None:
      if (!run.is_quiet()) run.stop();  // AttributeError
      return run.arena.unknown();
    case ValueKind::Text:
    case ValueKind::List:
    case ValueKind::Tuple:
    case ValueKind::Dict:
    case ValueKind::Lazy:
      if (const Value known = own_attribute(value, name)) return known;
      return run.arena.method("container." + std::string(name), value);
    case ValueKind::Function:
    case ValueKind::Method:
    case ValueKind::Partial:
      if (const Value known = own_attribute(value, name)) return known;
      if (name == "func" && value->is(ValueKind::Partial)) return value->partial().function;
      if (name == "__name__" && value->is(ValueKind::Function))
        return run.arena.string(value->function().name);
      return run.arena.unknown();
    default:
      return run.arena.unknown();
  }
}

void set_attribute(Evaluator& run, Value value, std::string_view name, Value item) {
  if (value->is(ValueKind::Module)) {
    run.model.set_module_attribute(value, name, item);
    return;
  }
  if (value->is(ValueKind::File) || value->is(ValueKind::External) || !run.may_write(value)) return;
  if (const Value dict = held_dict(value)) {
    const Value cls = value->instance().cls;
    if (find_member(run, cls, "__setattr__") != nullptr &&
        find_member(run, cls, "__getattr__") != nullptr) {
      put(run, dict, run.arena.string(name), item);
      return;
    }
  }
  for (auto& [known, old] : value->attributes) {
    if (known == name) {
      old = item;
      return;
    }
  }
  value->attributes.emplace_back(name, item);
}

}  // namespace etlens::recover
