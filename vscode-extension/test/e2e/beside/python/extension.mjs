// SPDX-License-Identifier: Apache-2.0
// As much of the Python extension as etlens asks: which environment is active. That of the setting.
import * as vscode from "vscode";

const setting = "defaultInterpreterPath";

export function activate(context) {
  const changed = new vscode.EventEmitter();
  const getActiveEnvironmentPath = (resource) => ({ path: vscode.workspace.getConfiguration("python", resource).get(setting) });
  const watch = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`python.${setting}`)) changed.fire(getActiveEnvironmentPath());
  });
  context.subscriptions.push(changed, watch);
  return { environments: { getActiveEnvironmentPath, onDidChangeActiveEnvironmentPath: changed.event } };
}
