// SPDX-License-Identifier: Apache-2.0
// Where hints stand behind the text, and what of them the column at the left shows already. Knows no editor.
import { columnText, isWhole } from "./columnText";
import type { LineHint } from "./protocol";

const gap = 3; // characters between the text and its hint, at least
// A column that is further to the right would be out of sight in a split editor: longer lines have their hint at their own end.
const widestAligned = 48;
const mostBetween = 3; // lines without a hint between two that are aligned with each other

export interface PlacedHint {
  line: number; // 0-based
  text: string;
  margin: number; // characters
}

// "Σ 12.4 ms 61% XNNPACK ×24" without what stands in the column.
export function restOf(label: string): string {
  return isWhole(label) ? "" : label.slice(columnText(label).length).trimStart();
}

// How wide a line is on the screen, in characters of one width.
export function widthOf(text: string, tabSize: number): number {
  let width = 0;
  for (const character of text) {
    if (character === "\t") width += tabSize - (width % tabSize);
    else width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}

// Of East Asian writing and pictures.
function isWide(point: number): boolean {
  return (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) || (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) || (point >= 0xfe30 && point <= 0xfe6f) || (point >= 0xff00 && point <= 0xff60) || point >= 0x1f300;
}

// Hints of lines that are near each other begin in one column. Ascending by line.
export function placeHints(hints: readonly LineHint[], lineText: (line: number) => string, tabSize: number): PlacedHint[] {
  const rows = hints.map(({ line, text }) => ({ line: line - 1, text, width: widthOf(lineText(line - 1).trimEnd(), tabSize) }));
  const placed: PlacedHint[] = [];
  for (let first = 0; first < rows.length; ) {
    let end = first + 1;
    while (end < rows.length && (rows[end]?.line ?? 0) - (rows[end - 1]?.line ?? 0) <= mostBetween + 1) ++end;
    const group = rows.slice(first, end);
    const column = Math.max(0, ...group.map(({ width }) => width).filter((width) => width <= widestAligned));
    for (const { line, text, width } of group) placed.push({ line, text, margin: gap + Math.max(0, column - width) });
    first = end;
  }
  return placed;
}
