// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph are drawn: groups and repeats that are closed are one box each, and constants are
// words in the boxes of their readers. Knows no page.
import type { GraphBox, GraphData, GraphLink, GraphRepeat } from "./data";

export interface GraphState {
  open: ReadonlySet<number>; // groups, by id
  unfolded: ReadonlySet<number>; // repeats, by place in the list
  showsConstants: boolean;
  focus: number | undefined; // a node that has to be in sight
}

export interface DrawnNode {
  key: string; // "n12", or "r0" of a repeat
  node?: GraphBox;
  repeat?: number; // place in the list
  parent?: string; // key of the group that is drawn around it
  level: number; // from 1 on
  isOpen?: boolean; // of a group or a repeat
  lines: string[]; // below its title
}

export interface DrawnEdge {
  from: string;
  to: string;
}

export interface Drawing {
  nodes: DrawnNode[]; // groups before what is in them, in the order in which they run
  edges: DrawnEdge[];
  total: number; // nodes that would be drawn without a limit
  first: number; // of these the first that is drawn
}

// A layout of more takes longer than a person waits.
export const mostNodes = 250;

export class GraphModel {
  private readonly repeatOf = new Map<number, number>(); // by node, of all runs but the first
  private readonly makersIn = new Map<number, Map<number, number>>(); // by group and value
  readonly filled = new Set<number>(); // groups with something in them
  private readonly constantsOf = new Map<number, string[]>(); // by reader

  constructor(readonly data: Pick<GraphData, "nodes" | "edges" | "repeats">) {
    data.repeats.forEach(({ nodes, count }, r) => {
      for (const id of nodes.slice(count)) this.repeatOf.set(id, r);
    });
    for (const node of data.nodes) {
      const group = this.groupOf(node.id);
      if (group === undefined) continue;
      this.filled.add(group);
      const makers = this.makersIn.get(group) ?? new Map<number, number>();
      for (const value of node.makes) makers.set(value, node.id);
      this.makersIn.set(group, makers);
    }
    for (const { from, to } of data.edges) {
      const maker = data.nodes[from];
      if (maker?.kind !== "constant") continue;
      const words = this.constantsOf.get(to) ?? [];
      words.push([maker.title, ...maker.lines].join(" "));
      this.constantsOf.set(to, words);
    }
  }

  node(id: number): GraphBox | undefined {
    return this.data.nodes[id];
  }

  // Groups come before what is in them: anything else is none.
  private groupOf(id: number): number | undefined {
    const group = this.node(id)?.group;
    return group !== undefined && group < id ? group : undefined;
  }

  // The groups around a node, the outermost first.
  groupsAround(id: number): number[] {
    const groups: number[] = [];
    for (let at = this.groupOf(id); at !== undefined; at = this.groupOf(at)) groups.unshift(at);
    return groups;
  }

  // The repeat whose further runs have the node, if one has.
  repeatAround(id: number): number | undefined {
    for (const at of [...this.groupsAround(id), id]) {
      const repeat = this.repeatOf.get(at);
      if (repeat !== undefined) return repeat;
    }
    return undefined;
  }

  // What stands for a node in a drawing: itself, a closed group, a folded repeat, or nothing.
  shownAs(id: number, state: GraphState): string | undefined {
    const path = [...this.groupsAround(id), id];
    for (const at of path) {
      const repeat = this.repeatOf.get(at);
      if (repeat !== undefined && !state.unfolded.has(repeat)) return `r${repeat}`;
      if (at !== id && !state.open.has(at)) return `n${at}`;
    }
    return this.node(id)?.kind === "constant" && !state.showsConstants ? undefined : `n${id}`;
  }

  draw(state: GraphState, most = mostNodes): Drawing {
    const all = this.allNodes(state);
    const focus = state.focus === undefined ? undefined : this.shownAs(state.focus, state);
    const first = windowStart(all, focus, most);
    const kept = withGroups(all, first, first + most);
    return { nodes: kept, edges: this.edges(state, new Set(kept.map(({ key }) => key))), total: all.length, first };
  }

