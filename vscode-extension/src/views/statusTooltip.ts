// SPDX-License-Identifier: Apache-2.0
// The tooltip of the status item: the message, the executions, the artifacts, the warnings.
import * as vscode from "vscode";
import { brokenPlace } from "../base/budgets";
import { comparisonWords } from "../base/comparison";
import { age, escapeMarkdown, markdownText, percent } from "../base/format";
import { isOfExport, isTimed } from "../base/measures";
import { shortPath, shortPaths } from "../base/paths";
import type { BudgetsView, StatusProfile, StatusResult } from "../base/protocol";
import { oddWords, sampleWords } from "../base/statistics";

const pickMethod = "etlens.pickMethod";
const pickGroup = "etlens.pickGroup";
const compareWithLastRun = "etlens.compareWithLastRun";
const compareWithRun = "etlens.compareWithRun";
const goToBrokenBudget = "etlens.goToBrokenBudget";
const enabledCommands = [pickMethod, pickGroup, compareWithLastRun, compareWithRun, goToBrokenBudget];

export function statusTooltip(message: string, status: StatusResult | undefined): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown(markdownText(message));
  if (status?.replaced !== undefined) markdown.appendMarkdown(`\n\n${escapeMarkdown(status.replaced)}`);
  if (status?.budgets !== undefined) appendBudgets(markdown, status.budgets);
  if (status !== undefined) appendRuns(markdown, status);
  const shown = status?.profile;
  if (shown !== undefined) {
    const timed = isTimed(status);
    if (timed) appendExecutions(markdown, shown);
    markdown.appendMarkdown("\n\n| | |\n|---|---|\n");
    for (const [name, value] of timed ? rows(shown) : isOfExport(shown) ? exportRows(shown) : [profileRow(shown)]) markdown.appendMarkdown(`| ${name} | ${escapeMarkdown(value)} |\n`);
  }
  // What cannot be compared is in the message.
  const comparison = status?.comparison?.problem === undefined ? status?.comparison : undefined;
  for (const words of comparison === undefined ? [] : comparisonWords(comparison)) {
    markdown.appendMarkdown(`\n\n${escapeMarkdown(words)}`);
  }
  for (const warning of status?.warnings ?? []) {
    markdown.appendMarkdown(`\n\n${warning.severity === "info" ? "" : "⚠ "}${escapeMarkdown(warning.advice)}`);
  }
  return markdown;
}

// A click goes to the line that breaks the budget.
function appendBudgets(markdown: vscode.MarkdownString, budgets: BudgetsView): void {
  if (budgets.problem !== undefined) markdown.appendMarkdown(`\n\n⚠ ${escapeMarkdown(shortPaths(budgets.problem))}`);
  for (const broken of budgets.broken) {
    markdown.isTrusted = { enabledCommands };
    const link = `command:${goToBrokenBudget}?${encodeURIComponent(JSON.stringify(broken.budget))}`;
    const words = [broken.text, broken.cause ?? ""].filter((text) => text !== "").join("; ");
    markdown.appendMarkdown(`\n\n⚠ ${escapeMarkdown(broken.budget)}, line ${broken.policy_line} of ${escapeMarkdown(shortPath(budgets.policy))}: ${escapeMarkdown(words)}: [${escapeMarkdown(brokenPlace(budgets, broken))}](${link} "Go to the Line")`);
  }
}

// A click compares with the run.
function appendRuns(markdown: vscode.MarkdownString, { last_run: last, earlier_runs: earlier }: StatusResult): void {
  const links = earlier.map(({ text, run }) => `[${escapeMarkdown(text)}](command:${compareWithRun}?${encodeURIComponent(JSON.stringify(run))} "What Changed")`);
  if (last !== undefined) links.unshift(`[${escapeMarkdown(last.text)}](command:${compareWithLastRun} "What Changed Since the Last Run")`);
  if (links.length === 0) return;
  markdown.isTrusted = { enabledCommands };
  markdown.appendMarkdown(`\n\n${links.join(" · ")}`);
}

// The strip shows at a glance whether one execution is far from the others; below it stands which.
function appendExecutions(markdown: vscode.MarkdownString, shown: StatusProfile): void {
  markdown.appendMarkdown(`\n\n**${escapeMarkdown(shown.headline)}**`);
  for (const finding of shown.findings) markdown.appendMarkdown(`\n\n⚠ ${escapeMarkdown(finding)}`);
  if (shown.executions_used === 1) markdown.appendMarkdown(`\n\nEvery number is ${escapeMarkdown(sampleWords(shown))}: how much it varies is not known.`);
  if (shown.executions > 1 && shown.strip !== "") markdown.appendCodeblock(shown.strip, "text");
  for (const words of oddWords(shown)) markdown.appendMarkdown(`\n- ${escapeMarkdown(words)}`);
  if (shown.also_text !== undefined) {
    markdown.isTrusted = { enabledCommands };
    markdown.appendMarkdown(`\n\n[${escapeMarkdown(shown.also_text)}](command:${pickMethod} "Select Method or Block…")`);
  }
  if (shown.cold_start_text !== undefined) markdown.appendMarkdown(`\n\n${escapeMarkdown(shown.cold_start_text)}`);
  if (shown.kinds_text !== undefined) {
    markdown.isTrusted = { enabledCommands };
    markdown.appendMarkdown(`\n\n[${escapeMarkdown(shown.kinds_text)}](command:${pickGroup} "Select Group of Executions…")`);
  }
}

// The message has the numbers.
function exportRows(shown: StatusProfile): [string, string][] {
  return [
    ["program", shown.pte === undefined ? "none" : shortPath(shown.pte)],
    ["record", shown.etrecord === undefined ? "none" : shortPath(shown.etrecord)],
    ["exported", age(shown.modified)],
  ];
}

function profileRow(shown: StatusProfile): [string, string] {
  return ["Python profile", `${shortPath(shown.etdump)}, ${age(shown.modified)}`];
}

// What the headline does not say: it has the total, the mean and the disturbance.
function rows(shown: StatusProfile): [string, string][] {
  return [
    ["dump", `${shortPath(shown.etdump)}, ${age(shown.modified)}`],
    ["record", shown.etrecord === undefined ? "none" : shortPath(shown.etrecord)],
    ["method", `${shown.method ?? "unknown"}, ${shown.block}`],
    ["numbers", `${sampleWords(shown)}${shown.raw ? ", clocks as logged" : ""}`],
    ["on lines", percent(shown.on_lines)],
    ["in modules", percent(shown.in_modules)],
    ["delegated", percent(shown.delegated)],
  ];
}
