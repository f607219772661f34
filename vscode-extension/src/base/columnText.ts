// SPDX-License-Identifier: Apache-2.0
// What stands in the column of numbers: the time and the share of a hint, all of one width. Knows no editor.

const widest = 18; // characters
const blank = "\u00a0"; // a decoration drops other blanks

// "Σ 12.4 ms 61% ×24" is "Σ 12.4 ms 61%". What has no share stands there as a whole, or not at all.
export function columnText(label: string): string {
  const number = /^.*?%/.exec(label)?.[0] ?? label;
  return number.length > widest ? "" : number;
}

// Whether nothing of it is left for the end of the line.
export function isWhole(label: string): boolean {
  return columnText(label) === label;
}

// By line, right-aligned; a blank text for the lines between. Empty where there is nothing to show.
export function columnTexts(labels: ReadonlyMap<number, string>, lineCount: number): string[] {
  const texts = new Map([...labels].map(([line, label]) => [line, columnText(label)] as const).filter(([, text]) => text !== ""));
  if (texts.size === 0) return [];
  const width = Math.max(...[...texts.values()].map((text) => text.length));
  return Array.from({ length: lineCount }, (_, line) => (texts.get(line) ?? "").padStart(width).replaceAll(" ", blank));
}
