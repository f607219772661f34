// SPDX-License-Identifier: Apache-2.0
// Where the boxes and edges of a drawing are: by ELK in a worker, so that the page stays responsive.
import ELK, { type ELK as Layouter, type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk-api.js";
import workerText from "elkjs/lib/elk-worker.min.js";
import type { DrawnNode, Drawing } from "./graphModel";

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout extends Size {
  boxes: Map<string, Size & Point>; // by key
  lines: { from: string; to: string; points: Point[] }[];
}

const longestMs = 10_000;
const options = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.thoroughness": "1",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.spacing.nodeNode": "18",
  "elk.padding": "[top=8,left=8,bottom=8,right=8]",
};

let layouter: Layouter | undefined;
let isBusy = false;

function start(): Layouter {
  const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
  return new ELK({ workerFactory: () => new Worker(url) });
}

// Of groups the size is that of their title.
function elkNode({ key, isOpen, repeat }: DrawnNode, { width, height }: Size): ElkNode {
  if (isOpen !== true || repeat !== undefined) return { id: key, width, height };
  return {
    id: key,
    children: [],
    layoutOptions: {
      "elk.padding": `[top=${height + 6},left=10,bottom=10,right=10]`,
      "elk.nodeSize.constraints": "MINIMUM_SIZE",
      "elk.nodeSize.minimum": `(${width},0)`,
    },
  };
}

function elkGraph({ nodes, edges }: Drawing, sizes: ReadonlyMap<string, Size>): ElkNode {
  const root = { id: "root", layoutOptions: options, children: [] as ElkNode[], edges: [] as ElkExtendedEdge[] };
  const known = new Map<string, ElkNode>();
  for (const drawn of nodes) {
    const made = elkNode(drawn, sizes.get(drawn.key) ?? { width: 10, height: 10 });
    known.set(drawn.key, made);
    const parent = drawn.parent === undefined ? undefined : known.get(drawn.parent)?.children;
    (parent ?? root.children).push(made);
  }
  edges.forEach(({ from, to }, e) => root.edges.push({ id: `e${e}`, sources: [from], targets: [to] }));
  return root;
}

function layoutOf(placed: ElkNode, { edges }: Drawing): Layout {
  const boxes = new Map<string, Size & Point>();
  const open = [...(placed.children ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { id, x = 0, y = 0, width = 0, height = 0, children } = node;
    boxes.set(id, { x, y, width, height });
    open.push(...(children ?? []));
  }
  const lines = edges.map(({ from, to }, e) => {
    const section = placed.edges?.[e]?.sections?.[0];
    return { from, to, points: section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] };
  });
  return { width: placed.width ?? 0, height: placed.height ?? 0, boxes, lines };
}

function stop(): void {
  layouter?.terminateWorker();
  layouter = undefined;
  isBusy = false;
}

// Undefined if it takes too long. One that is still running is given up, and never answered.
export async function layOut(drawing: Drawing, sizes: ReadonlyMap<string, Size>): Promise<Layout | undefined> {
  if (isBusy) stop();
  const own = (layouter ??= start());
  isBusy = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      if (layouter === own) stop();
      resolve(undefined);
    }, longestMs);
  });
  const placed = await Promise.race([own.layout(elkGraph(drawing, sizes)).catch(() => undefined), tooLong]);
  clearTimeout(timer);
  if (layouter === own) isBusy = false;
  return placed === undefined ? undefined : layoutOf(placed, drawing);
}