  private allNodes(state: GraphState): DrawnNode[] {
    const drawn: DrawnNode[] = [];
    const repeats = new Set<number>();
    for (const node of this.data.nodes) {
      const key = this.shownAs(node.id, state);
      const repeat = this.repeatOf.get(node.id);
      if (repeat !== undefined && !repeats.has(repeat)) {
        repeats.add(repeat);
        drawn.push(repeatNode(this.data.repeats[repeat], repeat, state.unfolded.has(repeat)));
      }
      if (key !== `n${node.id}`) continue;
      const isGroup = this.filled.has(node.id);
      const group = this.groupOf(node.id);
      drawn.push({
        key,
        node,
        ...(group !== undefined && { parent: `n${group}` }),
        level: this.groupsAround(node.id).length + 1,
        ...(isGroup && { isOpen: state.open.has(node.id) }),
        lines: this.linesOf(node, state),
      });
    }
    return drawn;
  }

  private linesOf({ id, lines }: GraphBox, { showsConstants }: GraphState): string[] {
    const constants = showsConstants ? [] : (this.constantsOf.get(id) ?? []);
    const shown = constants.slice(0, 3);
    if (constants.length > shown.length) shown.push(`and ${constants.length - shown.length} more constants`);
    return [...shown, ...lines];
  }

  // Of a group that is open, edges lead from the node inside that makes the value, and to those inside that read it.
  private edges(state: GraphState, drawn: ReadonlySet<string>): DrawnEdge[] {
    const edges = new Map<string, DrawnEdge>();
    const entered = this.enteredGroups(state);
    for (const link of this.data.edges) {
      if (state.open.has(link.to) && entered.has(`${link.to} ${link.value}`)) continue;
      const from = this.shownAs(this.makerOf(link, state), state);
      const to = this.shownAs(link.to, state);
      if (from === undefined || to === undefined || from === to || !drawn.has(from) || !drawn.has(to)) continue;
      // A group that is open has no edge to what is in it.
      if (this.isInside(to, from) || this.isInside(from, to)) continue;
      edges.set(`${from} ${to}`, { from, to });
    }
    return [...edges.values()];
  }

  private isInside(inner: string, outer: string): boolean {
    return inner.startsWith("n") && outer.startsWith("n") && this.groupsAround(Number(inner.slice(1))).includes(Number(outer.slice(1)));
  }

  private makerOf({ from, value }: GraphLink, state: GraphState): number {
    let maker = from;
    for (let inner = this.makersIn.get(maker)?.get(value); inner !== undefined && state.open.has(maker); inner = this.makersIn.get(maker)?.get(value)) maker = inner;
    return maker;
  }

  // "group value": values that nodes inside of an open group read themselves.
  private enteredGroups(state: GraphState): Set<string> {
    const entered = new Set<string>();
    for (const { to, value } of this.data.edges) {
      for (const group of this.groupsAround(to)) if (state.open.has(group)) entered.add(`${group} ${value}`);
    }
    return entered;
  }
}

function repeatNode(repeat: GraphRepeat | undefined, row: number, isOpen: boolean): DrawnNode {
  const { count = 0, times = 1, words = "" } = repeat ?? {};
  const text = isOpen ? `the ${count} nodes above come ${times - 1} more times` : `the same ${count} nodes ${times - 1} more times`;
  return { key: `r${row}`, repeat: row, level: 1, isOpen, lines: words === "" ? [text] : [text, words] };
}

function windowStart(all: readonly DrawnNode[], focus: string | undefined, most: number): number {
  if (all.length <= most) return 0;
  const at = Math.max(all.findIndex(({ key }) => key === focus), 0);
  return Math.min(Math.max(at - Math.floor(most / 2), 0), all.length - most);
}

// A part of the list, with the groups around what is in it.
function withGroups(all: readonly DrawnNode[], first: number, end: number): DrawnNode[] {
  const byKey = new Map(all.map((drawn) => [drawn.key, drawn]));
  const kept = new Set<DrawnNode>();
  const keep = (drawn: DrawnNode | undefined): void => {
    if (drawn === undefined || kept.has(drawn)) return;
    if (drawn.parent !== undefined) keep(byKey.get(drawn.parent));
    kept.add(drawn);
  };
  all.slice(first, end).forEach(keep);
  return [...kept];
}
