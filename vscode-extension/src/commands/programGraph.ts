// SPDX-License-Identifier: Apache-2.0
// The program graph at the line of the cursor.
import * as vscode from "vscode";
import type { Parts } from "./parts";

export async function showInProgramGraph({ programGraph }: Parts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") throw new Error("put the cursor on a line of Python source");
  await programGraph.showLine(editor.document.uri, editor.selection.active.line);
}
