// SPDX-License-Identifier: Apache-2.0
// The example project: a small transformer with its artifacts, copied to where the user may edit it.
import * as vscode from "vscode";

const model = "tiny_llama.py";

export async function unpackExample(context: vscode.ExtensionContext): Promise<vscode.Uri> {
  const source = vscode.Uri.joinPath(context.extensionUri, "example");
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "example");
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  const exists = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, model)).then(
    () => true,
    () => false,
  );
  // What the user has edited there stays.
  if (!exists) await vscode.workspace.fs.copy(source, folder, { overwrite: true });
  return folder;
}

export function registerExample(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.commands.registerCommand("etlens.openExample", async () => {
    const folder = await unpackExample(context);
    const hasFolder = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand("vscode.openFolder", folder, { forceNewWindow: hasFolder });
  });
}
