// SPDX-License-Identifier: Apache-2.0
// The columns of the tables: those that fit the width, the most important first.
import type { ColumnId, SortColumn, TableKind } from "./data";

export interface Column {
  id: ColumnId;
  title: string;
  sort?: SortColumn;
  least: number; // pixels
  grows: number; // its part of what is left
}

const ofEvents: readonly Column[] = [
  { id: "cost", title: "", sort: "cost", least: 64, grows: 0 },
  { id: "share", title: "Share", sort: "cost", least: 56, grows: 0 },
  { id: "change", title: "Change", least: 96, grows: 0 },
  { id: "line", title: "Line", sort: "line", least: 84, grows: 3 },
  { id: "operator", title: "Operator", sort: "operator", least: 80, grows: 3 },
  { id: "event", title: "Event", sort: "event", least: 130, grows: 4 },
  { id: "module", title: "Module", sort: "module", least: 110, grows: 3 },
  { id: "where", title: "Where", sort: "where", least: 76, grows: 0 },
  { id: "confidence", title: "Confidence", sort: "confidence", least: 96, grows: 0 },
];
const ofCalls: readonly Column[] = [
  { id: "cost", title: "", sort: "cost", least: 64, grows: 0 },
  { id: "share", title: "Share", sort: "cost", least: 56, grows: 0 },
  { id: "call", title: "Call", sort: "call", least: 76, grows: 4 },
  { id: "line", title: "Lines", least: 84, grows: 3 },
  { id: "module", title: "Module", sort: "module", least: 90, grows: 3 },
  { id: "explained", title: "Explained", least: 76, grows: 0 },
  { id: "opaque", title: "Opaque", least: 70, grows: 0 },
  { id: "unmeasured", title: "Not measured", least: 96, grows: 0 },
];
interface Table {
  all: readonly Column[];
  byImportance: readonly ColumnId[];
}
const tables: Record<TableKind, Table> = {
  events: { all: ofEvents, byImportance: ["cost", "share", "line", "operator", "change", "module", "where", "event", "confidence"] },
  calls: { all: ofCalls, byImportance: ["cost", "share", "call", "line", "module", "unmeasured", "explained", "opaque"] },
};

// `measure`: what the amounts are, "time"; with a capital letter it is their heading.
export function columnsFor(table: TableKind, width: number, measure: string, isCompared: boolean): Column[] {
  const { all, byImportance } = tables[table];
  const chosen = new Set<ColumnId>();
  let left = width;
  for (const id of byImportance) {
    if (id === "change" && !isCompared) continue;
    const column = all.find((candidate) => candidate.id === id);
    if (column === undefined || (chosen.size > 2 && column.least > left)) break;
    chosen.add(id);
    left -= column.least;
  }
  const heading = measure.charAt(0).toUpperCase() + measure.slice(1);
  return all.filter(({ id }) => chosen.has(id)).map((column) => (column.id === "cost" ? { ...column, title: heading } : column));
}

export function gridTemplate(columns: readonly Column[]): string {
  return columns.map(({ least, grows }) => (grows === 0 ? `${least}px` : `minmax(min(${least}px, 30%), ${grows}fr)`)).join(" ");
}
