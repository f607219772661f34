// SPDX-License-Identifier: Apache-2.0
// The costs of the lines of every editor in sight, asked for once whoever paints them.
import * as vscode from "vscode";
import { onDidChange } from "../base/config";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";

const editPauseMs = 250;

export type Costs = Pick<protocol.LineCostsResult, "lines" | "hints">;
const none: Costs = { lines: [], hints: [] };

export interface LinePainter {
  readonly settings: string[]; // that change how it paints
  isOn(): boolean;
  reset(): void; // a setting changed
  paint(editor: vscode.TextEditor, costs: Costs): void; // none while it is off
}

export class MeasuredLines implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly profile: Profile,
    private readonly painters: readonly LinePainter[],
  ) {
    this.subscriptions = [
      profile.onDidChange(() => this.paintAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.paintAll()),
      // Decorations move with their lines; only lines whose text changed may come or go.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isMeasured(document)) this.paintSoon();
      }),
      ...painters.map((painter) =>
        onDidChange(painter.settings, () => {
          painter.reset();
          this.paintAll();
        }),
      ),
    ];
    this.paintAll();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
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
    const version = document.version;
    let costs = none;
    if (this.painters.some((painter) => painter.isOn()) && this.profile.status?.profile !== undefined) {
      const params = { textDocument: { uri: document.uri.toString() } };
      try {
        costs = await this.profile.server.request<protocol.LineCostsResult>(protocol.lineCosts, params);
      } catch {
        return; // what is painted stays until there is an answer
      }
      // A newer text has asked for itself.
      if (document.version !== version) return;
    }
    for (const painter of this.painters) painter.paint(editor, painter.isOn() ? costs : none);
  }
}

function isMeasured(document: vscode.TextDocument): boolean {
  return document.languageId === "python" && document.uri.scheme === "file";
}
