// SPDX-License-Identifier: Apache-2.0
// What the extension sends to its pages.

// A frame of the flame graph; its place in the list of frames is its number.
export interface FlameFrame {
  kind: "whole" | "module" | "part" | "line" | "operation" | "disturbance";
  parent?: number; // before it in the list
  left: number; // fractions of the picture
  width: number;
  name: string;
  words: string;
  time: string;
  heat: number; // 0 to 4
  found: number; // how much of it the search finds, 0 to 1
  module?: string; // its path
  place?: number; // of the source line, if there is one
}

// An execution, or several.
export interface FlameBar {
  executions: string; // as etlens.selectExecutions takes it
  words: string;
  height: number; // of the longest, 0 to 1
  isUsed: boolean;
  isOdd: boolean;
  tone?: number; // of its group of executions; absent where all do the same work
}

export interface FlameData {
  title: string;
  why: string; // why there is nothing, or ""
  order: "cost" | "execution";
  fold: boolean;
  filter: string;
  found: string; // what it finds, in words
  frames: FlameFrame[];
  executions: FlameBar[]; // empty where there is nothing to choose
  focus?: string; // the path of the module to show
}

export interface FlameRequest {
  order?: FlameData["order"];
  fold?: boolean;
  filter?: string;
  executions?: string | null; // null: what the settings say
  open?: number; // a place
  save?: true;
}

export interface ChartTensor {
  value: number; // in the plan's table
  first: number; // instructions, both included
  last: number;
  offset: number; // bytes
  bytes: number;
  label: string; // short
  words: string; // all that is known of it
  group: number; // into ChartData.groups
  place?: number; // of the source line, if there is one
}

export interface ChartBuffer {
  id: number;
  text: string;
  size: number;
  sizeText: string;
  peakInstruction: number;
  peakText: string;
  live: number[]; // bytes in use, by instruction
  tensors: ChartTensor[]; // without views, whose bytes are their base's
}

export interface ChartWaiting {
  text: string;
  values: number[];
  place?: number;
}

export interface ChartData {
  title: string;
  why: string; // why there is nothing, or ""
  methods: { name: string; text: string; current: boolean }[];
  instructions: string[];
  groups: { name: string; tone: number }[]; // tone: 0 is neutral, 1 to 12 are colours
  buffers: ChartBuffer[];
  lines: { text: string; place: number }[]; // that make the peak
  waiting: ChartWaiting[];
  notes: string[];
}

export interface ReportData {
  why: string; // why there is nothing, or ""
  title: string;
  style: string; // CSS
  body: string; // HTML, which the server made safe
}

export interface MapNode {
  key: string; // the same after the next reading
  level: "file" | "kind" | "module" | "part";
  label: string; // short
  size: string;
  words: string;
  bytes: number;
  tone: number;
  place?: number; // of the source line, if there is one; of a group that of its largest part
  children: MapNode[];
}

export interface MapData {
  title: string;
  why: string; // why there is nothing, or ""
  kinds: { name: string; tone: number }[];
  root?: MapNode;
  notes: string[];
}

export interface GraphBox {
  id: number; // its place in the list
  kind: string; // as the server names it
  group?: number; // the node that contains it
  title: string; // "12: aten::mul.out"
  lines: string[]; // shape and type of what it makes, its source line
  more: string[]; // what else is known of it, for screen readers, the tooltip and the search
  makes: number[]; // values
  place?: number; // of the source line, if there is one
}

export interface GraphLink {
  from: number;
  to: number;
  value: number;
}

// Runs of nodes that do the same, one behind the other.
export interface GraphRepeat {
  nodes: number[]; // of all runs
  count: number; // of one
  times: number;
  words: string; // modules of the further ones: "layers.1 to layers.30"
}

export interface GraphData {
  title: string;
  why: string; // why there is nothing, or ""
  key: string; // another one: another graph
  methods: { name: string; current: boolean }[];
  nodes: GraphBox[]; // groups before what is in them
  edges: GraphLink[];
  repeats: GraphRepeat[];
  notes: string[];
  focus?: number[]; // nodes to show, once
}

export interface GraphPageRequest {
  open?: number; // a place
  method?: string;
}

export const groupings = ["none", "line", "module", "operator", "delegate", "partition"] as const;
export type Grouping = (typeof groupings)[number];

// As the server names what a table is sorted by.
export type SortColumn = "cost" | "line" | "operator" | "event" | "module" | "where" | "confidence" | "call";
export type ColumnId = SortColumn | "share" | "change" | "explained" | "opaque" | "unmeasured";

// Which columns it has.
export type TableKind = "events" | "calls";

// A row of a table: an event, a delegate call, or a group of them.
export interface TableRow {
  level: number;
  key?: string; // of a row that opens
  isOpen?: boolean;
  event?: number; // the id of an event
  cells: Partial<Record<ColumnId, string>>;
  label?: string; // of a group: instead of all cells behind the numbers
  share: number;
  hasLine: boolean;
  words: string; // the whole row, for screen readers and the tooltip
  context: string; // JSON: what the commands of the context menu are given
}

export interface TableState {
  kind: "state";
  table: TableKind;
  turn: number; // of the state: rows of another turn are not of this table
  measure: string; // the heading of the first column
  filter: string;
  grouping: Grouping;
  sort: { column: SortColumn; isAscending: boolean };
  isCompared: boolean;
  summary: string;
  why: string; // why there is nothing, or ""
  actions: { label: string; command: string }[]; // what to do about it
  rowCount: number;
  rows: TableRow[]; // the first, from `first` on
  first: number;
  reveal?: number; // a row to show and focus
}

export interface TableRows {
  kind: "rows";
  turn: number;
  first: number;
  rows: TableRow[];
}

export interface TableFocus {
  kind: "focusFilter";
}

export type TableMessage = TableState | TableRows | TableFocus;

// What the page asks for, one thing at a time.
export interface TableRequest {
  ready?: true;
  read?: { turn: number; first: number; count: number };
  filter?: string;
  grouping?: Grouping;
  sort?: SortColumn;
  toggle?: string; // the key of a group
  focused?: number | null; // the event of the row with the focus
  run?: "goToLine" | "copy" | "hide"; // on the row whose context is `context`
  context?: string;
  command?: string; // one of TableState.actions
}
