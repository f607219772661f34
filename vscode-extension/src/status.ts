// SPDX-License-Identifier: Apache-2.0
// The status item: what is shown, or why nothing is. A click opens the menu of all commands.
import * as vscode from "vscode";
import { age, count, escapeMarkdown, percent, shortPath, shortPaths } from "./format";
import type { Profile } from "./profile";
import type { StatusProfile, StatusResult } from "./protocol";
import { dumpName } from "./views/profiles";

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
  const isBroken = profile.why === "noServer" || status?.state === "failed" || profile.why === "mismatch" || profile.why === "empty";
  const shown = status?.profile;
  const text = shown === undefined ? `etlens: ${shortState(profile)}` : summary(shown);
  const warnings = problems.length === 0 ? "" : ` $(warning) ${problems.length}`;
  item.text = `${isBroken ? "$(error)" : profile.why === "starting" ? "$(loading~spin)" : "$(flame)"} ${text}${isBroken ? "" : warnings}`;
  if (isBroken) item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  else item.backgroundColor = undefined;
  item.tooltip = tooltip(profile, status);
  item.accessibilityInformation = {
    label: `etlens: ${shortPaths(profile.message)}${problems.length === 0 ? "" : `, ${count(problems.length, "warning")}`}`,
    role: "button",
  };
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

function summary(profile: StatusProfile): string {
  const name = dumpName(profile.etdump);
  return `${name} ${profile.total.text} · ${percent(profile.onLines)} on lines · ${percent(profile.delegated)} delegated`;
}

function tooltip(profile: Profile, status: StatusResult | undefined): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendText(shortPaths(profile.message));
  const shown = status?.profile;
  if (shown !== undefined) {
    const rows: [string, string][] = [
      ["dump", `${shortPath(shown.etdump)}, ${age(shown.modified)}`],
      ["record", shown.etrecord === undefined ? "none" : shortPath(shown.etrecord)],
      ["method", `${shown.method ?? "unknown"}, ${shown.block}, average of ${count(shown.executions, "execution")}`],
      ["total", shown.total.text],
      ["on lines", percent(shown.onLines)],
      ["in modules", percent(shown.inModules)],
      ["delegated", percent(shown.delegated)],
    ];
    markdown.appendMarkdown("\n\n| | |\n|---|---|\n");
    for (const [name, value] of rows) markdown.appendMarkdown(`| ${name} | ${escapeMarkdown(value)} |\n`);
  }
  for (const warning of status?.warnings ?? []) {
    markdown.appendMarkdown(`\n\n${warning.severity === "info" ? "" : "⚠ "}${escapeMarkdown(warning.advice)}`);
  }
  return markdown;
}
