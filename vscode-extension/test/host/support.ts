// SPDX-License-Identifier: Apache-2.0
// What tests inside the extension host share.
import * as assert from "node:assert";
import * as path from "node:path";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import type { Parts } from "../../src/commands/parts";

// Measured figures, for the log.
export const notes: string[] = [];

export const extensionId = "etlens.etlens";

export function folder(): string {
  const first = vscode.workspace.workspaceFolders?.[0];
  assert.ok(first, "no folder is open");
  return first.uri.fsPath;
}

export function uriOf(file: string): vscode.Uri {
  return vscode.Uri.file(path.join(folder(), file));
}

export function extension(): vscode.Extension<Parts> {
  const found = vscode.extensions.getExtension<Parts>(extensionId);
  assert.ok(found, "the extension is not there");
  return found;
}

// Of what was promised on the clock. A machine may be busy with other things: it is held, ten times over, only where
// ETLENS_TIMED says that these tests have it for themselves.
export function promised(what: string, tookMs: number, limitMs: number): void {
  notes.push(`measured: ${what} ${tookMs.toFixed(1)} ms`);
  if (process.env["ETLENS_TIMED"]) assert.ok(tookMs < 10 * limitMs, `${what} took ${tookMs} ms`);
}

// Until the condition holds, by events where there are some, else by looking again.
export async function until<T>(what: string, look: () => T | Promise<T>, limitMs = 30_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function ready(): Promise<Parts> {
  const parts = await extension().activate();
  await until("a profile", () => parts.profile.status?.state === "ready" && parts.profile.status.profile);
  return parts;
}

export async function open(file: string, line = 0): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(uriOf(file));
  const at = new vscode.Position(line, 0);
  return vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.One });
}

// The lines that cost most, the hottest first.
export async function hotLines(parts: Parts): Promise<number[]> {
  const { lines } = await parts.server.request<protocol.HotLinesResult>(protocol.hotLines, { limit: 10 });
  return lines.flatMap(({ current_line }) => (current_line === null ? [] : [current_line - 1]));
}

export function hintText(hint: vscode.InlayHint): string {
  return typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join("");
}

export function labelOf(item: vscode.TreeItem): string {
  return typeof item.label === "string" ? item.label : (item.label?.label ?? "");
}
