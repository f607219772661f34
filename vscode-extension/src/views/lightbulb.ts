// SPDX-License-Identifier: Apache-2.0
// A lightbulb on lines with a finding: shows it in What to Do First, and copies it for an assistant.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";

export class Lightbulb implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly registration: vscode.Disposable;

  constructor(private readonly profile: Profile) {
    this.registration = vscode.languages.registerCodeActionsProvider({ scheme: "file", language: "python" }, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.Empty],
    });
  }

  dispose(): void {
    this.registration.dispose();
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    if (this.profile.status?.profile === undefined) return [];
    // Of the lines as they are at the moment: they move with edits.
    const { advice } = await this.profile.server.request<protocol.AdviceResult>(protocol.advice);
    const uri = document.uri.toString();
    const isHere = ({ uri: of, current_line: line }: protocol.SourceLine) =>
      of !== undefined && line !== null && vscode.Uri.parse(of).toString() === uri && line - 1 >= range.start.line && line - 1 <= range.end.line;
    return advice.filter(({ lines }) => lines.some(isHere)).flatMap((item) => [
      action(`etlens: ${item.action} (${item.title}${item.won === "" ? "" : `, ${item.won}`})`, "etlens.advice.focus"),
      action(`etlens: Copy as Prompt: ${item.title}`, "etlens.advice.copyPrompt", item),
    ]);
  }
}

function action(title: string, command: string, argument?: protocol.AdviceItem): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
  made.command = { title, command, ...(argument !== undefined && { arguments: [argument] }) };
  return made;
}
