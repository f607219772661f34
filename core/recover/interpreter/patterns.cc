// SPDX-License-Identifier: Apache-2.0
// match.

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"
#include "core/recover/interpreter/operators.h"
#include "core/recover/interpreter/scopes.h"
#include "core/recover/interpreter/statements.h"

namespace etlens::recover {
namespace {

using K = PythonKind;
using F = PythonField;

int fits_pattern(Evaluator& run, uint32_t pattern, Value subject) {
  const PythonTree& tree = run.tree();
  const std::string_view text = tree.text(pattern);
  if (text == "_") return 1;
  switch (tree[pattern].kind) {
    case K::CasePattern:
      return tree[pattern].first_child == kNone
                 ? 0
                 : fits_pattern(run, tree[pattern].first_child, subject);
    case K::UnionPattern: {
      for (uint32_t c = tree[pattern].first_child; c != kNone; c = tree[c].next) {
        if (fits_pattern(run, c, subject) == 1) return 1;
      }
      return 0;
    }
    case K::DottedName:
      if (text.find('.') == std::string_view::npos) {  // binds
        assign_name(run, text, subject);
        return 1;
      }
      break;
    default:
      break;
  }
  Value value = nullptr;
  if (tree[pattern].kind == K::DottedName) {
    for (uint32_t c = tree[pattern].first_child; c != kNone; c = tree[c].next)
      value = value == nullptr ? eval(run, c) : attribute(run, value, tree.text(c), c);
  } else {
    value = eval(run, pattern);
  }
  if (value == nullptr) return 0;
  return truth(run, compare(run, "==", subject, value, pattern)) ? 1 : 0;
}

}  // namespace

Flow run_match(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  const Value subject = eval(run, tree.child(node, F::Subject));
  std::vector<uint32_t> cases;
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind == K::CaseClause) cases.push_back(c);
    if (tree[c].kind == K::Block) {
      for (uint32_t inner = tree[c].first_child; inner != kNone; inner = tree[inner].next)
        if (tree[inner].kind == K::CaseClause) cases.push_back(inner);
    }
  }
  for (const uint32_t clause : cases) {
    bool fits = false;
    for (uint32_t c = tree[clause].first_child; c != kNone && !fits; c = tree[c].next) {
      if (tree[c].kind == K::CasePattern || tree[c].field == F::Pattern)
        fits = fits_pattern(run, c, subject) == 1;
      if (run.is_stopped()) return Flow::Return;
    }
    if (!fits) continue;
    if (const uint32_t guard = tree.child(clause, F::Guard); guard != kNone) {
      const uint32_t condition = tree[guard].first_child;
      if (condition != kNone && !truth(run, eval(run, condition))) continue;
    }
    return run_block(run, tree.child(clause, F::Consequence));
  }
  return Flow::Next;
}

}  // namespace etlens::recover
