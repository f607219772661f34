// SPDX-License-Identifier: Apache-2.0
// Paths as a person in this workspace says them.
import * as path from "node:path";
import * as vscode from "vscode";

export function shortPath(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

// The name and its folder: dumps of several models often have the same name.
export function shortName(file: string): string {
  return shortPath(file).split("/").slice(-2).join("/");
}

// The same in a sentence that names files.
export function shortPaths(sentence: string): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.reduce((text, folder) => text.replaceAll(`${folder.uri.fsPath.replaceAll(path.sep, "/")}/`, ""), sentence);
}
