// SPDX-License-Identifier: Apache-2.0
// The document of the edge program: times in a column at the left, a mark before what delegates run, lines as
// hot as in the source, and modules that fold.
import * as vscode from "vscode";
import { columnTexts } from "../base/columnText";
import { moduleFolds } from "../base/instances";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { columnOf, columnType } from "./column";

const levels = [1, 2, 3, 4];

export class EdgeProgramView implements vscode.FoldingRangeProvider, vscode.Disposable {
  private readonly folded = new vscode.EventEmitter<void>();
  readonly onDidChangeFoldingRanges = this.folded.event;
  private readonly delegated = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: "solid",
    borderWidth: "0 0 0 3px",
    borderColor: new vscode.ThemeColor("etlens.delegatedBorder"),
  });
  private readonly times = columnType();
  private readonly heats = levels.map((level) =>
    vscode.window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor: new vscode.ThemeColor(`etlens.heat${level}Background`) }),
  );
  private readonly subscriptions: { dispose(): unknown }[];
  // Lines that delegates run; tests read it.
  shown: number[] = [];

  constructor(private readonly profile: Profile) {
    this.subscriptions = [
      this.folded,
      this.delegated,
      this.times,
      ...this.heats,
      vscode.languages.registerFoldingRangeProvider({ scheme: protocol.providedScheme }, this),
      vscode.window.onDidChangeVisibleTextEditors(() => void this.paint()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme !== protocol.providedScheme) return;
        this.folded.fire();
        void this.paint();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async provideFoldingRanges(document: vscode.TextDocument): Promise<vscode.FoldingRange[]> {
    return moduleFolds(await this.nodesOf(document)).map(({ first, last }) => new vscode.FoldingRange(first, last));
  }

  // None while the document is of another profile.
  private async nodesOf(document: vscode.TextDocument): Promise<protocol.EdgeProgramNode[]> {
    const program = await this.profile.server.request<protocol.EdgeProgramResult>(protocol.edgeProgram);
    return document.getText() === program.text ? program.nodes : [];
  }

  private async paint(): Promise<void> {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme !== protocol.providedScheme) continue;
      const nodes = await this.nodesOf(editor.document);
      const ranges = (wanted: (node: protocol.EdgeProgramNode) => boolean) =>
        nodes.filter(wanted).map(({ line, where }) => ({ range: new vscode.Range(line, 0, line, 0), hoverMessage: where === "" ? "runs on the CPU" : `runs in ${where}` }));
      const inDelegates = ranges(({ where }) => where !== "");
      editor.setDecorations(this.delegated, inDelegates);
      const times = new Map(nodes.map(({ line, self }) => [line, self.value === 0 ? "" : self.text]));
      editor.setDecorations(this.times, columnOf(columnTexts(times, editor.document.lineCount)));
      this.heats.forEach((type, i) => editor.setDecorations(type, ranges(({ heat }) => heat === levels[i])));
      this.shown = inDelegates.map(({ range }) => range.start.line);
    }
  }
}
