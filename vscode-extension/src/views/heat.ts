// SPDX-License-Identifier: Apache-2.0
// Heat: the background of lines that cost time, and marks of the hot ones in the overview ruler. The
// level is told by the width of the mark before the line as well as by its colour, and the hint says
// the number.
import * as vscode from "vscode";
import { onDidChange, settings } from "../base/config";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";

const levels = 4;
const ruledFrom = 3; // the level from which lines are marked in the ruler
const editPauseMs = 250;

export class Heat implements vscode.Disposable {
  private types: vscode.TextEditorDecorationType[] = [];
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  // What each document showed last; tests and the ruler read it.
  readonly shown = new Map<string, Map<number, number>>();

  constructor(private readonly profile: Profile) {
    this.createTypes();
    this.subscriptions = [
      profile.onDidChange(() => this.paintAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.paintAll()),
      // Decorations move with their lines; only lines whose text changed may come or go.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isMeasured(document)) this.paintSoon();
      }),
      onDidChange(["heat"], () => {
        this.createTypes();
        this.paintAll();
      }),
    ];
    this.paintAll();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of [...this.subscriptions, ...this.types]) subscription.dispose();
  }

  private createTypes(): void {
    for (const type of this.types) type.dispose();
    this.types = [];
    for (let level = 1; level <= levels; ++level) {
      this.types.push(
        vscode.window.createTextEditorDecorationType({
          isWholeLine: true,
          backgroundColor: new vscode.ThemeColor(`etlens.heat${level}Background`),
          borderColor: new vscode.ThemeColor("etlens.heatBorder"),
          borderStyle: "solid",
          borderWidth: `0 0 0 ${level}px`,
          ...(level >= ruledFrom && settings.heatRuler() && {
            overviewRulerColor: new vscode.ThemeColor("etlens.heatOverviewRuler"),
            overviewRulerLane: level === levels ? vscode.OverviewRulerLane.Full : vscode.OverviewRulerLane.Right,
          }),
          rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        }),
      );
    }
  }

  private paintSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.paintAll(), editPauseMs);
  }

  private paintAll(): void {
    for (const editor of vscode.window.visibleTextEditors) if (isMeasured(editor.document)) void this.paint(editor);
  }

  private async paint(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const ranges: vscode.Range[][] = this.types.map(() => []);
    const heat = new Map<number, number>();
    const version = document.version;
    if (settings.heat() && this.profile.status?.profile !== undefined) {
      const params = { textDocument: { uri: document.uri.toString() } };
      let costs: protocol.LineCostsResult;
      try {
        costs = await this.profile.server.request<protocol.LineCostsResult>(protocol.lineCosts, params);
      } catch {
        return; // what is painted stays until there is an answer
      }
      // A newer text has asked for itself.
      if (document.version !== version) return;
      for (const { line, heat: level } of costs.lines) {
        if (line === undefined || level === 0) continue;
        ranges[level - 1]?.push(new vscode.Range(line, 0, line, 0));
        heat.set(line, level);
      }
    }
    this.types.forEach((type, i) => editor.setDecorations(type, ranges[i] ?? []));
    this.shown.set(document.uri.toString(), heat);
  }
}

function isMeasured(document: vscode.TextDocument): boolean {
  return document.languageId === "python" && document.uri.scheme === "file";
}
