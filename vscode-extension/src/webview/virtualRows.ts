// SPDX-License-Identifier: Apache-2.0
// Rows of which only those in sight are elements, however many there are; fetched in pages when they come
// into sight. One row has the focus of the keyboard (roving tabindex) and stays an element wherever it is.

export interface VirtualRowsOptions<Row> {
  scroller: HTMLElement;
  header: number; // pixels at the scroller's top that cover rows
  rowHeight: number;
  pageSize: number;
  fetch: (first: number, count: number) => void;
  draw: (row: Row | undefined) => HTMLElement; // undefined: not here yet
  onFocus: (row: Row | undefined) => void;
}

const spare = 8; // rows drawn above and below those in sight

export class VirtualRows<Row> {
  private readonly space = document.createElement("div");
  private readonly known = new Map<number, Row>();
  private readonly asked = new Set<number>(); // pages
  private readonly drawn = new Map<number, HTMLElement>();
  private count = 0;

  active = 0; // the row that the keyboard is on

  constructor(private readonly options: VirtualRowsOptions<Row>) {
    this.space.className = "rows";
    this.space.setAttribute("role", "rowgroup");
    options.scroller.append(this.space);
    options.scroller.addEventListener("scroll", () => this.update(), { passive: true });
    new ResizeObserver(() => this.update()).observe(options.scroller);
  }

  get length(): number {
    return this.count;
  }

  row(index: number): Row | undefined {
    return this.known.get(index);
  }

  // Another table: what was known is forgotten.
  reset(count: number, first: number, rows: readonly Row[]): void {
    const hadFocus = this.space.contains(document.activeElement);
    this.count = count;
    this.known.clear();
    this.asked.clear();
    this.active = Math.min(this.active, Math.max(0, count - 1));
    this.space.style.height = `${count * this.options.rowHeight}px`;
    rows.forEach((row, i) => this.known.set(first + i, row));
    this.redraw();
    if (hadFocus) this.drawn.get(this.active)?.focus();
  }

  add(first: number, rows: readonly Row[]): void {
    rows.forEach((row, i) => {
      this.known.set(first + i, row);
      this.replace(first + i);
    });
  }

  // Everything in sight anew: other columns.
  redraw(): void {
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
    this.update();
  }

  focus(index: number): void {
    if (this.count === 0) return;
    const before = this.active;
    this.active = Math.min(Math.max(index, 0), this.count - 1);
    this.bringIntoSight(this.active);
    this.update();
    const old = this.drawn.get(before);
    if (old !== undefined) old.tabIndex = -1;
    const element = this.drawn.get(this.active);
    if (element === undefined) return;
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
    this.options.onFocus(this.row(this.active));
  }

  toTop(): void {
    this.active = 0;
    this.options.scroller.scrollTop = 0;
  }

  // Rows that fit the window.
  get page(): number {
    const { scroller, header, rowHeight } = this.options;
    return Math.max(1, Math.floor((scroller.clientHeight - header) / rowHeight) - 1);
  }

  private bringIntoSight(index: number): void {
    const { scroller, header, rowHeight } = this.options;
    const top = index * rowHeight;
    const height = scroller.clientHeight - header;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + rowHeight > scroller.scrollTop + height) scroller.scrollTop = top + rowHeight - height;
  }

  private update(): void {
    const { scroller, rowHeight } = this.options;
    const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - spare);
    const last = Math.min(this.count, Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + spare);
    for (const [index, element] of this.drawn) {
      if (index >= this.count || ((index < first || index >= last) && index !== this.active)) {
        element.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < last; ++index) this.show(index);
    if (this.active < this.count) this.show(this.active);
    this.fetchBetween(first, last);
  }

  private fetchBetween(first: number, last: number): void {
    const { pageSize } = this.options;
    for (let page = Math.floor(first / pageSize); page * pageSize < last; ++page) {
      const begin = page * pageSize;
      const end = Math.min(begin + pageSize, this.count);
      if (this.asked.has(page) || (this.known.has(Math.max(first, begin)) && this.known.has(Math.min(last, end) - 1))) continue;
      this.asked.add(page);
      this.options.fetch(begin, end - begin);
    }
  }

  private show(index: number): void {
    if (this.drawn.has(index)) return;
    const element = this.make(index);
    this.drawn.set(index, element);
    // In the order of the table, for those who read it aloud.
    const after = [...this.space.children].find((child) => Number(child.getAttribute("aria-rowindex")) > index + 2);
    this.space.insertBefore(element, after ?? null);
  }

  private make(index: number): HTMLElement {
    const element = this.options.draw(this.row(index));
    element.style.top = `${index * this.options.rowHeight}px`;
    element.setAttribute("aria-rowindex", String(index + 2)); // the header is the first
    element.tabIndex = index === this.active ? 0 : -1;
    return element;
  }

  private replace(index: number): void {
    const old = this.drawn.get(index);
    if (old === undefined) return;
    const hadFocus = old === document.activeElement;
    const element = this.make(index);
    old.replaceWith(element);
    this.drawn.set(index, element);
    if (hadFocus) this.focus(index);
  }
}
