// SPDX-License-Identifier: Apache-2.0
// Calls whose bodies do not run here: of modules of the model, of values that nobody knows, and of
// libraries.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxLibraryUnits = 8;
constexpr double kAnotherUnit = 0.05;
constexpr double kUnseenInput = 0.5;
constexpr double kNothingGiven = 1.5;
constexpr double kSizesAlone = 0.2;
constexpr size_t kMaxClasses = 8;
constexpr double kRefusedObject = 0.3;
constexpr double kNoCallable = 1.2;

// The type of a module is one of these classes of torch.
bool is_one_of(std::string_view type, const std::vector<Value>& layers) {
  const auto name_of = [](std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); };
  return type.starts_with("torch.nn.") &&
         std::any_of(layers.begin(), layers.end(),
                     [&](Value layer) { return name_of(label_of(layer)) == name_of(type); });
}

}  // namespace

// A child that reads tensors which it was not given has them from elsewhere, or was given others.
double Interpreter::price_of_unseen(const Unit& child, const Operands& operands) const {
  const GraphUnits& graph = *problem_->graph;
  for (const uint32_t input : child.inputs) {
    if (graph.is_held(input) || graph.is_lifted(input)) continue;
    const bool is_given =
        std::any_of(operands.known.begin(), operands.known.end(), [&](Value tensor) {
          return std::find(tensor->tensor().names.begin(), tensor->tensor().names.end(), input) !=
                 tensor->tensor().names.end();
        });
    if (!is_given) return operands.known.empty() ? kNothingGiven : kUnseenInput;
  }
  return 0;
}

bool Interpreter::reads_nothing_given(const Unit& child) const {
  const GraphUnits& graph = *problem_->graph;
  return std::all_of(child.inputs.begin(), child.inputs.end(), [&](uint32_t input) {
    return graph.is_held(input) || graph.is_lifted(input);
  });
}

Value Interpreter::call_module(Value module, Arguments& arguments) {
  if (is_quiet() || module_call_ == nullptr) return arena_.tensor(TensorState::Any);
  const std::string& path = module->path();
  const Operands operands = operands_of(arguments);
  const Unit* next = next_unit();
  const GraphUnits& graph = *problem_->graph;
  const bool is_next = next != nullptr && next->child != kNoCall &&
                       graph.calls()[next->child].path == path && frames_fit(*next, false) &&
                       !operands.has_dead;
  bool fits = false;
  if (is_next) {
    fits = operands.known.empty();
    for (const Value tensor : operands.known) {
      for (const uint32_t name : tensor->tensor().names)
        fits |= std::find(next->inputs.begin(), next->inputs.end(), name) != next->inputs.end();
    }
    fits |= !operands.unknown.empty();
  }
  double unexpected = fits && operands.unknown.empty() ? price_of_unseen(*next, operands) : 0;
  // Of what it is given it may ask the sizes alone.
  if (!fits && is_next && reads_nothing_given(*next)) {
    fits = true;
    unexpected = kSizesAlone;
  }
  const Value cls = class_of_module(path);
  double missing = cls != nullptr ? 1 : 0;
  if (const uint32_t last = graph.last_unit(problem_->call, path); last != kNone)
    missing = std::max(missing, last < position_ ? 0.5 : 1.5);
  if (fits && choose({unexpected, std::max(2.0, missing)}) == 0) {
    if (stopped_) return arena_.unknown();
    const Value result = use_unit("", true, &arguments);
    result->tensor().from_module = true;
    for (const Value tensor : operands.known) {
      for (const uint32_t name : tensor->tensor().names) result->tensor().parts.push_back(name);
    }
    if (problem_->results != nullptr) {
      const auto known = problem_->results->find(next->child);
      if (known != problem_->results->end() && known->second != nullptr)
        return copy_of(arena_, known->second);
    }
    return result;
  }
  if (stopped_) return arena_.unknown();
  if (!fits) pay(missing);
  if (!arguments.positional.empty()) return arguments.positional[0];
  return arena_.unknown();
}

// An unknown of which a method is called, or a property is asked, that plain classes of the project
// have may be an object of one of them. True if this run takes it for one.
bool Interpreter::find_object(Value unknown, std::string_view method, bool is_property) {
  if (is_quiet() || choices_ == nullptr || !unknown->is(ValueKind::Unknown) ||
      !unknown->unknown().candidates.empty()) {
    return false;
  }
  const auto at = caches_.methods.find(method);
  if (at == caches_.methods.end()) return false;
  std::vector<Value> classes;
  for (const Value cls : at->second) {
    const Value own = own_attribute(cls, method);
    const bool is_asked =
        own->is(ValueKind::Function) && own->function().is_property == is_property;
    if (!is_module_class(cls) && is_asked) classes.push_back(cls);
  }
  if (classes.empty() || classes.size() > kMaxClasses) return false;
  const auto pick = choose_or_none(std::vector<double>(classes.size(), 0), kRefusedObject);
  if (!pick) return false;
  Arguments open;
  open.has_more = true;
  ++quiet_;
  const Value made = call_class(classes[*pick], open, kNone);
  --quiet_;
  become(unknown, likely(made));
  return unknown->is(ValueKind::Instance);
}

