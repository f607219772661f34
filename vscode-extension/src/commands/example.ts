// SPDX-License-Identifier: Apache-2.0
// The example project: a small transformer with its artifacts, copied to where the user may edit it.
import { cp, stat } from "node:fs/promises";
import * as vscode from "vscode";
import type { Parts } from "./parts";

const model = "layers.py";

export async function unpackExample(context: vscode.ExtensionContext): Promise<vscode.Uri> {
  const source = vscode.Uri.joinPath(context.extensionUri, "example");
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "example");
  const exists = await stat(vscode.Uri.joinPath(folder, model).fsPath).then(
    () => true,
    () => false,
  );
  // What the user has edited there stays. The extension runs where both folders are, so no other process
  // has to be asked.
  if (!exists) await cp(source.fsPath, folder.fsPath, { recursive: true });
  return folder;
}

export async function openExample({ context }: Parts): Promise<void> {
  const folder = await unpackExample(context);
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand("vscode.openFolder", folder, { forceNewWindow: hasFolder });
}
