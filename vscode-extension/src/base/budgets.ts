// SPDX-License-Identifier: Apache-2.0
// Words for broken budgets. Knows no editor.
import * as path from "node:path";
import type { BrokenBudgetView, BudgetsView } from "./protocol";

// "rope.py:14": the line that breaks it, or else the one of the policy.
export function brokenPlace({ policy }: BudgetsView, { path: file, line, policy_line: policyLine }: BrokenBudgetView): string {
  return file === undefined || line === undefined ? `${path.posix.basename(policy)}:${policyLine}` : `${path.posix.basename(file)}:${line}`;
}

// For the status bar: "peak_memory rope.py:14, +1".
export function brokenWords(budgets: BudgetsView): string {
  const [first, ...more] = budgets.broken;
  if (first === undefined) return "";
  return `${first.budget} ${brokenPlace(budgets, first)}${more.length === 0 ? "" : `, +${more.length}`}`;
}
