// SPDX-License-Identifier: Apache-2.0
// Calls whose bodies do not run here: of modules of the model, of unknown values, and of libraries.
#include <algorithm>

#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/iteration.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxLibraryUnits = 8;
constexpr double kAnotherUnit = 0.05;
constexpr double kUnseenInput = 0.5;
constexpr double kNothingGiven = 1.5;
constexpr double kSizesAlone = 0.2;
constexpr double kPassed = 2;

// The type of a module is one of these classes of torch.
bool is_one_of(std::string_view type, const std::vector<Value>& layers) {
  const auto name_of = [](std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); };
  return type.starts_with("torch.nn.") &&
         std::any_of(layers.begin(), layers.end(),
                     [&](Value layer) { return name_of(label_of(layer)) == name_of(type); });
}

bool reads_nothing_given(const GraphUnits& graph, const SourceCall& child) {
  return std::all_of(child.inputs.begin(), child.inputs.end(), [&](uint32_t input) {
    return graph.is_held(input) || graph.is_lifted(input);
  });
}

}  // namespace

// A child that reads tensors which it was not given has them from elsewhere, or was given others.
double Matcher::price_of_unseen(const SourceCall& child, const Operands& operands) const {
  const GraphUnits& graph = *run_.task->graph;
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

// The next unit ran inside a layer that the record does not name: one of torch's whose calls all
// left no unit.
bool Matcher::is_of_layer(Value module, const Operands& operands) {
  const SourceCall* next = next_unit();
  const Value cls = run_.model.class_of_module(module->path());
  return next != nullptr && next->is_layer && !operands.has_dead &&
         (cls == nullptr || cls->is(ValueKind::External)) &&
         run_.task->graph->last_unit(run_.task->call, module->path()) == kNone &&
         frames_fit(*next, true) && data_fits(*next, operands, false, false);
}

Value Matcher::call_module(Value module, Arguments& arguments) {
  if (run_.is_quiet() || module_call_ == nullptr) return run_.arena.tensor(TensorState::Any);
  const std::string& path = module->path();
  const Operands operands = operands_of(arguments);
  if (is_of_layer(module, operands) && run_.choose({0, kPassed}) == 0)
    return run_.is_stopped() ? run_.arena.unknown() : use_unit("", true, nullptr);
  if (run_.is_stopped()) return run_.arena.unknown();
  const SourceCall* next = next_unit();
  const GraphUnits& graph = *run_.task->graph;
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
  if (!fits && is_next && reads_nothing_given(*run_.task->graph, *next)) {
    fits = true;
    unexpected = kSizesAlone;
  }
  const Value cls = run_.model.class_of_module(path);
  double missing = cls != nullptr ? 1 : 0;
  if (const uint32_t last = graph.last_unit(run_.task->call, path); last != kNone)
    missing = std::max(missing, last < position_ ? 0.5 : 1.5);
  if (fits && run_.choose({unexpected, std::max(2.0, missing)}) == 0) {
    if (run_.is_stopped()) return run_.arena.unknown();
    const Value result = use_unit("", true, &arguments);
    result->tensor().from_module = true;
    for (const Value tensor : operands.known) {
      for (const uint32_t name : tensor->tensor().names) result->tensor().parts.push_back(name);
    }
    if (run_.task->results != nullptr) {
      const auto known = run_.task->results->find(next->child);
      if (known != run_.task->results->end() && known->second != nullptr)
        return copy_of(run_.arena, known->second);
    }
    return result;
  }
  if (run_.is_stopped()) return run_.arena.unknown();
  if (!fits) run_.add_cost(missing);
  if (!arguments.positional.empty()) return arguments.positional[0];
  return run_.arena.unknown();
}

// A call of an unknown value: the next unit, if the arguments fit. `layers`: torch's, one of which
// it may be.
Value Matcher::call_unseen(Arguments& arguments, const std::vector<Value>& layers) {
  const Operands operands = operands_of(arguments);
  const SourceCall* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (!fits) {
    run_.add_cost(missing);
    return run_.arena.unknown();
  }
  const double cost = next->child != kNoCall ? 0 : 0.2;
  if (run_.choose({cost, missing}) != 0 || run_.is_stopped()) return run_.arena.unknown();
  bind_operands(*next, operands);
  const bool is_child = next->child != kNoCall;
  // It may run inside a helper whose source is not here: only a layer of torch's gets a line.
  const bool is_layer = is_child && is_one_of(run_.task->graph->calls()[next->child].type, layers);
  const Value result = use_unit("", is_layer, is_child ? &arguments : nullptr);
  result->tensor().from_module = true;
  return result;
}

// A function of a library whose source is not the project's.
Value Matcher::call_library(Arguments& arguments, double cost) {
  if (run_.is_quiet()) return run_.arena.unknown();
  const Operands operands = operands_of(arguments);
  if (operands.known.empty() && operands.unknown.empty()) return run_.arena.unknown();
  const SourceCall* next = next_unit();
  const bool fits = next != nullptr && !operands.has_dead &&
                    frames_fit(*next, next->child == kNoCall) &&
                    data_fits(*next, operands, true, false);
  const double missing = operands.known.empty() ? 0.02 : 1;
  if (fits && run_.choose({next->child != kNoCall ? 1.5 : cost, missing}) == 0) {
    if (run_.is_stopped()) return run_.arena.unknown();
    bind_operands(*next, operands);
    const bool is_child = next->child != kNoCall;
    Value result = use_unit("", true, is_child ? &arguments : nullptr);
    // It may do several things, one with the result of the other.
    for (size_t more = 0; !is_child && more < kMaxLibraryUnits; ++more) {
      const SourceCall* after = next_unit();
      if (after == nullptr || after->child != kNoCall || !frames_fit(*after, true)) break;
      const bool follows =
          std::any_of(after->inputs.begin(), after->inputs.end(), [&](uint32_t input) {
            return std::find(result->tensor().names.begin(), result->tensor().names.end(), input) !=
                   result->tensor().names.end();
          });
      if (!follows || run_.choose({0, kAnotherUnit}) == 0 || run_.is_stopped()) break;
      result = use_unit("", true, nullptr);
    }
    result->tensor().from_module = true;
    return result;
  }
  if (!fits) run_.add_cost(missing);
  return run_.arena.unknown();
}

}  // namespace etlens::recover
