// SPDX-License-Identifier: Apache-2.0
// What the program graph draws: closed and open groups, repeats, constants, a part of what is too much.
import { expect, test } from "@playwright/test";
import { graphBoxes, graphLinks, graphRepeats, nodesOfLine } from "../../src/views/graphBoxes";
import type { GraphNodeView, GraphResult, GraphView, SourceLine } from "../../src/base/protocol";
import { GraphModel, type GraphState } from "../../src/webview/graphModel";

const place = { recorded_path: "/home/u/m.py", line: 7, current_line: 9, anchor: "moved", text: "x", uri: "file:///work/m%20x.py" };

function node(id: number, kind: string, makes: number[], rest: Partial<GraphNodeView> = {}): GraphNodeView {
  return {
    id,
    kind,
    op: null,
    name: null,
    group: null,
    instruction_id: null,
    target: null,
    call: null,
    makes: makes.map((value) => ({ value, name: null, shape: "[2, 4]", dtype: "float32" })),
    literals: [],
    module: null,
    line: null,
    recorded_path: null,
    ...rest,
  };
}

function edge(from: number, to: number, value: number): GraphView["edges"][number] {
  return { from, to, value, argument: 0, element: null, shape: "[2, 4]", dtype: "float32" };
}

// input → call{a → b} → kernel → output, with a weight read inside of the call.
const small: GraphView = {
  schema: "etlens/graph@1",
  method: "forward",
  pte: "/m.pte",
  etrecord: null,
  nodes: [
    node(0, "input", [10], { name: "x" }),
    node(1, "constant", [11], { name: "w" }),
    node(2, "delegate_call", [12], { instruction_id: 0, call: 1 }),
    node(3, "operator", [13], { group: 2 }),
    node(4, "operator", [12], { group: 2, line: 7, recorded_path: "/home/u/m.py" }),
    node(5, "kernel", [14], { instruction_id: 1, line: 7, recorded_path: "/home/u/m.py", literals: [{ argument: 1, element: null, text: "-1" }] }),
    node(6, "output", []),
  ],
  edges: [edge(0, 2, 10), edge(1, 2, 11), edge(0, 3, 10), edge(1, 4, 11), edge(3, 4, 13), edge(2, 5, 12), edge(5, 6, 14)],
  repeats: [],
};
const titles = ["x", "w", "XNNPACK #1", "Mul", "Add", "aten::neg.out", "output"];

function modelOf(graph: GraphView, names: readonly string[], places: SourceLine[] = []): GraphModel {
  return new GraphModel({ nodes: graphBoxes(graph, names, places, ({ line }) => `m.py:${line}`), edges: graphLinks(graph), repeats: graphRepeats(graph) });
}

function state(rest: Partial<GraphState> = {}): GraphState {
  return { open: new Set(), unfolded: new Set(), showsConstants: false, focus: undefined, ...rest };
}

const edgesOf = (model: GraphModel, shown: GraphState) => model.draw(shown).edges.map(({ from, to }) => `${from} ${to}`);

test("boxes have the words of the server", () => {
  const boxes = graphBoxes(small, titles, [place], ({ line }) => `m.py:${line}`);
  expect(boxes.map(({ title }) => title)).toEqual(["input x", "constant w", "0: XNNPACK #1", "Mul", "Add", "1: aten::neg.out", "output"]);
  expect(boxes[5]).toMatchObject({ lines: ["[2, 4] float32", "m.py:7"], more: ["with -1"], place: 0 });
  expect(boxes[3]).not.toHaveProperty("place");
});

test("a closed group is one box, and a constant a word of its reader", () => {
  const model = modelOf(small, titles);
  const { nodes, edges, total } = model.draw(state());
  expect(nodes.map(({ key }) => key)).toEqual(["n0", "n2", "n5", "n6"]);
  expect(total).toBe(4);
  expect(nodes[1]).toMatchObject({ isOpen: false, level: 1, lines: ["constant w [2, 4] float32", "[2, 4] float32"] });
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(["n0 n2", "n2 n5", "n5 n6"]);
});

