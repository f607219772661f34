// SPDX-License-Identifier: Apache-2.0
// Calls of unknown values.

#include "core/recover/interpreter/calls.h"
#include "core/recover/interpreter/classes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/scopes.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxClasses = 8;

constexpr double kRefusedObject = 0.3;

constexpr double kNoCallable = 1.2;

// f(…) of a value that came through a parameter, or of one of several values. Null if it is none.
Value call_candidate(Evaluator& run, Value callee, Arguments& arguments, uint32_t node) {
  std::vector<Value>& candidates = callee->unknown().candidates;
  auto* const parameter = origin_of<payload::Parameter>(callee);
  if (parameter != nullptr && parameter->cls != nullptr && candidates.empty()) {
    candidates = run.model.given_by_callers(parameter->cls, parameter->name).values;
    std::erase_if(candidates, [&](Value value) {
      const bool is_object = value->is(ValueKind::Instance) &&
                             find_member(run, value->instance().cls, "__call__") != nullptr;
      return !is_object && !value->is(ValueKind::Function) && !value->is(ValueKind::Partial) &&
             !value->is(ValueKind::External);
    });
    parameter->cls = nullptr;
  }
  if (candidates.empty()) return nullptr;
  const std::vector<Value> known = candidates;
  if (const auto pick = run.choose_or_none(std::vector<double>(known.size(), 0), kNoCallable)) {
    run.become(callee, run.local(known[*pick]));
    if (callee->is(ValueKind::Unknown) && callee->unknown().candidates == known)
      callee->unknown().candidates.clear();
    return call(run, callee, arguments, node);
  }
  candidates.clear();
  return nullptr;
}

}  // namespace

bool find_object(Evaluator& run, Value unknown, std::string_view method, bool is_property) {
  if (run.is_quiet() || !run.has_choices() || !unknown->is(ValueKind::Unknown) ||
      !unknown->unknown().candidates.empty()) {
    return false;
  }
  const auto at = run.caches.methods.find(method);
  if (at == run.caches.methods.end()) return false;
  std::vector<Value> classes;
  for (const Value cls : at->second) {
    const Value own = own_attribute(cls, method);
    const bool is_asked =
        own->is(ValueKind::Function) && own->function().is_property == is_property;
    if (!is_module_class(run, cls) && is_asked) classes.push_back(cls);
  }
  if (classes.empty() || classes.size() > kMaxClasses) return false;
  const auto pick = run.choose_or_none(std::vector<double>(classes.size(), 0), kRefusedObject);
  if (!pick) return false;
  Arguments open;
  open.has_more = true;
  Value made = nullptr;
  {
    const Evaluator::Apart apart(run, run.scope());
    made = call_class(run, classes[*pick], open, kNone);
  }
  run.become(unknown, likely(run, made));
  return unknown->is(ValueKind::Instance);
}

Value call_unknown(Evaluator& run, Value callee, Arguments& arguments, uint32_t node) {
  if (const Value member = run.model.named_member(callee, node))
    return call(run, member, arguments, node);
  if (run.is_stopped()) return run.arena.unknown();
  if (const auto* member = origin_of<payload::MemberOf>(callee)) {
    const auto [object, name] = *member;
    if (find_object(run, object, name, false)) {
      bool found = false;
      return call_method_named(run, object, name, arguments, node, found);
    }
    if (run.is_stopped()) return run.arena.unknown();
    arguments.positional.insert(arguments.positional.begin(), object);
    return run.matcher.torch_call(name, arguments, node);
  }
  callee = run.local(callee);
  if (run.is_quiet()) return run.arena.unknown();
  const std::vector<Value> layers = run.model.layers_of(callee);
  if (const Value made = call_candidate(run, callee, arguments, node)) return made;
  return run.is_stopped() ? run.arena.unknown() : run.matcher.call_unseen(arguments, layers);
}

}  // namespace etlens::recover
