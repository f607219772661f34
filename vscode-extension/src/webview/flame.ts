// SPDX-License-Identifier: Apache-2.0
// The page of the flame graph: frames as a tree that keys and pointers can walk, search and widen.
import type { FlameData, FlameFrame, FlameRequest } from "./data";
import { drawExecutions } from "./executionBars";
import { element, input, make, select, setTitle } from "./page";

interface Frame {
  node: FlameFrame;
  key: string; // the same in the next profile
  parent: Frame | undefined;
  children: Frame[];
  depth: number;
}

interface Box {
  frame: Frame;
  left: number; // pixels
  width: number;
  element: HTMLElement;
}

const rowHeight = 24;
const least = 1.5; // pixels: narrower frames are left out
const readable = 40; // pixels: narrower frames show no text
const settled = 150; // milliseconds without a key

const vscode = acquireVsCodeApi<{ focus?: string; zoom?: string }>();
const post = (message: FlameRequest) => vscode.postMessage(message);
const graph = element("graph");
const detail = element("detail");
const search = input("search");
let frames: Frame[] = [];
let boxes: Box[] = [];
let focused: string | undefined = vscode.getState()?.focus;
let zoomed: string | undefined = vscode.getState()?.zoom;
let searched = "";
let isAwaited = false; // the focused frame shall have the keyboard as soon as it is drawn

function treeOf(nodes: readonly FlameFrame[]): Frame[] {
  const made: Frame[] = [];
  for (const node of nodes) {
    const parent = node.parent === undefined ? undefined : made[node.parent];
    const frame: Frame = { node, key: `${parent?.key ?? ""}\n${node.kind} ${node.name}`, parent, children: [], depth: (parent?.depth ?? -1) + 1 };
    parent?.children.push(frame);
    made.push(frame);
  }
  return made;
}

function isAbove(frame: Frame, target: Frame): boolean {
  for (let at: Frame | undefined = target.parent; at !== undefined; at = at.parent) if (at === frame) return true;
  return false;
}

// The widened frame is as wide as the graph, and so is the way to it; what lies beside it is out of sight.
function layOut(): void {
  // Frames that are drawn anew do not lose the keyboard.
  isAwaited ||= graph.contains(document.activeElement);
  const target = frames.find(({ key }) => key === zoomed);
  if (target === undefined) zoomed = undefined;
  const from = target?.node.left ?? 0;
  const scale = graph.clientWidth / (target?.node.width ?? 1);
  boxes = [];
  for (const frame of frames) {
    const isWay = target !== undefined && isAbove(frame, target);
    const left = isWay ? 0 : (frame.node.left - from) * scale;
    const width = isWay ? graph.clientWidth : frame.node.width * scale;
    if (width < least || left < -0.5 || left + width > graph.clientWidth + 0.5) continue;
    boxes.push({ frame, left, width, element: document.createElement("div") });
  }
  for (const box of boxes) draw(box);
  graph.replaceChildren(...boxes.map((box) => box.element));
  graph.style.height = `${(Math.max(0, ...boxes.map(({ frame }) => frame.depth)) + 1) * rowHeight}px`;
  const start = boxOf(focused) ?? boxes[0];
  if (start === undefined) return;
  start.element.tabIndex = 0;
  if (isAwaited) start.element.focus();
  isAwaited = false;
}

function draw({ frame, left, width, element: box }: Box): void {
  const { node } = frame;
  const isMatch = searched !== "" && node.found > 0;
  box.className = `frame ${node.kind} heat${node.heat}${searched === "" ? "" : isMatch ? " match" : " other"}`;
  box.setAttribute("role", "treeitem");
  box.setAttribute("aria-level", String(frame.depth + 1));
  box.setAttribute("aria-label", `${node.name} ${node.time}${node.place === undefined ? ", no source line" : ""}${isMatch ? ", found" : ""}`);
  box.setAttribute("aria-selected", String(frame.key === focused));
  if (frame.children.length > 0) box.setAttribute("aria-expanded", "true");
  box.tabIndex = -1;
  box.title = node.words;
  // Styles by the object model are not inline styles to the content security policy.
  box.style.left = `${left}px`;
  box.style.width = `${width}px`;
  box.style.top = `${frame.depth * rowHeight}px`;
  box.style.height = `${rowHeight - 1}px`;
  // In a narrow frame the mark would be all there is, and little would look like much.
  box.style.setProperty("--room", `${width / 4}px`);
  if (width >= readable) box.textContent = `${node.name} ${node.time}`;
}

const boxOf = (key: string | undefined) => boxes.find(({ frame }) => frame.key === key);
const boxAt = (event: Event) => boxes.find((box) => box.element === (event.target as Element).closest(".frame"));

