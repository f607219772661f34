// SPDX-License-Identifier: Apache-2.0
// The settings that the client itself reads or writes. The server asks for all others by itself.
import * as vscode from "vscode";

const section = "etlens";

function read<T>(name: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(name, fallback);
}

// As the user chose it: what decides more than how numbers are shown is not asked of a folder that is not trusted.
export function userChoice(name: string): unknown {
  const known = vscode.workspace.getConfiguration(section).inspect(name);
  return known?.globalValue ?? known?.defaultValue;
}

export function trusted<T>(name: string, fallback: T): T {
  return vscode.workspace.isTrusted ? read(name, fallback) : ((userChoice(name) as T | undefined) ?? fallback);
}

export const settings = {
  // No workspace chooses what is run.
  serverPath: () => {
    const chosen = userChoice("server.path");
    return typeof chosen === "string" ? chosen.trim() : "";
  },
  heat: () => read("heat.enabled", true),
  column: () => read("column.enabled", true),
  heatRuler: () => read("heat.overviewRuler", true),
  hints: () => read("hints.enabled", true),
  hintDisplay: () => read<"decorations" | "inlay">("hints.display", "decorations"),
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
