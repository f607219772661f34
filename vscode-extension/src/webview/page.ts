// SPDX-License-Identifier: Apache-2.0
// What the pages of pictures share: elements, a legend, notes, numbers on axes.

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found;
}

export function select(id: string): HTMLSelectElement {
  const found = element(id);
  if (!(found instanceof HTMLSelectElement)) throw new Error(`${id} offers nothing`);
  return found;
}

export function input(id: string): HTMLInputElement {
  const found = element(id);
  if (!(found instanceof HTMLInputElement)) throw new Error(`${id} takes nothing`);
  return found;
}

export function make(tag: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

// What there is, or the sentence why there is nothing.
export function setTitle(title: string, why: string): void {
  element("title").textContent = why === "" ? title : why;
  for (const child of element("title").parentElement?.children ?? []) {
    if (child.id !== "title") (child as HTMLElement).hidden = why !== "";
  }
}

export function setLegend(entries: readonly { name: string; tone: number }[]): void {
  const legend = element("legend");
  legend.replaceChildren(...entries.map(({ name, tone }) => make("li", `tone${tone}`, name)));
  legend.hidden = entries.length === 0;
}

export function setNotes(notes: readonly string[]): void {
  element("notes").replaceChildren(...notes.map((note) => make("li", "", note)));
  element("notes").hidden = notes.length === 0;
}

// At most `most` round numbers from `from` to `to`, with steps of 1, 2 or 5 times a power of ten; of whole numbers.
export function ticks(from: number, to: number, most: number): number[] {
  const raw = (to - from) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10));
  const marks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) marks.push(at);
  return marks;
}

// Of an axis: "0", "512 B", "1.5 kB".
export function bytesText(bytes: number): string {
  if (bytes === 0) return "0";
  for (const [size, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]] as const) {
    if (bytes >= size) return `${Number((bytes / size).toPrecision(4))} ${unit}`;
  }
  return `${bytes} B`;
}
