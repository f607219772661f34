// SPDX-License-Identifier: Apache-2.0
// Words for what changed since the baseline. The server words every verdict; here they are put
// beside other facts.
import type { ChangeItem, ComparisonItem } from "./protocol";

// At the end of a row: "−12% ▼ likely"; nothing where there is no verdict to mark.
export function shortChange(change: ChangeItem | undefined): string[] {
  return change === undefined || change.text === "" ? [] : [change.text];
}

// The whole of it, for screen readers and tooltips.
export function changeWords(change: ChangeItem | undefined): string[] {
  if (change === undefined) return [];
  const numbers = change.interval === "" ? "" : ` (${change.interval})`;
  const name = change.text === "" ? change.verdict_text : `${change.text.replace(/ [▲▼].*$/u, "")} ${change.verdict_text}`;
  const words = `since the baseline ${name}${numbers}, ${change.before.text} before, ${change.after.text} now`;
  return change.reason === undefined ? [words] : [words, change.reason];
}

// Of everything: "−43% ▼ likely", or the verdict where there is no number to name.
export function totalChange({ total, problem }: ComparisonItem): string {
  if (problem !== undefined) return "not compared";
  if (total === undefined) return "";
  return total.text === "" ? total.verdict_text : total.text;
}

// A line each: what was found, and what there is to know before believing it.
export function comparisonWords(comparison: ComparisonItem): string[] {
  if (comparison.problem !== undefined) return [`Not compared: ${comparison.problem}`];
  const reason = comparison.total?.reason;
  return [comparison.headline, comparison.counts, ...(reason === undefined ? [] : [reason]), ...comparison.caveats];
}
