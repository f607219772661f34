// SPDX-License-Identifier: Apache-2.0
// Hints at the ends of lines, in our own colour and aligned with each other. Inlay hints can have neither: those of all
// extensions share one colour, which most themes make too faint, and begin right after the text.
import * as vscode from "vscode";
import { settings } from "../base/config";
import { placeHints, restOf } from "../base/hintLayout";
import type { LineHint } from "../base/protocol";
import type { Costs, LinePainter } from "./measuredLines";

export class Hints implements LinePainter, vscode.Disposable {
  readonly settings = ["hints", "column"];
  // What each document showed last; tests read it.
  readonly shown = new Map<string, readonly LineHint[]>();
  // After the text as it is at the moment, also while somebody types at its end.
  private readonly type = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: { color: new vscode.ThemeColor("etlens.hintForeground") },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  dispose(): void {
    this.type.dispose();
  }

  isOn(): boolean {
    return settings.hints() && settings.hintDisplay() === "decorations";
  }

  reset(): void {
    // Nothing is kept.
  }

  paint(editor: vscode.TextEditor, { hints }: Costs): void {
    const { document, options } = editor;
    // The column has the rest.
    const texts = !settings.column() ? hints : hints.map(({ line, text }) => ({ line, text: restOf(text) })).filter(({ text }) => text !== "");
    const inText = texts.filter(({ line }) => line <= document.lineCount);
    const tabSize = typeof options.tabSize === "number" ? options.tabSize : 4;
    const placed = placeHints(inText, (line) => document.lineAt(line).text, tabSize);
    editor.setDecorations(this.type, placed.map(({ line, text, margin }) => ({
      range: textRange(document.lineAt(line)),
      renderOptions: { after: { contentText: text, margin: `0 0 0 ${margin}ch` } },
    })));
    this.shown.set(document.uri.toString(), texts);
  }
}

// What moves with the line: its text without the blanks around it.
function textRange({ lineNumber, text, firstNonWhitespaceCharacterIndex: first }: vscode.TextLine): vscode.Range {
  return new vscode.Range(lineNumber, first, lineNumber, Math.max(first, text.trimEnd().length));
}
