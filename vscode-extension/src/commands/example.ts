// SPDX-License-Identifier: Apache-2.0
// The example project: a small transformer with its artifacts, copied to where the user may edit it.
import { mkdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import { stepHotLine } from "./jump";
import type { Parts } from "./parts";

const model = "layers.py";

// The package has it in one compressed file (package.mjs): the same weights are in two of its artifacts. First
// the names and sizes of the files, in a line of JSON, then their bytes in this order.
async function unpack(packed: string, folder: string): Promise<void> {
  const bytes = await promisify(brotliDecompress)(await readFile(packed));
  let at = bytes.indexOf("\n") + 1;
  const files = JSON.parse(bytes.toString("utf8", 0, at)) as [string, number][];
  await mkdir(folder, { recursive: true });
  for (const [name, size] of files) {
    await writeFile(path.join(folder, path.basename(name)), bytes.subarray(at, at + size));
    at += size;
  }
}

export async function unpackExample(context: vscode.ExtensionContext): Promise<vscode.Uri> {
  const packed = vscode.Uri.joinPath(context.extensionUri, "example.br");
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "example");
  const exists = await stat(vscode.Uri.joinPath(folder, model).fsPath).then(
    () => true,
    () => false,
  );
  // What the user has edited there stays. The extension runs where both are, so no other process has to be asked.
  if (!exists) await unpack(packed.fsPath, folder.fsPath);
  return folder;
}

// A file that is there until the window with the example has shown it: the two windows share no memory.
const toShow = (context: vscode.ExtensionContext) => vscode.Uri.joinPath(context.globalStorageUri, "example-to-show").fsPath;
const patienceMs = 60_000;

export async function openExample({ context }: Parts): Promise<void> {
  const folder = await unpackExample(context);
  await writeFile(toShow(context), "");
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand("vscode.openFolder", folder, { forceNewWindow: hasFolder });
}

// In the window that was opened with the example: its hottest line, with the views.
export async function showOpenedExample(parts: Parts): Promise<void> {
  const { context, profile, server } = parts;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder?.uri.fsPath !== vscode.Uri.joinPath(context.globalStorageUri, "example").fsPath) return;
  try {
    await unlink(toShow(context));
  } catch {
    return; // opened by another way, or shown already
  }
  try {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, model));
    await vscode.commands.executeCommand("etlens.advice.focus");
    if (await isReady(parts)) await stepHotLine(parts, protocol.commands.nextHotLine);
  } catch (error) {
    server.log.warn(`the example was not shown at its hottest line: ${String(error)}; ${profile.message}`);
  }
}

function isReady({ profile }: Parts): Promise<boolean> {
  if (profile.why === "ready") return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (isThere: boolean) => {
      clearTimeout(timer);
      waiting.dispose();
      resolve(isThere);
    };
    const timer = setTimeout(() => done(false), patienceMs);
    const waiting = profile.onDidChange(() => {
      if (profile.why === "ready") done(true);
    });
  });
}
