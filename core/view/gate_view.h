// SPDX-License-Identifier: Apache-2.0
// Which budgets of a policy a model keeps: the document of `etlens gate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/gate/gate.h"
#include "core/view/delegation_view.h"
#include "core/view/diff_view.h"

namespace etlens {

// One cause of a violation.
struct GateFindingView {
  std::string text;                 // one line for people
  Nullable<std::string_view> path;  // of the source file here
  Nullable<std::string_view> recorded_path;
  Nullable<uint32_t> line;
  Nullable<std::string_view> op;
  Nullable<std::string_view> backend;
  Nullable<uint64_t> nodes;          // of operators on the CPU
  Nullable<uint64_t> delegate_call;  // its number
  Nullable<uint64_t> bytes;
  Nullable<ReasonView> reason;
  Nullable<JudgedView> change;
};
FIELDS(GateFindingView, text, path, recorded_path, line, op, backend, nodes, delegate_call, bytes,
       reason, change)

struct GateRowView {
  std::string_view budget;  // its key in the policy
  std::string_view status;
  bool required = false;
  uint32_t policy_line = 0;
  std::string text;
  std::string_view unit;   // of limit and value
  Nullable<double> limit;  // null: a list of names
  std::vector<std::string> allowed;
  Nullable<double> value;                  // null: not checked
  Nullable<std::string_view> not_checked;  // why
  Nullable<uint64_t> undecided;            // verdicts that more dumps could give
  std::vector<GateFindingView> findings;
};
FIELDS(GateRowView, budget, status, required, policy_line, text, unit, limit, allowed, value,
       not_checked, undecided, findings)

struct GateView {
  Literal<"etlens/gate@1"> schema;
  std::string_view policy;
  bool passed = false;  // nothing is violated, and something was checked
  uint64_t kept = 0;
  uint64_t violated = 0;
  uint64_t not_checked = 0;
  std::vector<GateRowView> budgets;
};
FIELDS(GateView, schema, policy, passed, kept, violated, not_checked, budgets)

// A violated budget, with the first place that breaks it.
struct BrokenBudgetView {
  std::string budget;  // its key in the policy
  std::string text;    // "the peak is 2.42 MB; the policy allows 2 MB"
  uint32_t policy_line = 0;
  std::optional<std::string>
      path;  // absolute, of the source here; absent if the cause has no line, or it is not here
  std::optional<uint32_t> line;      // 1-based; with a path
  std::optional<std::string> cause;  // "590 kB of the peak are made here"; absent for none
};
FIELDS(BrokenBudgetView, budget, text, policy_line, path, line, cause)

// How what is shown keeps the policy of the workspace.
struct BudgetsView {
  std::string policy;  // absolute
  std::optional<std::string>
      problem;  // a sentence: why the policy cannot be used; nothing is checked then
  uint64_t kept = 0;
  uint64_t violated = 0;
  uint64_t not_checked = 0;
  std::vector<BrokenBudgetView> broken;
};
FIELDS(BudgetsView, policy, problem, kept, violated, not_checked, broken)

// The sentences of a row and of its findings.
struct GateWords {
  std::string row;
  std::vector<std::string> findings;
};

// `words`: one per row. `result` must outlive the view.
GateView gate_view(const GateResult& result, std::vector<GateWords> words);
BudgetsView budgets_view(const GateView& gate);

}  // namespace etlens
