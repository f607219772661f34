// SPDX-License-Identifier: Apache-2.0
#include "core/view/gate_view.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

std::string_view gate_unit(BudgetUnit unit) {
  switch (unit) {
    case BudgetUnit::Names:
      return "operators";
    case BudgetUnit::Count:
      return "count";
    case BudgetUnit::Share:
      return "share";
    case BudgetUnit::Nanoseconds:
      return "ns";
    case BudgetUnit::Bytes:
      break;
  }
  return "bytes";
}

GateFindingView gate_finding_view(Budget budget, const GateFinding& finding) {
  GateFindingView view;
  view.path = text_or_null(finding.place.path);
  view.recorded_path = text_or_null(finding.place.recorded_path);
  if (finding.place.line > 0) view.line = finding.place.line;
  view.op = text_or_null(finding.op);
  view.backend = text_or_null(finding.backend);
  const bool is_call = budget == Budget::DelegateCalls;
  if (!finding.op.empty()) {
    view.nodes = finding.count;
    view.reason =
        ReasonView{finding.reason.id, finding.reason.text, text_or_null(finding.reason.remedy)};
  } else if (is_call) {
    view.delegate_call = finding.count;
  } else if (unit_of(budget) == BudgetUnit::Bytes) {
    view.bytes = finding.count;
  }
  if (finding.judged) view.change = judged_view(*finding.judged);
  return view;
}

GateRowView gate_row_view(const GateRow& row, GateWords words) {
  const BudgetRow& budget = row.budget;
  GateRowView view;
  view.budget = name_of(budget.budget);
  view.status = name_of(row.status);
  view.required = budget.is_required;
  view.policy_line = budget.line;
  view.text = std::move(words.row);
  view.unit = gate_unit(unit_of(budget.budget));
  if (unit_of(budget.budget) == BudgetUnit::Names) view.allowed = budget.names;
  else view.limit = budget.limit;
  view.value = row.value;
  view.not_checked = text_or_null(row.why_not);
  if (budget.budget == Budget::SlowerLines || budget.budget == Budget::SlowerTotal)
    view.undecided = row.undecided;
  for (size_t i = 0; i < row.findings.size(); ++i) {
    go_on();
    view.findings.push_back(gate_finding_view(budget.budget, row.findings[i]));
    view.findings.back().text = std::move(words.findings[i]);
  }
  return view;
}

}  // namespace

GateView gate_view(const GateResult& result, std::vector<GateWords> words) {
  GateView view;
  view.policy = result.policy;
  view.kept = result.count(GateStatus::Kept);
  view.violated = result.count(GateStatus::Violated);
  view.not_checked = result.count(GateStatus::NotChecked);
  view.passed = view.violated == 0 && result.checked() > 0;
  for (size_t i = 0; i < result.rows.size(); ++i)
    view.budgets.push_back(gate_row_view(result.rows[i], std::move(words[i])));
  return view;
}

BudgetsView budgets_view(const GateView& gate) {
  BudgetsView view{
      std::string(gate.policy), std::nullopt, gate.kept, gate.violated, gate.not_checked, {}};
  for (const GateRowView& row : gate.budgets) {
    if (row.status != name_of(GateStatus::Violated)) continue;
    BrokenBudgetView& broken = view.broken.emplace_back();
    broken.budget = row.budget;
    broken.text = row.text;
    broken.policy_line = row.policy_line;
    const auto cause = std::ranges::find_if(row.findings, [](const GateFindingView& finding) {
      go_on();
      return finding.path.value && finding.line.value;
    });
    if (cause == row.findings.end()) continue;
    broken.path = *cause->path.value;
    broken.line = *cause->line.value;
    if (!cause->text.empty()) broken.cause = cause->text;
  }
  return view;
}

}  // namespace etlens
