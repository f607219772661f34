// SPDX-License-Identifier: Apache-2.0
// A file that was recorded on another machine: the user shows where it is here, and the setting remembers it.
import * as vscode from "vscode";
import { trusted } from "../base/config";
import { mappingOf, type PathMapping } from "../base/environments";

// What the server and openSource say of such a file.
export function missingSource(message: string): string | undefined {
  return /^(.+) was not found here; /.exec(message)?.[1];
}

// Asks where the file is, writes the mapping and opens the file.
export async function locateFile(recorded: string): Promise<PathMapping | undefined> {
  const name = recorded.split(/[/\\]/).at(-1) ?? recorded;
  const [picked] = (await vscode.window.showOpenDialog({ title: `Where Is ${name}?`, openLabel: "This Is the File", filters: { Python: ["py"] } })) ?? [];
  if (picked === undefined) return undefined;
  const mapping = mappingOf(recorded, picked.fsPath);
  const isWorkspace = vscode.workspace.workspaceFolders !== undefined && vscode.workspace.isTrusted;
  await vscode.workspace
    .getConfiguration("etlens")
    .update("pathMappings", [...trusted<PathMapping[]>("pathMappings", []), mapping], isWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
  await vscode.window.showTextDocument(picked);
  return mapping;
}
