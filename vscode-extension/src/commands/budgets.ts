// SPDX-License-Identifier: Apache-2.0
// The policy of the workspace (etlens.toml): Check Budgets lists which budgets the shown model keeps and the lines that break
// one; Go to Broken Budget opens the line that the status item names.
import * as path from "node:path";
import * as vscode from "vscode";
import { type Place, placeOf } from "../base/budgets";
import { parsePrinted } from "../base/printed";
import type * as protocol from "../base/protocol";
import { artifactArguments, artifactsOf } from "../server/artifacts";
import { runExecutable } from "../server/executable";
import type { Parts } from "./parts";

const violatedStatus = 3;

interface Row extends vscode.QuickPickItem {
  place?: Place;
}

const icons: Record<string, string> = { violated: "error", kept: "pass", not_checked: "question" };

// Violated ones first, with the places that break them below.
export function rowsOf({ policy, budgets }: protocol.GateView): Row[] {
  const order = Object.keys(icons);
  const sorted = [...budgets].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return sorted.flatMap(({ budget, status, text, policy_line: line, findings }): Row[] => [
    { label: `$(${icons[status] ?? "question"}) ${text}`, description: `${budget}, ${status.replace("_", " ")}`, place: { file: policy, line } },
    ...findings.map((finding): Row => {
      const at = finding.path === null || finding.line === null ? undefined : { file: finding.path, line: finding.line };
      return at === undefined ? { label: `      ${finding.text}` } : { label: `      ${path.basename(at.file)}:${at.line}: ${finding.text}`, place: at };
    }),
  ]);
}

export async function checkBudgets({ context, profile }: Parts): Promise<void> {
  const shown = profile.status?.profile;
  const artifact = shown === undefined ? undefined : artifactsOf(shown)[0]?.[1];
  if (shown === undefined || artifact === undefined) throw new Error(profile.message);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(artifact))?.uri.fsPath ?? folders[0] ?? path.dirname(artifact);
  const roots = folders.map((root) => `--root=${root}`);
  const policy = vscode.workspace.getConfiguration("etlens").get<string>("policy", "");
  const named = policy === "" ? [] : [path.resolve(folder, policy)];
  const { output } = await runExecutable(context, ["gate", "--format=json", ...artifactArguments(shown), ...roots, ...named, path.dirname(artifact)], { folder, answers: violatedStatus });
  const gate = parsePrinted(output, "etlens/gate@1", "which budgets are kept") as protocol.GateView;
  const title = `${path.basename(gate.policy)}: ${gate.violated === 0 ? "every budget that was checked is kept" : `${gate.violated} of ${gate.budgets.length} budgets violated`}`;
  const chosen = await vscode.window.showQuickPick(rowsOf(gate), { title, placeHolder: "A row leads to its line, of the source or of the policy", matchOnDescription: true });
  if (chosen?.place !== undefined) await show(chosen.place);
}

async function show({ file, line }: Place): Promise<void> {
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
}

// The line that breaks the budget of this name, or the first one; where no line is known, that of the policy.
export async function goToBrokenBudget({ profile }: Parts, name?: string): Promise<void> {
  const budgets = profile.status?.budgets;
  const broken = budgets?.broken.find(({ budget }) => name === undefined || budget === name);
  if (budgets === undefined || broken === undefined) throw new Error("no budget is broken now");
  await show(placeOf(budgets, broken));
}
