// SPDX-License-Identifier: Apache-2.0
// A column of numbers at the left of the text, in sight however narrow the editor is. Every line has its part of the
// column, or the text after it would not be aligned.
import * as vscode from "vscode";
import { columnTexts } from "../base/columnText";
import { settings } from "../base/config";
import type { Costs, LinePainter } from "./measuredLines";

const mostLines = 20_000; // of a file: longer ones have no column

export function columnType(): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor("etlens.columnForeground"), margin: "0 1.5ch 0 0.5ch" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

// A text per line, from the first one on.
export function columnOf(texts: readonly string[]): vscode.DecorationOptions[] {
  return texts.map((contentText, line) => ({ range: new vscode.Range(line, 0, line, 0), renderOptions: { before: { contentText } } }));
}

export class Column implements LinePainter, vscode.Disposable {
  readonly settings = ["column"];
  // What each document showed last; tests read it.
  readonly shown = new Map<string, string[]>();
  private readonly type = columnType();

  dispose(): void {
    this.type.dispose();
  }

  isOn(): boolean {
    return settings.column();
  }

  reset(): void {
    // Nothing is kept.
  }

  paint(editor: vscode.TextEditor, { hints }: Costs): void {
    const { lineCount, uri } = editor.document;
    const labels = new Map(hints.map(({ line, text }) => [line - 1, text] as const));
    const texts = lineCount > mostLines ? [] : columnTexts(labels, lineCount);
    editor.setDecorations(this.type, columnOf(texts));
    this.shown.set(uri.toString(), texts);
  }
}
