// SPDX-License-Identifier: Apache-2.0
// Functions of the sources: their arguments, and their bodies.
#include <algorithm>

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/iteration.h"
#include "core/recover/interpreter/statements.h"
#include "core/recover/interpreter/wrappers.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr size_t kFewNames = 8;  // of a function, parameters and others

bool is_callable(Value value) {
  return value->is(ValueKind::Function) || value->is(ValueKind::Partial) ||
         value->is(ValueKind::External);
}

// All that a function returns, if it can all be called: it is asked for one of several by name.
std::vector<Value> returned_callables(Evaluator& run, Value function, Arguments arguments) {
  const PythonTree& tree = *function->function().file->tree;
  const uint32_t body = tree.child(function->function().node, F::Body);
  if (body == kNone || tree[function->function().node].kind != K::FunctionDefinition) return {};
  Environment* const scope =
      run.arena.environment(function->function().environment, function->function().file);
  if (!bind(run, function, arguments, scope)) return {};
  const Evaluator::InScope inside(run, scope);
  std::vector<Value> found;
  for (uint32_t n = body; n < tree[body].end_child && !run.is_stopped(); ++n) {
    run.step();
    const K kind = tree[n].kind;
    if (n != body && (kind == K::FunctionDefinition || kind == K::Lambda)) {
      n = tree[n].end_child - 1;
    } else if (kind == K::ImportFromStatement) {
      run_import_from(run, n);
    } else if (kind == K::ReturnStatement) {
      const uint32_t expression = tree[n].first_child;
      const Value value = expression == kNone ? run.arena.none() : eval(run, expression);
      n = tree[n].end_child - 1;
      found.push_back(value);
      if (!is_callable(value)) break;
    }
  }
  return !found.empty() && is_callable(found.back()) ? found : std::vector<Value>();
}

// What a constructor may get from a function that it asks for what a text names. Null if it is
// asked for nothing of the kind.
Value named_by_text(Evaluator& run, Value function, const Arguments& arguments, uint32_t node) {
  std::vector<Value> found;
  const auto add = [&](Value value) {
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](Value one) { return is_same_value(one, value); });
    if (is_callable(value) && !is_known) found.push_back(value);
  };
  Arguments given = arguments;
  bool is_open = false;
  const auto try_all = [&](Value& argument) {
    const Value before = argument;
    is_open = is_open || before->is(ValueKind::Unknown);
    for (const Value candidate : run.model.candidates_of(before)) {
      if (!candidate->is(ValueKind::Text)) continue;
      argument = candidate;
      Arguments one = given;
      add(call_function(run, function, one, node));
    }
    argument = before;
  };
  for (Value& argument : given.positional) try_all(argument);
  for (auto& [name, argument] : given.named) try_all(argument);
  if (found.empty() && is_open) {
    for (const Value value : returned_callables(run, function, arguments)) add(value);
  }
  if (found.empty()) return nullptr;
  return run.arena.one_of(std::move(found));
}

// What the function at `node` returns, in the frame and the scope that are open.
Value run_body(Evaluator& run, const PythonTree& tree, uint32_t node) {
  const uint32_t body = tree.child(node, F::Body);
  if (tree[node].kind == K::Lambda) return eval(run, body);
  const Value before = run.signals.returned;
  run.signals.returned = nullptr;
  const Flow flow = run_block(run, body);
  const bool has_value = flow == Flow::Return && run.signals.returned != nullptr;
  const Value result = has_value ? run.signals.returned : run.arena.none();
  run.signals.returned = before;
  return result;
}

}  // namespace

Value any_returned(Evaluator& run, std::vector<Value> some, Value last) {
  some.push_back(last);
  std::vector<Value> all;
  for (const Value value : some) {
    const bool is_several = has_candidates(value);
    if (value->is(ValueKind::Unknown) && !is_several) return run.arena.unknown();
    const std::vector<Value> each =
        is_several ? value->unknown().candidates : std::vector<Value>{value};
    for (const Value one : each) {
      const bool is_known = std::any_of(all.begin(), all.end(),
                                        [&](Value known) { return is_same_value(known, one); });
      if (!is_known) all.push_back(one);
    }
  }
  return all.size() == 1 ? all[0] : run.arena.one_of(std::move(all));
}

// A wrapper that hands on all that it is given: its own frame, and the call of what it wraps.
Value call_wrapped(Evaluator& run, Value wrapper, uint32_t passing, Arguments& arguments) {
  const payload::Function& function = wrapper->function();
  const PythonTree& tree = *function.file->tree;
  const uint32_t callee = tree.child(passing, F::Function);
  CallFrame frame;
  frame.file = function.file;
  frame.function = tree.text(tree.child(function.node, F::Name));
  frame.line = tree[callee].line + 1;
  frame.site = tree[callee].begin;
  frame.is_wrapped = function.is_wrapped;
  run.frames().push_back(frame);
  const Value result = call(run, function.wraps, arguments, passing);
  if (!run.frames().empty()) run.frames().pop_back();
  return result;
}

Value call_function(Evaluator& run, Value function, Arguments& arguments, uint32_t node) {
  if (run.is_quiet() && !run.is_stopped() && !run.signals.is_naming) {
    run.signals.is_naming =
        true;  // not again inside: what asks itself would be asked twice at every level
    const Value named = named_by_text(run, function, arguments, node);
    run.signals.is_naming = false;
    if (named != nullptr) return named;
  }
  if (function->function().file == nullptr || run.frames().size() >= Evaluator::kMaxFrames) {
    run.stop();
    return run.arena.unknown();
  }
  if (function->function().wraps != nullptr) {
    const uint32_t passing = passing_call(run, function);
    if (passing != kNone) return call_wrapped(run, function, passing, arguments);
  }
  Environment* const scope =
      run.arena.environment(function->function().environment, function->function().file);
  scope->owner = function->function().owner;
  scope->names.reserve(kFewNames);
  if (!bind(run, function, arguments, scope)) {
    if (!run.is_quiet()) run.stop();
    return run.arena.unknown();
  }
  if (!arguments.positional.empty() && function->function().owner != nullptr)
    scope->self = arguments.positional[0];
  const PythonTree& tree = *function->function().file->tree;
  if (tree[function->function().node].kind == K::FunctionDefinition &&
      is_generator(run, function->function().file, function->function().node)) {
    payload::Lazy lazy{.kind = LazyKind::Generator, .items = {function}};
    lazy.file = function->function().file;
    lazy.node = function->function().node;
    lazy.environment = scope;
    return run.arena.make(std::move(lazy));
  }
  const Evaluator::InScope inside(run, scope);
  CallFrame frame;
  frame.file = function->function().file;
  frame.function = function->function().name == "<lambda>"
                       ? std::string_view("<lambda>")
                       : tree.text(tree.child(function->function().node, F::Name));
  frame.first_line = tree[function->function().node].line + 1;
  frame.line = frame.first_line;
  frame.is_wrapped = function->function().is_wrapped;
  std::vector<Value> open_returns;
  if (run.is_quiet()) frame.open_returns = &open_returns;
  run.frames().push_back(frame);
  const bool is_deep = run.goes_deeper(Evaluator::kMaxWalkDepth);
  const Value result = run_body(run, tree, function->function().node);
  if (is_deep) run.comes_back();
  if (!run.frames().empty()) run.frames().pop_back();
  return open_returns.empty() ? result : any_returned(run, std::move(open_returns), result);
}

}  // namespace etlens::recover
