// SPDX-License-Identifier: Apache-2.0
// The page of the flame graph: frames as a tree that keys and pointers can walk.
import type { FlameData, FlameNode } from "./data";

interface Frame {
  node: FlameNode;
  parent: Frame | undefined;
  children: Frame[];
  depth: number;
  left: number; // fractions of the whole width
  width: number;
  element: HTMLElement;
}

const rowHeight = 24;
const smallest = 0.001; // of the width: narrower frames are left out
const readable = 40; // pixels: narrower frames show no text

const vscode = acquireVsCodeApi<{ focus?: string; zoom?: string }>();
const graph = element("graph");
element("save").addEventListener("click", () => {
  vscode.postMessage({ save: true });
});
const detail = element("detail");
let frames: Frame[] = [];
let roots: FlameNode[] = [];
let focused: Frame | undefined;
let zoomed: string | undefined = vscode.getState()?.zoom;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found;
}

function words({ node }: Frame): string {
  const name = node.path === "" ? node.name : node.path;
  return `${name}: ${node.time} inclusive, ${node.shareText}, ${node.self} self${node.hasSource ? "" : ", no source line"}`;
}

function find(nodes: FlameNode[], path: string): FlameNode | undefined {
  for (const node of nodes) {
    const found = node.path === path ? node : find(node.children, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

// The way from a root to the zoomed frame is as wide as the graph; everything else is in proportion.
function isAbove(node: FlameNode, path: string): boolean {
  return node.path === "" || path === node.path || path.startsWith(`${node.path}.`);
}

function place(node: FlameNode, parent: Frame | undefined, depth: number, left: number, width: number): void {
  if (width < smallest) return;
  const frame: Frame = { node, parent, children: [], depth, left, width, element: document.createElement("div") };
  frames.push(frame);
  parent?.children.push(frame);
  const isWide = zoomed !== undefined && zoomed !== node.path && isAbove(node, zoomed);
  let x = left;
  for (const child of node.children) {
    if (isWide) {
      if (zoomed !== undefined && isAbove(child, zoomed)) place(child, frame, depth + 1, left, width);
      continue;
    }
    place(child, frame, depth + 1, x, width * child.ownShare);
    x += width * child.ownShare;
  }
}

function draw(frame: Frame): void {
  const box = frame.element;
  box.className = `frame heat${frame.node.heat}`;
  box.setAttribute("role", "treeitem");
  box.setAttribute("aria-level", String(frame.depth + 1));
  box.setAttribute("aria-label", words(frame));
  if (frame.children.length > 0) box.setAttribute("aria-expanded", "true");
  box.tabIndex = -1;
  box.title = words(frame);
  // Styles by the object model are not inline styles to the content security policy.
  box.style.left = `${frame.left * 100}%`;
  box.style.width = `${frame.width * 100}%`;
  box.style.top = `${frame.depth * rowHeight}px`;
  box.style.height = `${rowHeight - 1}px`;
  box.addEventListener("click", () => {
    focus(frame);
    open(frame);
  });
  box.addEventListener("focus", () => {
    detail.textContent = words(frame);
  });
  box.addEventListener("mouseenter", () => {
    detail.textContent = words(frame);
  });
}

function label(frame: Frame): void {
  const isReadable = frame.width * graph.clientWidth >= readable;
  frame.element.textContent = isReadable ? `${frame.node.name} ${frame.node.time} ${frame.node.shareText}` : "";
}

function show(): void {
  frames = [];
  const target = zoomed === undefined ? undefined : find(roots, zoomed);
  if (target === undefined) zoomed = undefined;
  // Roots lie side by side, as wide as their share of their sum.
  const sum = roots.reduce((total, root) => total + root.share, 0);
  let x = 0;
  for (const root of roots) {
    const width = zoomed !== undefined ? (isAbove(root, zoomed) ? 1 : 0) : sum === 0 ? 0 : root.share / sum;
    place(root, undefined, 0, x, width);
    x += width;
  }
  for (const frame of frames) {
    draw(frame);
    label(frame);
  }
  graph.replaceChildren(...frames.map((frame) => frame.element));
  graph.style.height = `${(Math.max(0, ...frames.map((frame) => frame.depth)) + 1) * rowHeight}px`;
  const remembered = vscode.getState()?.focus;
  const start = frames.find((frame) => frame.node.path === remembered) ?? frames[0];
  if (start !== undefined) {
    focused = start;
    start.element.tabIndex = 0;
  }
}

function focus(frame: Frame | undefined): void {
  if (frame === undefined) return;
  if (focused !== undefined) focused.element.tabIndex = -1;
  focused = frame;
  frame.element.tabIndex = 0;
  frame.element.focus();
  remember();
}

function remember(): void {
  vscode.setState({ ...(focused && { focus: focused.node.path }), ...(zoomed !== undefined && { zoom: zoomed }) });
}

function open(frame: Frame): void {
  if (frame.node.hasSource) vscode.postMessage({ open: frame.node.path });
}

function zoom(path: string | undefined): void {
  zoomed = path;
  const at = focused?.node.path;
  show();
  focus(frames.find((frame) => frame.node.path === at) ?? frames[0]);
}

function sibling(frame: Frame, step: number): Frame | undefined {
  const row = frames.filter((other) => other.depth === frame.depth).sort((a, b) => a.left - b.left);
  return row[row.indexOf(frame) + step];
}

const keys: Record<string, (frame: Frame) => void> = {
  ArrowUp: (frame) => focus(frame.parent),
  ArrowDown: (frame) => focus(frame.children[0]),
  ArrowLeft: (frame) => focus(sibling(frame, -1)),
  ArrowRight: (frame) => focus(sibling(frame, 1)),
  Home: () => focus(frames[0]),
  Enter: open,
  " ": (frame) => zoom(frame.node.path),
  Escape: () => zoom(undefined),
};

graph.addEventListener("keydown", (event) => {
  const action = keys[event.key];
  if (action === undefined || focused === undefined) return;
  event.preventDefault();
  action(focused);
});

window.addEventListener("message", (event: MessageEvent<FlameData>) => {
  const data = event.data;
  element("title").textContent = data.why === "" ? data.title : data.why;
  element("help").hidden = data.why !== "";
  detail.textContent = "";
  roots = data.roots;
  show();
  if (data.focus !== undefined) focus(frames.find((frame) => frame.node.path === data.focus));
});

new ResizeObserver(() => frames.forEach(label)).observe(graph);
vscode.postMessage({ ready: true });
