// SPDX-License-Identifier: Apache-2.0
// The settings that the client itself reads or writes. The server asks for all others by itself.
import * as vscode from "vscode";

const section = "etlens";

function read<T>(name: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(name, fallback);
}

export const settings = {
  serverPath: () => read("server.path", "").trim(),
  heat: () => read("heat.enabled", true),
  column: () => read("column.enabled", false),
  heatRuler: () => read("heat.overviewRuler", true),
  hints: () => read("hints.enabled", true),
};

// Where the user has it already, else for the user everywhere.
export async function toggle(name: string): Promise<boolean> {
  const configuration = vscode.workspace.getConfiguration(section);
  const value = !configuration.get<boolean>(name, true);
  const known = configuration.inspect<boolean>(name);
  const isWorkspace = known?.workspaceValue !== undefined;
  await configuration.update(name, value, isWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
  return value;
}

export function onDidChange(names: string[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) listener();
  });
}
