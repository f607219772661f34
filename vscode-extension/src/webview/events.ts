// SPDX-License-Identifier: Apache-2.0
// The page of the views "Events" and "Delegate Calls": a table that keys and pointers can walk, sort, filter and open.
import { type Column, columnsFor, gridTemplate } from "./columns";
import { groupings, type Grouping, type TableMessage, type TableRequest, type TableRow, type TableState } from "./data";
import { element, make, select } from "./page";
import { VirtualRows } from "./virtualRows";

const rowHeight = 22;

const vscode = acquireVsCodeApi();
const table = element("table");
const filter = element("filter") as HTMLInputElement;
const grouping = select("grouping");
const head = make("div", "head");
let state: TableState | undefined;
let columns: Column[] = [];

const post = (request: TableRequest) => vscode.postMessage(request);

for (const name of groupings) {
  const option = document.createElement("option");
  option.value = name;
  option.textContent = name === "none" ? "ungrouped" : `by ${name}`;
  grouping.append(option);
}
head.setAttribute("role", "row");
head.setAttribute("aria-rowindex", "1");
const headGroup = make("div", "head-group");
headGroup.setAttribute("role", "rowgroup");
headGroup.append(head);
table.append(headGroup);

const rows = new VirtualRows<TableRow>({
  scroller: table,
  header: rowHeight,
  rowHeight,
  pageSize: 100,
  fetch: (first, count) => {
    if (state !== undefined) post({ read: { turn: state.turn, first, count } });
  },
  draw: (row) => (row === undefined ? blank() : drawRow(row)),
  onFocus: (row) => post({ focused: row?.event ?? null }),
});

function blank(): HTMLElement {
  const made = make("div", "row");
  made.setAttribute("role", "row");
  made.setAttribute("aria-busy", "true");
  const cell = make("div", "cell", "…");
  cell.setAttribute("role", "gridcell");
  made.append(cell);
  return made;
}

function cellOf(row: TableRow, { id }: Column): HTMLElement {
  const made = make("div", `cell ${id}`, row.cells[id] ?? "");
  made.setAttribute("role", "gridcell");
  if (id === "share") {
    const bar = make("span", "bar");
    bar.style.width = `${Math.min(100, Math.max(row.share === 0 ? 0 : 2, row.share * 100))}%`;
    made.append(bar);
  }
  if (id === "line" && !row.hasLine) made.classList.add("quiet");
  // A file's name may be cut, the number of the line not.
  const [, file, line] = (id === "line" && row.hasLine && /^(.*)(:\d+)$/.exec(row.cells.line ?? "")) || [];
  if (file !== undefined && line !== undefined) made.replaceChildren(make("span", "file", file), make("span", "", line));
  return made;
}

// A click there opens or closes the row; elsewhere it goes to the line.
function twistieOf(row: TableRow): HTMLElement {
  return make("span", "twistie", row.isOpen === true ? "▾" : "▸");
}

function drawRow(row: TableRow): HTMLElement {
  const made = make("div", row.key === undefined ? "row" : "row group");
  made.setAttribute("role", "row");
  made.setAttribute("aria-level", String(row.level));
  made.setAttribute("aria-label", row.words);
  made.title = row.words;
  made.dataset["vscodeContext"] = row.context;
  if (row.isOpen !== undefined) made.setAttribute("aria-expanded", String(row.isOpen));
  if (row.label === undefined) {
    made.append(...columns.map((column) => cellOf(row, column)));
    if (row.key !== undefined) made.querySelector(".cell.call")?.prepend(twistieOf(row));
    if (row.level > 1) made.classList.add("inside");
    return made;
  }
  const numbers = columns.filter(({ id }) => id === "cost" || id === "share" || id === "change");
  const label = make("div", "cell label", row.label);
  label.prepend(twistieOf(row));
  label.setAttribute("role", "gridcell");
  label.setAttribute("aria-colspan", String(Math.max(1, columns.length - numbers.length)));
  made.append(...numbers.map((column) => cellOf(row, column)), label);
  return made;
}

function drawHead(): void {
  if (state === undefined) return;
  const { sort } = state;
  const focusedAt = [...head.children].findIndex((cell) => cell.contains(document.activeElement));
  head.replaceChildren(
    ...columns.map((column, i) => {
      const cell = make("div", `cell ${column.id}`);
      cell.setAttribute("role", "columnheader");
      const isSorted = column.sort === sort.column && column.id !== "share";
      if (column.sort === undefined) {
        cell.textContent = column.title;
        return cell;
      }
      cell.setAttribute("aria-sort", isSorted ? (sort.isAscending ? "ascending" : "descending") : "none");
      const button = make("button", "", `${column.title}${isSorted ? (sort.isAscending ? " ▴" : " ▾") : ""}`);
      button.setAttribute("aria-label", `Sort by ${column.title}`);
      button.tabIndex = i === 0 ? 0 : -1;
      button.addEventListener("click", () => {
        if (column.sort !== undefined) post({ sort: column.sort });
      });
      cell.append(button);
      return cell;
    }),
  );
  if (focusedAt >= 0) focusHead(focusedAt);
}