function focus(box: Box | undefined): void {
  if (box === undefined) return;
  for (const old of boxes.filter(({ frame, element: at }) => frame.key === focused || at.tabIndex === 0)) {
    old.element.tabIndex = -1;
    old.element.setAttribute("aria-selected", "false");
  }
  focused = box.frame.key;
  box.element.tabIndex = 0;
  box.element.setAttribute("aria-selected", "true");
  box.element.focus();
  remember();
}

function remember(): void {
  vscode.setState({ ...(focused !== undefined && { focus: focused }), ...(zoomed !== undefined && { zoom: zoomed }) });
}

function open({ frame }: Box): void {
  if (frame.node.place !== undefined) post({ open: frame.node.place });
}

function zoom(key: string | undefined): void {
  zoomed = key;
  layOut();
  focus(boxOf(focused) ?? boxes[0]);
}

function sibling(box: Box, step: number): Box | undefined {
  const row = boxes.filter(({ frame }) => frame.depth === box.frame.depth).sort((a, b) => a.left - b.left);
  return row[row.indexOf(box) + step];
}

// The frames that the search finds whole, without what lies in them.
function nextMatch(step: number): void {
  const isFound = ({ frame }: Box) => frame.node.found >= 1 && (frame.parent === undefined || frame.parent.node.found < 1);
  const matches = boxes.filter(isFound);
  const at = matches.findIndex(({ frame }) => frame.key === focused);
  focus(matches[(at + step + matches.length) % matches.length]);
}

const keys: Record<string, (box: Box) => void> = {
  ArrowUp: ({ frame }) => focus(boxOf(frame.parent?.key)),
  ArrowDown: ({ frame }) => focus(boxes.find((box) => box.frame.parent === frame)),
  ArrowLeft: (box) => focus(sibling(box, -1)),
  ArrowRight: (box) => focus(sibling(box, 1)),
  Home: () => focus(boxes[0]),
  Enter: open,
  " ": ({ frame }) => zoom(frame.key),
  Escape: () => zoom(undefined),
  n: () => nextMatch(1),
  N: () => nextMatch(-1),
};

graph.addEventListener("keydown", (event) => {
  const action = keys[event.key];
  const box = boxAt(event);
  if (action === undefined || box === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action(box);
});
graph.addEventListener("click", (event) => {
  const box = boxAt(event);
  if (box === undefined) return;
  focus(box);
  open(box);
});
graph.addEventListener("dblclick", (event) => zoom(boxAt(event)?.frame.key));
for (const kind of ["focusin", "mouseover"]) {
  graph.addEventListener(kind, (event) => {
    const words = boxAt(event)?.frame.node.words;
    if (words !== undefined) detail.textContent = words;
  });
}

let waiting: ReturnType<typeof setTimeout> | undefined;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => post({ filter: search.value }), settled);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
  if (event.key !== "Escape" || search.value === "") return;
  search.value = "";
  post({ filter: "" });
});
select("order").addEventListener("change", () => post({ order: select("order").value as FlameData["order"] }));
input("fold").addEventListener("change", () => post({ fold: input("fold").checked }));
element("save").addEventListener("click", () => post({ save: true }));
element("all").addEventListener("click", () => post({ executions: null }));

const legend: readonly (readonly [string, string])[] = [
  ["module heat0", "module"],
  ["line heat1", "line or operation, little"],
  ["line heat4", "much of the whole"],
  ["part heat0", "on no line"],
  ["disturbance heat0", "noise"],
];

function setLegend(): void {
  const there = new Set(frames.map(({ node }) => node.kind));
  const shown = legend.filter(([kind]) => there.has(kind.split(" ")[0] as FlameFrame["kind"]));
  element("legend").replaceChildren(
    ...shown.map(([kind, name]) => {
      const item = make("li", "", name);
      item.prepend(make("span", `frame sample ${kind}`));
      return item;
    }),
  );
}

window.addEventListener("message", ({ data }: MessageEvent<FlameData>) => {
  setTitle(data.title, data.why);
  detail.textContent = "";
  if (data.why !== "") return;
  select("order").value = data.order;
  input("fold").checked = data.fold;
  // Who writes is further than what was sent.
  if (document.activeElement !== search) search.value = data.filter;
  element("found").textContent = data.found;
  searched = data.filter;
  frames = treeOf(data.frames);
  element("runs").hidden = data.executions.length === 0;
  drawExecutions(element("executions"), data.executions, (executions) => post({ executions }));
  element("all").hidden = data.executions.every(({ isUsed }) => isUsed);
  const wanted = data.focus === undefined ? undefined : frames.find(({ node }) => node.module === data.focus);
  if (wanted !== undefined) {
    focused = wanted.key;
    isAwaited = true;
    remember();
  }
  layOut();
  setLegend();
});

new ResizeObserver(layOut).observe(graph);
vscode.postMessage({ ready: true });
