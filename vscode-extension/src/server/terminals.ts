// SPDX-License-Identifier: Apache-2.0
// The command `etlens` in the editor's terminals is the server of the extension. Not in a workspace that is not trusted.
import * as path from "node:path";
import * as vscode from "vscode";
import { onDidChange } from "../base/config";
import { findServer } from "./serverPath";

export function registerTerminals(context: vscode.ExtensionContext): vscode.Disposable {
  const collection = context.environmentVariableCollection;
  // Made again with each window, so that none keeps the path of a version that is gone.
  collection.persistent = false;
  collection.description = "The command `etlens`";
  const update = () => {
    collection.clear();
    const { command, problem } = findServer(context);
    if (!vscode.workspace.isTrusted || problem !== undefined) return;
    // After the user's own: one that is installed comes first.
    collection.append("PATH", `${path.delimiter}${path.dirname(command)}`);
  };
  update();
  return vscode.Disposable.from(onDidChange(["server.path"], update), vscode.workspace.onDidGrantWorkspaceTrust(update));
}
