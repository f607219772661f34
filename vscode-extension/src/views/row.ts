// SPDX-License-Identifier: Apache-2.0
// Rows of the views. Every row says the same to the eye and to a screen reader.
import * as vscode from "vscode";
import { markdownText } from "../base/format";

export interface RowText {
  id?: string;
  label: string;
  description?: string;
  spoken: string; // the whole row in words
  tooltip?: string;
  icon?: vscode.TreeItem["iconPath"];
  context?: string;
  open?: { command: string; argument: unknown };
  children?: "none" | "closed" | "open";
}

const states = {
  none: vscode.TreeItemCollapsibleState.None,
  closed: vscode.TreeItemCollapsibleState.Collapsed,
  open: vscode.TreeItemCollapsibleState.Expanded,
};

export function treeItem(row: RowText): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, states[row.children ?? "none"]);
  if (row.id !== undefined) item.id = row.id;
  if (row.description !== undefined) item.description = row.description;
  if (row.icon !== undefined) item.iconPath = row.icon;
  if (row.context !== undefined) item.contextValue = row.context;
  if (row.open !== undefined) item.command = { command: row.open.command, title: "Open", arguments: [row.open.argument] };
  item.tooltip = new vscode.MarkdownString(markdownText(row.tooltip ?? row.spoken));
  item.accessibilityInformation = { label: row.spoken };
  return item;
}

export function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}