function focusHead(at: number): void {
  const buttons = [...head.querySelectorAll("button")];
  const next = buttons[Math.min(Math.max(at, 0), buttons.length - 1)];
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}

function layOut(): void {
  if (state === undefined || table.clientWidth === 0) return;
  const fitting = columnsFor(state.table, table.clientWidth, state.measure, state.isCompared);
  const template = gridTemplate(fitting);
  if (table.style.getPropertyValue("--columns") === template && fitting.every(({ title }, i) => columns[i]?.title === title)) return;
  columns = fitting;
  table.style.setProperty("--columns", template);
  table.style.setProperty("--numbers", String(columns.filter(({ id }) => id === "cost" || id === "share" || id === "change").length));
  table.setAttribute("aria-colcount", String(columns.length));
  drawHead();
  rows.redraw();
}

function isSameList(a: TableState | undefined, b: TableState): boolean {
  return a !== undefined && a.filter === b.filter && a.grouping === b.grouping && JSON.stringify(a.sort) === JSON.stringify(b.sort);
}

function setState(next: TableState): void {
  if (!isSameList(state, next)) rows.toTop();
  state = next;
  // Who writes is further than what was sent.
  if (document.activeElement !== filter) filter.value = next.filter;
  grouping.value = next.grouping;
  element("summary").textContent = next.why === "" ? next.summary : next.why;
  const actions = next.actions.map(({ label, command }) => {
    const button = make("button", "", label);
    button.addEventListener("click", () => post({ command }));
    return button;
  });
  element("actions").replaceChildren(...actions);
  element("table").hidden = next.why !== "";
  element("tools").hidden = next.why !== "" || next.table !== "events";
  table.setAttribute("aria-rowcount", String(next.rowCount + 1));
  layOut();
  drawHead();
  rows.reset(next.rowCount, next.first, next.rows);
  if (next.reveal !== undefined) rows.focus(next.reveal);
}

function toggle(row: TableRow | undefined): void {
  if (row?.key !== undefined) post({ toggle: row.key });
}

function run(what: NonNullable<TableRequest["run"]>, row: TableRow | undefined): void {
  if (row !== undefined) post({ run: what, context: row.context });
}

function parentOf(index: number): number {
  for (let above = index; above >= 0; --above) {
    const row = rows.row(above);
    if (row === undefined || row.key !== undefined) return above;
  }
  return index;
}

const keys: Record<string, (row: TableRow | undefined) => void> = {
  ArrowUp: () => rows.focus(rows.active - 1),
  ArrowDown: () => rows.focus(rows.active + 1),
  PageUp: () => rows.focus(rows.active - rows.page),
  PageDown: () => rows.focus(rows.active + rows.page),
  Home: () => rows.focus(0),
  End: () => rows.focus(rows.length - 1),
  ArrowRight: (row) => {
    if (row?.isOpen === true) rows.focus(rows.active + 1);
    else toggle(row);
  },
  ArrowLeft: (row) => {
    if (row?.isOpen === true) toggle(row);
    else if (row !== undefined && row.level > 1) rows.focus(parentOf(rows.active));
  },
  Enter: (row) => {
    if (row?.hasLine === true) run("goToLine", row);
    else toggle(row);
  },
  " ": toggle,
  Delete: (row) => run("hide", row),
};

table.addEventListener("keydown", (event) => {
  if (head.contains(event.target as Node)) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) focusHead([...head.querySelectorAll("button")].indexOf(event.target as HTMLButtonElement) + step);
    if (event.key === "ArrowDown") rows.focus(0);
    return;
  }
  const row = rows.row(rows.active);
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key === "c") run("copy", row);
  const action = keys[event.key];
  if (action === undefined || isCommand || event.altKey) return;
  event.preventDefault();
  action(row);
});

table.addEventListener("click", (event) => {
  const index = indexOf(event);
  if (index === undefined) return;
  rows.focus(index);
  const row = rows.row(index);
  const isTwistie = (event.target as Element).closest(".twistie") !== null;
  if (row?.hasLine === true && !isTwistie) run("goToLine", row);
  else toggle(row);
});

// The menu is about the row that has the focus.
table.addEventListener("contextmenu", (event) => {
  const index = indexOf(event);
  if (index !== undefined) rows.focus(index);
});

function indexOf(event: Event): number | undefined {
  const row = (event.target as Element).closest(".row");
  return row === null ? undefined : Number(row.getAttribute("aria-rowindex")) - 2;
}

filter.addEventListener("input", () => post({ filter: filter.value }));
filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && filter.value !== "") {
    filter.value = "";
    post({ filter: "" });
  }
  if (event.key === "ArrowDown" || event.key === "Enter") rows.focus(0);
});
grouping.addEventListener("change", () => post({ grouping: grouping.value as Grouping }));

window.addEventListener("message", ({ data }: MessageEvent<TableMessage>) => {
  if (data.kind === "state") setState(data);
  else if (data.kind === "rows") {
    if (data.turn === state?.turn) rows.add(data.first, data.rows);
  } else {
    filter.focus();
    filter.select();
  }
});

new ResizeObserver(layOut).observe(table);
post({ ready: true });
