// SPDX-License-Identifier: Apache-2.0
// The status item: the time, what changed and what of it is on lines, or why nothing is shown. The tooltip has the rest. A
// click opens the menu of all commands.
import * as vscode from "vscode";
import { brokenWords } from "../base/budgets";
import { totalChange } from "../base/comparison";
import { count, percent } from "../base/format";
import { isOfExport, isTimed, measureWords, shownPath, unusualMeasure } from "../base/measures";
import { shortName, shortPaths } from "../base/paths";
import type { ComparisonItem, LastRunItem, StatusProfile, StatusResult } from "../base/protocol";
import { total } from "../base/statistics";
import type { Profile } from "../server/profile";
import { statusTooltip } from "./statusTooltip";

const refreshAgeMs = 60_000;

export function registerStatus(profile: Profile): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("etlens.status", vscode.StatusBarAlignment.Left, 10);
  item.name = "etlens";
  item.command = "etlens.menu";
  const update = () => show(item, profile);
  update();
  item.show();
  const timer = setInterval(update, refreshAgeMs);
  return vscode.Disposable.from(item, profile.onDidChange(update), { dispose: () => clearInterval(timer) });
}

function show(item: vscode.StatusBarItem, profile: Profile): void {
  const { status } = profile;
  const problems = status?.warnings.filter((warning) => warning.severity !== "info") ?? [];
  const shown = status?.profile;
  const isBare = shown?.on_lines === 0 && isTimed(status) && status?.waiting === undefined;
  const isBroken = profile.why === "noServer" || status?.state === "failed" || isBare;
  const broken = wordsOfBroken(status);
  const measure = unusualMeasure(status);
  // The bar cuts long items: what was asked for last stands in front.
  const measured = measure === undefined ? "" : `· lines show ${measureWords(measure)}`;
  const waiting = status?.waiting === undefined ? "" : `· $(info) ${status.waiting} · `;
  // What comes next may begin with a dot of its own.
  const dot = waiting === "" && measured === "" && isTimed(status) ? "· " : "";
  const budget = broken === "" ? "" : `$(law) ${broken} ${dot}`;
  const text = shown === undefined ? `etlens: ${status?.waiting ?? shortState(profile)}` : `${shortName(shownPath(shown))} ${budget}${waiting}${measured}${numbers(status, shown, measured)}`;
  const warnings = problems.length === 0 ? "" : ` $(warning) ${problems.length}`;
  item.text = `${isBroken ? "$(error)" : profile.why === "starting" ? "$(loading~spin)" : "$(flame)"} ${text}${isBroken ? "" : warnings}`;
  if (isBroken) item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  else if (broken !== "") item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  else item.backgroundColor = undefined;
  item.tooltip = statusTooltip(shortPaths(profile.message), status);
  const facts = [
    shortPaths(profile.message),
    measure === undefined ? "" : `lines show ${measureWords(measure)}`,
    broken === "" ? "" : `broken budget: ${broken}`,
    shown?.executions_used === 1 && isTimed(status) ? "a single sample" : "",
    problems.length === 0 ? "" : count(problems.length, "warning"),
  ];
  item.accessibilityInformation = { label: `etlens: ${facts.filter((fact) => fact !== "").join(", ")}`, role: "button" };
}

function shortState(profile: Profile): string {
  switch (profile.why) {
    case "starting":
      return "starting";
    case "noServer":
      return "no server";
    case "failed":
      return "cannot show the dump";
    default:
      return "no ETDump";
  }
}

// With a baseline the verdict; else the change of the total since the last run, if that is stored.
function compared(comparison: ComparisonItem | undefined, lastRun: LastRunItem | undefined): string {
  if (comparison !== undefined) return ` · $(git-compare) ${totalChange(comparison)}`;
  return lastRun === undefined ? "" : ` · $(history) ${lastRun.text}`;
}

function numbers(status: StatusResult | undefined, shown: StatusProfile, measured: string): string {
  if (isOfExport(shown)) return `${measured === "" ? "" : " "}· ${shown.headline}`;
  return times(status, shown, measured);
}

function times(status: StatusResult | undefined, shown: StatusProfile, measured: string): string {
  if (!isTimed(status)) return "";
  const between = measured === "" ? "" : " · ";
  return `${between}${total(shown)}${compared(status?.comparison, status?.last_run)}${placed(status, shown)}`;
}

// Left out beside a broken budget, because VS Code cuts long items. The tooltip always has it.
function placed(status: StatusResult | undefined, shown: StatusProfile): string {
  if (wordsOfBroken(status) !== "") return "";
  return shown.on_lines === 0 ? " · nothing on lines" : ` · ${percent(shown.on_lines)} on lines`;
}

function wordsOfBroken(status: StatusResult | undefined): string {
  return status?.budgets === undefined ? "" : brokenWords(status.budgets);
}
