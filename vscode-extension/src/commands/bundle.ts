// SPDX-License-Identifier: Apache-2.0
// Bundle for a Bug Report: the artifacts that are shown, without weights, as a ZIP file to give away (docs/bundle.md).
import * as path from "node:path";
import * as vscode from "vscode";
import type * as protocol from "../base/protocol";
import { withoutLinks } from "../base/sentences";
import { artifactArguments, artifactsOf } from "../server/artifacts";
import { runExecutable } from "../server/executable";
import type { Parts } from "./parts";

interface Kind extends vscode.QuickPickItem {
  isRedacted: boolean;
}

const kinds: readonly Kind[] = [
  { label: "Replace names and source texts", detail: "For people who may not see your code: names, paths and recorded lines get other letters, numbers stay", isRedacted: true },
  { label: "Keep names and source texts", detail: "For people who may see your code: recorded lines and paths are in the bundle, weights are not", isRedacted: false },
];

// The files of this profile, and nothing that is found next to them.
function argumentsFor(shown: protocol.StatusProfile, isRedacted: boolean, file: string): string[] {
  const named = artifactArguments(shown);
  const alone = named.some((option) => option.startsWith("--etrecord")) ? [] : ["--no-etrecord"];
  return ["bundle", ...named, ...alone, ...(isRedacted ? ["--redact"] : []), "-o", file];
}

export async function bundle({ context, profile }: Parts): Promise<void> {
  if (!vscode.workspace.isTrusted) throw new Error("a bundle is made only in a workspace that you trust");
  const shown = profile.status?.profile;
  if (shown === undefined) throw new Error(profile.message);
  const kind = await vscode.window.showQuickPick(kinds, { title: "Bundle for a Bug Report", placeHolder: "Who will read the bundle?" });
  if (kind === undefined) return;
  const artifact = artifactsOf(shown)[0]?.[1];
  if (artifact === undefined) throw new Error(profile.message);
  const stem = path.join(path.dirname(artifact), path.basename(artifact, path.extname(artifact)));
  const file = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(`${stem}-bundle.zip`), filters: { "ZIP files": ["zip"] }, title: "Bundle for a Bug Report", saveLabel: "Save Bundle" });
  if (file === undefined) return;
  const title = `etlens: writing ${path.basename(file.fsPath)}`;
  const printed = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) =>
    runExecutable(context, argumentsFor(shown, kind.isRedacted, file.fsPath), { folder: path.dirname(artifact), token }).catch((error: unknown) => {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }),
  );
  if (printed !== undefined) void sayWritten(file, printed.notes);
}

const asSentence = (note: string) => (/[.!?]$/.test(note) ? note : `${note}.`);

// `notes`: what was replaced, and what could not be kept.
async function sayWritten(file: vscode.Uri, notes: string): Promise<void> {
  const show = "Show in Folder";
  const lines = [`${vscode.workspace.asRelativePath(file)} is written`, ...notes.split("\n").filter((note) => note !== ""), "Look at it before you publish it"];
  const chosen = await vscode.window.showInformationMessage(withoutLinks(`etlens: ${lines.map(asSentence).join(" ")}`), show);
  if (chosen === show) await showInFolder(file);
}

// The system's own window, where there is one: an editor in a browser, or of another machine, has its explorer.
async function showInFolder(file: vscode.Uri): Promise<void> {
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (isHere) await vscode.commands.executeCommand("revealFileInOS", file);
  else if (vscode.workspace.getWorkspaceFolder(file) !== undefined) await vscode.commands.executeCommand("revealInExplorer", file);
  else throw new Error(`${file.fsPath} is not in this workspace, and this window cannot open its folder`);
}
