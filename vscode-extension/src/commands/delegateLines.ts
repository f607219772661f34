// SPDX-License-Identifier: Apache-2.0
// The lines that ran in one delegate call with the cursor's line.
import * as vscode from "vscode";
import type { Parts } from "./parts";

const saidMs = 10_000;

export async function showDelegateLines({ delegateLines }: Parts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") throw new Error("put the cursor on a line of Python source");
  const words = await delegateLines.toggle(editor);
  if (words !== "") vscode.window.setStatusBarMessage(`etlens: ${words}`, saidMs);
}
