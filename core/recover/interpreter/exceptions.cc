// SPDX-License-Identifier: Apache-2.0
// try, and what may raise.

#include "core/recover/interpreter/definitions.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

constexpr double kRaised = 0.5;  // that the body of a try does not come to its end

// Python does not come to what stands behind.
bool leaves(const PythonTree& tree, uint32_t clause) {
  for (uint32_t c = tree[clause].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::Block) continue;
    for (uint32_t s = tree[c].first_child; s != kNone; s = tree[s].next) {
      const K kind = tree[s].kind;
      if (kind == K::RaiseStatement || kind == K::ReturnStatement || kind == K::BreakStatement ||
          kind == K::ContinueStatement)
        return true;
    }
  }
  return false;
}

bool raises(const PythonTree& tree, uint32_t clause) {
  for (uint32_t c = tree[clause].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::Block)
      return tree[c].first_child != kNone && tree[tree[c].first_child].kind == K::RaiseStatement;
  }
  return false;
}

// torch.compiler.is_compiling(), isinstance(x, torch.Tensor): what torch is asked without arguments,
// and of which class something is.
bool is_question(const PythonTree& tree, uint32_t call) {
  const uint32_t function = tree.child(call, F::Function);
  const uint32_t list = tree.child(call, F::Arguments);
  if (function != kNone && tree.text(function) == "isinstance") return true;
  return function != kNone && list != kNone && tree[list].first_child == kNone &&
         tree.text(function).starts_with("torch.");
}

// Imports of what is there, and what is only named, raise nothing.
bool may_raise(Evaluator& run, uint32_t body) {
  const PythonTree& tree = run.tree();
  for (uint32_t n = body; n < tree[body].end_child; ++n) {
    run.step();
    switch (tree[n].kind) {
      case K::FunctionDefinition:
      case K::Lambda:
        n = tree[n].end_child - 1;
        break;
      case K::Call:
        if (!is_question(tree, n)) return true;
        n = tree[n].end_child - 1;
        break;
      case K::Attribute:
      case K::Subscript:
      case K::BinaryOperator:
      case K::ComparisonOperator:
      case K::AugmentedAssignment:
      case K::ForStatement:
      case K::RaiseStatement:
      case K::AssertStatement:
        return true;
      case K::ImportStatement:
      case K::ImportFromStatement: {
        const uint32_t from = tree.child(n, F::ModuleName);
        for (uint32_t c = from == kNone ? tree[n].first_child : from; c != kNone;
             c = from == kNone ? tree[c].next : kNone) {
          const uint32_t name = tree[c].kind == K::AliasedImport ? tree.child(c, F::Name) : c;
          const std::string_view dotted = tree.text(name);
          if (dotted.starts_with("torch")) continue;
          const bool is_found =
              tree[c].kind == K::RelativeImport || run.sources.find_module(dotted) != nullptr;
          if (!is_found) return true;
        }
        n = tree[n].end_child - 1;
        break;
      }
      default:
        break;
    }
  }
  return false;
}

}  // namespace

Flow run_try(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const uint32_t body = tree.child(node, F::Body);
  if (body == kNone) return Flow::Next;
  std::vector<uint32_t> handlers;
  uint32_t otherwise = kNone;
  uint32_t last = kNone;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    // One that only raises something else ends here as well.
    if (tree[c].kind == K::ExceptClause && !raises(tree, c)) handlers.push_back(c);
    if (tree[c].kind == K::ElseClause) otherwise = c;
    if (tree[c].kind == K::FinallyClause) last = c;
  }
  const auto run_blocks = [&](uint32_t clause) {
    for (uint32_t b = clause == kNone ? kNone : tree[clause].first_child; b != kNone;
         b = tree[b].next) {
      if (tree[b].kind != K::Block) continue;
      const Flow flow = run_block(run, b);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  };
  const bool is_open = !handlers.empty() && may_raise(run, body);
  size_t way = 0;
  if (is_open && !run.is_quiet() && run.has_choices()) {
    std::vector<double> costs(handlers.size() + 1, kRaised);
    costs[0] = 0;
    way = run.choose_any(costs);
    if (run.is_stopped()) return Flow::Return;
  }
  Flow flow = Flow::Next;
  if (way > 0) {
    forget_targets(run, body);  // how far it came
    flow = run_blocks(handlers[way - 1]);
  } else {
    flow = run_block(run, body);
    if (run.is_stopped() || run.signals.leaves_generator) return Flow::Return;
    forget_missing_imports(run, node);
    if (is_open && run.is_quiet()) {
      for (const uint32_t handler : handlers) {
        note_open_returns(run, handler);
        if (leaves(tree, handler)) continue;
        forget_targets(run, body);
        forget_targets(run, handler);
      }
    }
    if (flow == Flow::Next) flow = run_blocks(otherwise);
  }
  if (run.is_stopped() || run.signals.leaves_generator) return Flow::Return;
  // Whatever way Python leaves it; what is returned is made by then.
  const Value result = run.signals.returned;
  const Flow end = run_blocks(last);
  if (end != Flow::Next) return end;
  run.signals.returned = result;
  return flow;
}

}  // namespace etlens::recover
