// SPDX-License-Identifier: Apache-2.0
// The lines of a delegate call, framed when somebody asks for them: until the cursor leaves them, the text is
// edited or another profile is shown. Decorations of our own, since the editor's highlights are of the word at
// the cursor, and ask one extension only.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";

export class DelegateLines implements vscode.Disposable {
  private readonly type = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    outlineColor: new vscode.ThemeColor("etlens.delegatedBorder"),
    outlineStyle: "solid",
    outlineWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("etlens.delegatedBorder"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly subscriptions: { dispose(): unknown }[];
  // By document; tests read it.
  readonly shown = new Map<string, number[]>();

  constructor(private readonly profile: Profile) {
    this.subscriptions = [
      this.type,
      profile.onDidChange(() => this.clear()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.paint()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.linesOf(document).length > 0) this.clear();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const lines = this.linesOf(textEditor.document);
        if (lines.length > 0 && !selections.some(({ active }) => lines.includes(active.line))) this.clear();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  // Of the cursor's line; asked again on one of them, none. Answers what there is to say.
  async toggle(editor: vscode.TextEditor): Promise<string> {
    const { document, selection } = editor;
    const { line, character } = selection.active;
    const isShown = this.linesOf(document).includes(line);
    this.clear();
    if (isShown) return "";
    const params = { textDocument: { uri: document.uri.toString() }, position: { line, character } };
    const { message, lines } = await this.profile.server.request<protocol.DelegateLinesResult>(protocol.delegateLines, params);
    for (const source of lines) {
      if (source.uri === undefined || source.current_line === null) continue;
      const key = vscode.Uri.parse(source.uri).toString();
      this.shown.set(key, [...(this.shown.get(key) ?? []), source.current_line - 1]);
    }
    this.paint();
    const elsewhere = lines.length - this.linesOf(document).length;
    return elsewhere === 0 ? message : `${message}, ${elsewhere} of them not in this file`;
  }

  private linesOf(document: vscode.TextDocument): readonly number[] {
    return this.shown.get(document.uri.toString()) ?? [];
  }

  private clear(): void {
    if (this.shown.size === 0) return;
    this.shown.clear();
    this.paint();
  }

  private paint(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.type, this.linesOf(editor.document).map((line) => new vscode.Range(line, 0, line, 0)));
    }
  }
}
