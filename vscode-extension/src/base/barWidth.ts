// SPDX-License-Identifier: Apache-2.0
// How long the bar of a share is that stands under the column of numbers, or before the text. Knows no editor.

const underColumn = 120; // pixels of everything: about as wide as the column
const beforeText = 28; // the indentation of most measured lines
const step = 2; // each width is a type of decoration

export function barWidth(share: number, hasColumn: boolean): number {
  const widest = hasColumn ? underColumn : beforeText;
  // Something is never drawn as nothing.
  return Math.max(step, step * Math.round((Math.min(Math.max(share, 0), 1) * widest) / step));
}