Value Interpreter::call_unknown(Value callee, Arguments& arguments, uint32_t node) {
  if (const Value member = named_member(callee, node)) return call(member, arguments, node);
  if (stopped_) return arena_.unknown();
  if (const auto* member = origin_of<payload::MemberOf>(callee)) {
    const auto [object, name] = *member;
    if (find_object(object, name, false)) {
      bool found = false;
      return call_method_named(object, name, arguments, node, found);
    }
    if (stopped_) return arena_.unknown();
    arguments.positional.insert(arguments.positional.begin(), object);
    return torch_call(name, arguments, node);
  }
  callee = local(callee);
  const std::vector<Value> layers = is_quiet() ? std::vector<Value>() : layers_of(callee);
  std::vector<Value>& candidates_left = callee->unknown().candidates;
  auto* const parameter = origin_of<payload::Parameter>(callee);
  if (parameter != nullptr && parameter->cls != nullptr && candidates_left.empty() && !is_quiet()) {
    candidates_left = given_by_callers(parameter->cls, parameter->name).values;
    std::erase_if(candidates_left, [&](Value value) {
      const bool is_object = value->is(ValueKind::Instance) &&
                             find_member(value->instance().cls, "__call__") != nullptr;
      return !is_object && !value->is(ValueKind::Function) && !value->is(ValueKind::Partial) &&
             !value->is(ValueKind::External);
    });
    parameter->cls = nullptr;
  }
  if (!candidates_left.empty() && !is_quiet()) {
    // One of several values that an expression of the constructor may give.
    const std::vector<Value> candidates = candidates_left;
    if (const auto pick = choose_or_none(std::vector<double>(candidates.size(), 0), kNoCallable)) {
      become(callee, local(candidates[*pick]));
      if (callee->is(ValueKind::Unknown) && callee->unknown().candidates == candidates)
        callee->unknown().candidates.clear();
      return call(callee, arguments, node);
    }
    candidates_left.clear();
  }
  if (is_quiet() || stopped_) return arena_.unknown();
  const Operands operands = operands_of(arguments);
  const Unit* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (fits) {
    const double cost = next->child != kNoCall ? 0 : 0.2;
    if (choose({cost, missing}) == 0) {
      if (stopped_) return arena_.unknown();
      bind_operands(*next, operands);
      const bool is_child = next->child != kNoCall;
      // It may run inside a helper that nobody can see: no line, but for a layer of torch's.
      const bool is_layer =
          is_child && is_one_of(problem_->graph->calls()[next->child].type, layers);
      const Value result = use_unit("", is_layer, is_child ? &arguments : nullptr);
      result->tensor().from_module = true;
      return result;
    }
    return arena_.unknown();
  }
  pay(missing);
  return arena_.unknown();
}

// A function of a library whose source is not the project's.
Value Interpreter::call_library(Arguments& arguments, double cost) {
  if (is_quiet()) return arena_.unknown();
  const Operands operands = operands_of(arguments);
  if (operands.known.empty() && operands.unknown.empty()) return arena_.unknown();
  const Unit* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (fits && choose({next->child != kNoCall ? 1.5 : cost, missing}) == 0) {
    if (stopped_) return arena_.unknown();
    bind_operands(*next, operands);
    const bool is_child = next->child != kNoCall;
    Value result = use_unit("", true, is_child ? &arguments : nullptr);
    // It may do several things, one with the result of the other.
    for (size_t more = 0; !is_child && more < kMaxLibraryUnits; ++more) {
      const Unit* after = next_unit();
      if (after == nullptr || after->child != kNoCall || !frames_fit(*after, true)) break;
      const bool follows =
          std::any_of(after->inputs.begin(), after->inputs.end(), [&](uint32_t input) {
            return std::find(result->tensor().names.begin(), result->tensor().names.end(), input) !=
                   result->tensor().names.end();
          });
      if (!follows || choose({0, kAnotherUnit}) == 0 || stopped_) break;
      result = use_unit("", true, nullptr);
    }
    result->tensor().from_module = true;
    return result;
  }
  if (!fits) pay(missing);
  return arena_.unknown();
}

}  // namespace etlens::recover
