// SPDX-License-Identifier: Apache-2.0
// Heat: the background of lines that cost time, a bar at the left whose length is the line's share, and marks of the hot
// ones in the overview ruler. The hint says the number. With a baseline the background shows what changed instead: blue is
// faster, orange slower or new, and a mark in the gutter shows the same to those who see no difference between them.
import * as vscode from "vscode";
import { barWidth } from "../base/barWidth";
import { settings } from "../base/config";
import type * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { Costs, LinePainter } from "./measuredLines";

const levels = 4;
const ruledFrom = 3; // the level from which lines are marked in the ruler

// How a line is painted: by its heat, 1 to 4, or by what changed.
export type Paint = number | "slower" | "faster" | "new";
const changes = ["slower", "faster", "new"] as const;
const gutterMarks = {
  slower: "<path d='M8 3 14 13 2 13Z'/>",
  faster: "<path d='M8 13 14 3 2 3Z'/>",
  new: "<path d='M6.5 2h3v4.5h4.5v3H9.5V14h-3V9.5H2v-3h4.5Z'/>",
};

export class Heat implements LinePainter, vscode.Disposable {
  private types = new Map<Paint, vscode.TextEditorDecorationType>();
  // By their width: made when the first line has it.
  private readonly bars = new Map<number, vscode.TextEditorDecorationType>();
  readonly settings = ["heat", "column"];
  // What each document showed last; tests and the ruler read it.
  readonly shown = new Map<string, Map<number, Paint>>();

  constructor(private readonly profile: Profile) {
    this.createTypes();
  }

  dispose(): void {
    for (const type of [...this.types.values(), ...this.bars.values()]) type.dispose();
  }

  isOn(): boolean {
    return settings.heat();
  }

  reset(): void {
    this.createTypes();
  }

  paint(editor: vscode.TextEditor, { lines }: Costs): void {
    const heat = new Map<number, Paint>();
    const widths = new Map<number, number>();
    const isCompared = this.profile.status?.comparison?.total !== undefined;
    for (const cost of lines) {
      if (cost.current_line === null) continue;
      const line = cost.current_line - 1;
      const paint = isCompared ? changeOf(cost) : cost.heat;
      if (paint !== 0) heat.set(line, paint);
      const width = cost.heat === 0 ? 0 : barWidth(cost.share, settings.column());
      if (width > (widths.get(line) ?? 0)) widths.set(line, width);
    }
    for (const [paint, type] of this.types) decorate(editor, type, heat, paint);
    for (const width of widths.values()) if (!this.bars.has(width)) this.bars.set(width, barType(width));
    for (const [width, type] of this.bars) decorate(editor, type, widths, width);
    this.shown.set(editor.document.uri.toString(), heat);
  }

  private createTypes(): void {
    for (const type of this.types.values()) type.dispose();
    this.types.clear();
    for (const change of changes) this.types.set(change, changeType(change));
    for (let level = 1; level <= levels; ++level) {
      this.types.set(
        level,
        vscode.window.createTextEditorDecorationType({
          isWholeLine: true,
          backgroundColor: new vscode.ThemeColor(`etlens.heat${level}Background`),
          ...(level >= ruledFrom && settings.heatRuler() && {
            overviewRulerColor: new vscode.ThemeColor("etlens.heatOverviewRuler"),
            overviewRulerLane: level === levels ? vscode.OverviewRulerLane.Full : vscode.OverviewRulerLane.Right,
          }),
          rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        }),
      );
    }
  }
}

function decorate<Kind>(editor: vscode.TextEditor, type: vscode.TextEditorDecorationType, kinds: ReadonlyMap<number, Kind>, kind: Kind): void {
  const lines = [...kinds].filter(([, own]) => own === kind);
  editor.setDecorations(type, lines.map(([line]) => new vscode.Range(line, 0, line, 0)));
}

function barType(width: number): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor("etlens.heatBarBackground"),
    borderStyle: "solid",
    borderWidth: `0 0 0 ${width}px`,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function changeOf({ change }: protocol.LineCost): Paint {
  return changes.find((kind) => kind === change?.verdict) ?? 0;
}

function changeType(change: (typeof changes)[number]): vscode.TextEditorDecorationType {
  const colour = change === "faster" ? "faster" : "slower";
  const mark = (fill: string) =>
    vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(
      `<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16' fill='${fill}'>${gutterMarks[change]}</svg>`)}`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`etlens.${colour}Background`),
    gutterIconSize: "60%",
    light: { gutterIconPath: mark(colour === "faster" ? "#0b5cad" : "#b35900") },
    dark: { gutterIconPath: mark(colour === "faster" ? "#6cb6ff" : "#ff9d3b") },
    ...(settings.heatRuler() && {
      overviewRulerColor: new vscode.ThemeColor(`etlens.${colour}OverviewRuler`),
      overviewRulerLane: vscode.OverviewRulerLane.Full,
    }),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
