// SPDX-License-Identifier: Apache-2.0
// What is said without being asked: once why a dump cannot be shown as it should, or not be compared, what to do
// about it being a click away; and in the status bar that a new dump took the place of one.
import * as vscode from "vscode";
import { shortPaths } from "../base/paths";
import { shortSentence, withoutLinks } from "../base/sentences";
import type { Profile } from "../server/profile";

const noteMs = 20_000;

export function registerNotices(profile: Profile): vscode.Disposable {
  const said = new Set<string>();
  const isNew = (sentence: string) => !said.has(sentence) && said.add(sentence).size > 0;
  return profile.onDidChange(() => {
    const { status, why } = profile;
    if ((why === "failed" || why === "mismatch") && isNew(profile.message)) void warn(profile.message);
    const problem = status?.comparison?.problem;
    if (problem !== undefined && isNew(problem)) void notCompared(problem);
    const policy = status?.budgets?.problem;
    if (policy !== undefined && isNew(policy)) void vscode.window.showWarningMessage(withoutLinks(`Budgets are not checked: ${shortPaths(policy)}.`));
    if (status?.replaced !== undefined && isNew(`${status.generation} ${status.replaced}`)) {
      vscode.window.setStatusBarMessage(`$(history) etlens: ${status.replaced}`, noteMs);
    }
  });
}

async function warn(message: string): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(withoutLinks(shortPaths(shortSentence(message))), "What to Do");
  if (chosen !== undefined) await vscode.commands.executeCommand("etlens.profiles.focus");
}

async function notCompared(problem: string): Promise<void> {
  const chosen = await vscode.window.showInformationMessage(withoutLinks(`Not compared: ${shortPaths(problem)}.`), "Compare With…", "Stop Comparing");
  if (chosen === "Compare With…") await vscode.commands.executeCommand("etlens.pickBaseline");
  if (chosen === "Stop Comparing") await vscode.commands.executeCommand("etlens.stopComparing");
}
