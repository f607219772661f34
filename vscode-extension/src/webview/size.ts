// SPDX-License-Identifier: Apache-2.0
// The page of the size map: a squarified treemap of the file's bytes that keys and pointers can walk.
import { hierarchy, type HierarchyRectangularNode, treemap, treemapSquarify } from "d3-hierarchy";
import type { MapData, MapNode } from "./data";
import { element, make, setLegend, setNotes, setTitle } from "./page";

type Rect = HierarchyRectangularNode<MapNode>;

interface Box {
  rect: Rect;
  element: HTMLElement;
}

const header = 17; // pixels above what a group holds
const roomy = { width: 70, height: 48 }; // pixels: smaller groups are one box, until they are widened
const least = 3; // pixels: smaller boxes are left out
const readable = { width: 34, height: 14 };

const vscode = acquireVsCodeApi<{ focus?: string; zoom?: string }>();
const map = element("map");
const detail = element("detail");
let data: MapData | undefined;
let boxes: Box[] = [];
let focused: string | undefined = vscode.getState()?.focus;
let zoomed: string | undefined = vscode.getState()?.zoom;

function find(root: MapNode, key: string): MapNode | undefined {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.key === key) return node;
    open.push(...node.children);
  }
  return undefined;
}

function layOut(root: MapNode): Rect[] {
  const top = hierarchy(root, (node) => node.children);
  top.sum(({ children, bytes }) => (children.length > 0 ? 0 : bytes));
  const placed = treemap<MapNode>()
    .tile(treemapSquarify)
    .size([map.clientWidth, map.clientHeight])
    .paddingOuter(2)
    .paddingTop(header)
    .paddingInner(1)
    .round(true)(top);
  const drawn: Rect[] = [];
  const open = [placed];
  for (let rect = open.shift(); rect !== undefined; rect = open.shift()) {
    if (rect.x1 - rect.x0 < least || rect.y1 - rect.y0 < least) continue;
    drawn.push(rect);
    if (isGroup(rect)) open.push(...(rect.children ?? []));
  }
  return drawn;
}

function isGroup({ depth, children, x0, x1, y0, y1 }: Rect): boolean {
  const hasRoom = x1 - x0 >= roomy.width && y1 - y0 >= roomy.height;
  return children !== undefined && children.length > 0 && (depth === 0 || hasRoom);
}

function draw(): void {
  if (data?.root === undefined || map.clientWidth === 0) return;
  const root = zoomed === undefined ? data.root : (find(data.root, zoomed) ?? data.root);
  if (root === data.root) zoomed = undefined;
  boxes = layOut(root).map((rect) => ({ rect, element: box(rect) }));
  map.replaceChildren(...boxes.map((row) => row.element));
  const start = boxes.find(({ rect }) => rect.data.key === focused) ?? boxes[0];
  if (start !== undefined) start.element.tabIndex = 0;
}

function box(rect: Rect): HTMLElement {
  const { data: node, x0, x1, y0, y1, depth } = rect;
  const hasMore = node.children.length > 0;
  const shape = isGroup(rect) ? " group" : hasMore ? " folded" : "";
  const made = make("div", `box tone${node.tone} level-${node.level}${shape}`);
  made.setAttribute("role", "treeitem");
  made.setAttribute("aria-level", String(depth + 1));
  made.setAttribute("aria-label", node.words);
  made.setAttribute("aria-selected", String(node.key === focused));
  if (hasMore) made.setAttribute("aria-expanded", String(isGroup(rect)));
  made.tabIndex = -1;
  made.title = node.words;
  // Styles by the object model are not inline styles to the content security policy.
  made.style.left = `${x0}px`;
  made.style.top = `${y0}px`;
  made.style.width = `${x1 - x0}px`;
  made.style.height = `${y1 - y0}px`;
  if (x1 - x0 >= readable.width && y1 - y0 >= readable.height) made.textContent = `${node.label} ${node.size}`;
  else made.style.padding = "0";
  made.addEventListener("focus", () => (detail.textContent = node.words));
  made.addEventListener("mouseenter", () => (detail.textContent = node.words));
  made.addEventListener("click", () => {
    focus(rect);
    // A group stands for many lines: it opens as a picture, a part at its line.
    if (hasMore) zoom(node.key === zoomed ? undefined : node.key);
    else open(node);
  });
  return made;
}

function remember(): void {
  vscode.setState({ ...(focused !== undefined && { focus: focused }), ...(zoomed !== undefined && { zoom: zoomed }) });
}

function focus(rect: Rect | undefined): void {
  if (rect === undefined) return;
  focused = rect.data.key;
  for (const row of boxes) {
    const isFocused = row.rect === rect;
    row.element.tabIndex = isFocused ? 0 : -1;
    row.element.setAttribute("aria-selected", String(isFocused));
    if (isFocused) row.element.focus();
  }
  remember();
}

function zoom(key: string | undefined): void {
  zoomed = key;
  draw();
  focus((boxes.find(({ rect }) => rect.data.key === focused) ?? boxes[0])?.rect);
}

function open({ place }: MapNode): void {
  if (place !== undefined) vscode.postMessage({ open: place });
}

// The box before or behind it in the same group; those that are too small to be seen have none.
function sibling(rect: Rect, step: number): Rect | undefined {
  const row = boxes.map((drawn) => drawn.rect).filter((other) => other.parent === rect.parent);
  return row[row.indexOf(rect) + step];
}

const keys: Record<string, (rect: Rect) => void> = {
  ArrowUp: ({ parent }) => focus(parent ?? undefined),
  ArrowDown: (rect) => focus(boxes.find((row) => row.rect.parent === rect)?.rect),
  ArrowLeft: (rect) => focus(sibling(rect, -1)),
  ArrowRight: (rect) => focus(sibling(rect, 1)),
  Home: () => focus(boxes[0]?.rect),
  Enter: ({ data: node }) => open(node),
  " ": ({ data: node }) => zoom(node.children.length > 0 ? node.key : zoomed),
  Escape: () => zoom(undefined),
};

map.addEventListener("keydown", (event) => {
  const rect = boxes.find((row) => row.element === event.target)?.rect;
  const action = keys[event.key];
  if (action === undefined || rect === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action(rect);
});

window.addEventListener("message", (event: MessageEvent<MapData>) => {
  data = event.data;
  setTitle(data.title, data.why);
  detail.textContent = "";
  if (data.why !== "") return;
  setLegend(data.kinds);
  setNotes(data.notes);
  draw();
});

new ResizeObserver(draw).observe(map);
vscode.postMessage({ ready: true });
