// SPDX-License-Identifier: Apache-2.0
// Words for broken budgets. Knows no editor.
import * as path from "node:path";
import type { BrokenBudgetView, BudgetsView } from "./protocol";

export interface Place {
  file: string;
  line: number; // 1-based
}

// The line that breaks the budget; where none is known, that of the policy.
export function placeOf({ policy }: BudgetsView, { path: file, line, policy_line: policyLine }: BrokenBudgetView): Place {
  return file === undefined || line === undefined ? { file: policy, line: policyLine } : { file, line };
}

// "rope.py:14".
export function brokenPlace(budgets: BudgetsView, broken: BrokenBudgetView): string {
  const { file, line } = placeOf(budgets, broken);
  return `${path.posix.basename(file)}:${line}`;
}

// For the status bar: "peak_memory rope.py:14, +1".
export function brokenWords(budgets: BudgetsView): string {
  const [first, ...more] = budgets.broken;
  if (first === undefined) return "";
  return `${first.budget} ${brokenPlace(budgets, first)}${more.length === 0 ? "" : `, +${more.length}`}`;
}