test("edges of an open group are those of what is in it", () => {
  const model = modelOf(small, titles);
  const open = state({ open: new Set([2]) });
  expect(model.draw(open).nodes.map(({ key, parent, level }) => `${key} ${parent ?? "-"} ${level}`)).toEqual(["n0 - 1", "n2 - 1", "n3 n2 2", "n4 n2 2", "n5 - 1", "n6 - 1"]);
  expect(edgesOf(model, open)).toEqual(["n0 n3", "n3 n4", "n4 n5", "n5 n6"]);
  expect(edgesOf(model, state({ open: new Set([2]), showsConstants: true }))).toContain("n1 n4");
  expect(edgesOf(model, state({ showsConstants: true }))).toContain("n1 n2");
});

test("a group whose arguments nothing inside is known to read keeps its own edges", () => {
  const model = modelOf({ ...small, edges: [edge(0, 2, 10), edge(3, 4, 13), edge(2, 5, 12)] }, titles);
  expect(edgesOf(model, state({ open: new Set([2]) }))).toEqual(["n0 n2", "n3 n4", "n4 n5"]);
});

// Twelve kernels in a row: three runs of four.
const row: GraphView = {
  ...small,
  nodes: Array.from({ length: 12 }, (_, id) => node(id, "kernel", [id], { instruction_id: id, module: `layers.${Math.floor(id / 4)}.mlp` })),
  edges: Array.from({ length: 11 }, (_, id) => edge(id, id + 1, id)),
  repeats: [{ count: 4, times: 3, nodes: Array.from({ length: 12 }, (_, id) => id) }],
};

test("of what repeats the first run is drawn, until it is unfolded", () => {
  const model = modelOf(row, []);
  const { nodes, edges } = model.draw(state());
  expect(nodes.map(({ key }) => key)).toEqual(["n0", "n1", "n2", "n3", "r0"]);
  expect(nodes[4]?.lines).toEqual(["the same 4 nodes 2 more times", "layers.1.mlp to layers.2.mlp"]);
  expect(edges.at(-1)).toMatchObject({ from: "n3", to: "r0" });
  expect(model.repeatAround(3)).toBeUndefined();
  expect(model.repeatAround(4)).toBe(0);
  const unfolded = model.draw(state({ unfolded: new Set([0]) }));
  expect(unfolded.nodes).toHaveLength(13);
  expect(unfolded.edges).toHaveLength(11);
});

test("of more than can be laid out a part is drawn, around the focus", () => {
  const model = modelOf(row, []);
  const part = model.draw(state({ unfolded: new Set([0]), focus: 8 }), 4);
  expect(part.total).toBe(13);
  expect(part.nodes.map(({ key }) => key)).toEqual(["n6", "n7", "n8", "n9"]);
  expect(part.edges).toHaveLength(3);
  expect(model.draw(state({ unfolded: new Set([0]) }), 4).nodes[0]?.key).toBe("n0");
  expect(model.draw(state({ unfolded: new Set([0]), focus: 11 }), 4).nodes.at(-1)?.key).toBe("n11");
  // The groups around a part are drawn with it.
  const grouped = modelOf(small, titles).draw(state({ open: new Set([2]), focus: 4 }), 1);
  expect(grouped.nodes.map(({ key }) => key)).toEqual(["n2", "n4"]);
});

test("a group that would contain itself, or is not there, ends no loop", () => {
  const nodes = [node(0, "operator", [1], { group: 1 }), node(1, "delegate_call", [1], { group: 0 }), node(2, "operator", [2], { group: 77 })];
  const model = modelOf({ ...small, nodes, edges: [edge(0, 1, 1), edge(5, 2, 9)] }, []);
  expect(model.draw(state({ open: new Set([0, 1, 77]), showsConstants: true })).nodes.length).toBeLessThanOrEqual(3);
});

test("the nodes of a line are found in the text of now", () => {
  const result: GraphResult = { generation: 1, why: "", headline: "", methods: [], graph: small, titles, places: [place] };
  expect(nodesOfLine(result, "file:///work/m x.py", 8)).toEqual([4, 5]);
  expect(nodesOfLine(result, "file:///work/m%20x.py", 6)).toEqual([]);
  expect(nodesOfLine(result, "file:///work/other.py", 8)).toEqual([]);
});
