// SPDX-License-Identifier: Apache-2.0
// The page of the program graph: boxes that keys, a search and pointers can walk.
import type { GraphBox, GraphData, GraphPageRequest } from "./data";
import { layOut, type Layout, type Size } from "./graphLayout";
import { type DrawnNode, type Drawing, GraphModel, mostNodes } from "./graphModel";
import { element, input, make, select, setLegend, setNotes, setTitle } from "./page";

interface Saved {
  key: string; // of the data that the rest is about
  open: number[];
  unfolded: number[];
  constants: boolean;
  focus?: string;
  zoom: number;
}

const tones: Record<string, number> = { input: 1, output: 1, kernel: 2, delegate_call: 3, operator: 3, control_flow: 4, constant: 5, state: 5 };
const legend = [
  { name: "operator on the CPU", tone: 2, kinds: ["kernel"] },
  { name: "delegate call", tone: 3, kinds: ["delegate_call"] },
  { name: "control flow", tone: 4, kinds: ["control_flow"] },
  { name: "input, output", tone: 1, kinds: ["input", "output"] },
  { name: "constant, state", tone: 5, kinds: ["constant", "state"] },
];
const lineHeight = 15;
const widest = 330;
const fewestNodes = 30;

const vscode = acquireVsCodeApi<Saved>();
const scroll = element("scroll");
const canvas = element("canvas");
const graph = element("graph");
const detail = element("detail");
const limit = element("limit");
const search = input("search");
const links = document.getElementById("links");
const letters = document.createElement("canvas").getContext("2d");

let model: GraphModel | undefined;
let state: Saved = vscode.getState() ?? fresh("");
let drawing: Drawing | undefined;
let boxes = new Map<string, HTMLElement>();
let turn = 0;
let matches: number[] = [];
let match = -1;

function fresh(key: string): Saved {
  return { key, open: [], unfolded: [], constants: false, zoom: 1 };
}

const idOf = (key: string | undefined) => (key?.startsWith("n") === true ? Number(key.slice(1)) : undefined);
const send = (message: GraphPageRequest) => vscode.postMessage(message);
const save = () => void vscode.setState(state);

function shownState() {
  return { open: new Set(state.open), unfolded: new Set(state.unfolded), showsConstants: state.constants, focus: idOf(state.focus) };
}

function titleOf({ node, isOpen, repeat, lines }: DrawnNode): string {
  const sign = isOpen === undefined ? "" : isOpen ? "▾ " : "▸ ";
  return sign + (repeat === undefined ? (node?.title ?? "") : (lines[0] ?? ""));
}

function linesOf(drawn: DrawnNode): string[] {
  if (drawn.repeat !== undefined) return drawn.lines.slice(1);
  return drawn.isOpen === true ? [] : drawn.lines;
}

function sizeOf(drawn: DrawnNode): Size {
  const lines = [titleOf(drawn), ...linesOf(drawn)];
  const widths = lines.map((line) => letters?.measureText(line).width ?? line.length * 7);
  return { width: Math.min(widest, Math.ceil(Math.max(...widths) * 1.06) + 16), height: lines.length * lineHeight + 8 };
}

// Lays out what the state shows. `then`: what to do with the box that has the focus.
async function draw(then: "show" | "focus" | "nothing" = "nothing"): Promise<void> {
  if (model === undefined) return;
  const own = ++turn;
  graph.setAttribute("aria-busy", "true");
  // Where there are so many edges that a layout takes too long, less is shown.
  for (let most = mostNodes; most >= fewestNodes; most = Math.floor(most / 2)) {
    const next = model.draw(shownState(), most);
    limit.textContent = `Laying out ${next.nodes.length} nodes…`;
    const layout = await layOut(next, new Map(next.nodes.map((drawn) => [drawn.key, sizeOf(drawn)])));
    if (own !== turn) return;
    if (layout === undefined) continue;
    limit.textContent = limitWords(next);
    const isFirst = drawing === undefined;
    drawing = next;
    show(next, layout);
    const start = boxes.get(state.focus ?? "") ?? boxes.values().next().value;
    if (then !== "nothing") reveal(then);
    else if (isFirst && start !== undefined) bringIntoSight(start);
    break;
  }
  graph.setAttribute("aria-busy", "false");
  if (limit.textContent.endsWith("…")) limit.textContent = "There was no layout in time. Close groups to make the picture smaller.";
}

function limitWords({ nodes, total, first }: Drawing): string {
  if (total <= nodes.length) return "";
  return `The picture shows ${nodes.length} of ${total} nodes, from number ${first + 1} on, in the order in which they run. A search moves it to another part, and closed groups make room.`;
}

function show(next: Drawing, layout: Layout): void {
  boxes = new Map(next.nodes.map((drawn) => [drawn.key, box(drawn, layout)]));
  graph.replaceChildren(...boxes.values());
  canvas.style.width = `${layout.width}px`;
  canvas.style.height = `${layout.height}px`;
  links?.setAttribute("width", String(layout.width));
  links?.setAttribute("height", String(layout.height));
  links?.replaceChildren(...layout.lines.flatMap(arrow));
  zoomTo(state.zoom);
  const start = boxes.get(state.focus ?? "") ?? boxes.values().next().value;
  if (start !== undefined) start.tabIndex = 0;
  mark();
}

function box(drawn: DrawnNode, layout: Layout): HTMLElement {
  const { key, node, level, isOpen, repeat } = drawn;
  const { x = 0, y = 0, width = 0, height = 0 } = layout.boxes.get(key) ?? {};
  const made = make("div", `box tone${tones[node?.kind ?? ""] ?? 0}${isOpen === undefined ? "" : repeat !== undefined ? " repeat" : isOpen ? " group" : " folded"}`);
  made.setAttribute("role", "treeitem");
  made.setAttribute("aria-level", String(level));
  // What the box shows comes first.
  made.setAttribute("aria-label", [...(node === undefined ? [] : [node.title]), ...drawn.lines, ...(node?.more ?? [])].join(", "));
  if (isOpen !== undefined) made.setAttribute("aria-expanded", String(isOpen));
  made.dataset["key"] = key;
  made.tabIndex = -1;
  made.title = made.getAttribute("aria-label") ?? "";
  // Styles by the object model are not inline styles to the content security policy.
  made.style.left = `${x}px`;
  made.style.top = `${y}px`;
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  // A blank between them: what is read aloud are words, not boxes.
  made.append(make("span", "name", titleOf(drawn)), ...linesOf(drawn).flatMap((line) => [" ", make("span", "fact", line)]));
  return made;
}

const svgNames = "http://www.w3.org/2000/svg";

function arrow({ from, to, points }: Layout["lines"][number]): SVGElement[] {
  const [before, end] = points.slice(-2);
  if (before === undefined || end === undefined) return [];
  const line = document.createElementNS(svgNames, "path");
  line.setAttribute("d", points.map(({ x, y }, p) => `${p === 0 ? "M" : "L"}${x} ${y}`).join(""));
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [((end.x - before.x) / length) * 6, ((end.y - before.y) / length) * 6];
  const head = document.createElementNS(svgNames, "path");
  head.setAttribute("d", `M${end.x} ${end.y}L${end.x - dx - dy / 2} ${end.y - dy + dx / 2}L${end.x - dx + dy / 2} ${end.y - dy - dx / 2}Z`);
  head.classList.add("head");
  for (const part of [line, head]) {
    part.dataset["from"] = from;
    part.dataset["to"] = to;
  }
  return [line, head];
}

// The focus, what it is tied to, and what the search finds.
function mark(): void {
  const shown = shownState();
  const found = new Set(matches.map((id) => model?.shownAs(id, shown)));
  for (const [key, row] of boxes) {
    row.setAttribute("aria-selected", String(key === state.focus));
    row.classList.toggle("found", found.has(key));
  }
  for (const line of links?.children ?? []) {
    const { from, to } = (line as SVGElement).dataset;
    line.classList.toggle("near", state.focus !== undefined && (from === state.focus || to === state.focus));
  }
  const focused = drawing?.nodes.find(({ key }) => key === state.focus);
  detail.textContent = focused === undefined ? "" : (boxes.get(focused.key)?.getAttribute("aria-label") ?? "");
}

function setFocus(key: string | undefined, then: "show" | "focus"): void {
  if (key === undefined) return;
  state.focus = key;
  save();
  reveal(then);
}

function reveal(then: "show" | "focus"): void {
  const row = boxes.get(state.focus ?? "");
  if (row === undefined) return;
  for (const other of boxes.values()) other.tabIndex = other === row ? 0 : -1;
  if (then === "focus") row.focus({ preventScroll: true });
  bringIntoSight(row);
  mark();
}

// The picture alone moves, not the page around it.
function bringIntoSight(row: HTMLElement): void {
  const [inner, outer] = [row.getBoundingClientRect(), scroll.getBoundingClientRect()];
  scroll.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  scroll.scrollTop += inner.top - outer.top - Math.max(0, (outer.height - inner.height) / 2);
}

function toggle(drawn: DrawnNode): void {
  const flip = (list: number[], id: number) => (list.includes(id) ? list.filter((other) => other !== id) : [...list, id]);
  if (drawn.repeat !== undefined) state.unfolded = flip(state.unfolded, drawn.repeat);
  else if (drawn.node !== undefined && drawn.isOpen !== undefined) state.open = flip(state.open, drawn.node.id);
  else return;
  state.focus = drawn.key;
  save();
  void draw("focus");
}

function openSource(drawn: DrawnNode): void {
  if (drawn.node?.place !== undefined) send({ open: drawn.node.place });
}

// With the groups around it open, so that it is drawn.
function goTo(id: number, then: "show" | "focus"): void {
  if (model === undefined) return;
  const repeat = model.repeatAround(id);
  const open = [...new Set([...state.open, ...model.groupsAround(id)])];
  const unfolded = repeat === undefined ? state.unfolded : [...new Set([...state.unfolded, repeat])];
  const isDrawn = boxes.has(`n${id}`) && open.length === state.open.length && unfolded.length === state.unfolded.length;
  const constants = state.constants || model.node(id)?.kind === "constant";
  state = { ...state, open, unfolded, constants, focus: `n${id}` };
  input("constants").checked = constants;
  save();
  if (isDrawn) reveal(then);
  else void draw(then);
}

const wordsOf = ({ title, lines, more }: GraphBox) => [title, ...lines, ...more].join(", ").toLowerCase();

function find(text: string): void {
  const wanted = text.trim().toLowerCase();
  const all = wanted === "" || model === undefined ? [] : model.data.nodes.filter((node) => wordsOf(node).includes(wanted)).map(({ id }) => id);
  // What repeats comes last: its first run has the same.
  matches = [...all.filter((id) => model?.repeatAround(id) === undefined), ...all.filter((id) => model?.repeatAround(id) !== undefined)];
  match = -1;
  element("found").textContent = wanted === "" ? "" : matches.length === 0 ? "nothing found" : `${matches.length} found`;
  mark();
}

function nextMatch(step: number): void {
  if (matches.length === 0) return;
  match = match < 0 ? (step > 0 ? 0 : matches.length - 1) : (match + step + matches.length) % matches.length;
  element("found").textContent = `${match + 1} of ${matches.length}`;
  const id = matches[match];
  if (id !== undefined) goTo(id, "show");
}

function zoomTo(zoom: number): void {
  state.zoom = Math.min(Math.max(zoom, 0.1), 3);
  canvas.style.zoom = String(state.zoom);
  save();
}

function showAll(): void {
  const [width, height] = [parseFloat(canvas.style.width), parseFloat(canvas.style.height)];
  zoomTo(Math.min(1, scroll.clientWidth / (width + 4), scroll.clientHeight / (height + 4)));
}

function beside({ key }: DrawnNode, step: number): string | undefined {
  const nodes = drawing?.nodes ?? [];
  return nodes[nodes.findIndex((other) => other.key === key) + step]?.key;
}

const keys: Record<string, (drawn: DrawnNode) => void> = {
  ArrowDown: ({ key }) => setFocus(drawing?.edges.find(({ from }) => from === key)?.to, "focus"),
  ArrowUp: ({ key }) => setFocus(drawing?.edges.find(({ to }) => to === key)?.from, "focus"),
  ArrowLeft: (drawn) => setFocus(beside(drawn, -1), "focus"),
  ArrowRight: (drawn) => setFocus(beside(drawn, 1), "focus"),
  Home: () => setFocus(drawing?.nodes[0]?.key, "focus"),
  End: () => setFocus(drawing?.nodes.at(-1)?.key, "focus"),
  Enter: openSource,
  " ": toggle,
  "+": () => zoomTo(state.zoom * 1.25),
  "-": () => zoomTo(state.zoom / 1.25),
};

function drawnAt(target: EventTarget | null): DrawnNode | undefined {
  const key = target instanceof Element ? target.closest<HTMLElement>(".box")?.dataset["key"] : undefined;
  return key === undefined ? undefined : drawing?.nodes.find((drawn) => drawn.key === key);
}

graph.addEventListener("keydown", (event) => {
  const drawn = drawnAt(event.target);
  const action = keys[event.key];
  if (action === undefined || drawn === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action(drawn);
});
graph.addEventListener("click", (event) => {
  const drawn = drawnAt(event.target);
  if (drawn === undefined) return;
  state.focus = drawn.key;
  save();
  mark();
  // Of an open group only its title closes it: the rest is the space between what is in it.
  const isTitle = event.target instanceof Element && event.target.closest(".name") !== null;
  if (drawn.isOpen === true && drawn.repeat === undefined && !isTitle) return;
  if (drawn.isOpen !== undefined) toggle(drawn);
  else openSource(drawn);
});
graph.addEventListener("focusin", (event) => {
  const drawn = drawnAt(event.target);
  if (drawn === undefined || drawn.key === state.focus) return;
  state.focus = drawn.key;
  save();
  mark();
});
scroll.addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(state.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
});
search.addEventListener("input", () => find(search.value));
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
});
element("next").addEventListener("click", () => nextMatch(1));
element("zoom-in").addEventListener("click", () => zoomTo(state.zoom * 1.25));
element("zoom-out").addEventListener("click", () => zoomTo(state.zoom / 1.25));
element("zoom-all").addEventListener("click", showAll);
element("close-all").addEventListener("click", () => {
  const top = state.focus === undefined ? undefined : model?.groupsAround(idOf(state.focus) ?? -1)[0];
  state = { ...state, open: [], unfolded: [], ...(top !== undefined && { focus: `n${top}` }) };
  save();
  void draw("show");
});
input("constants").addEventListener("change", () => {
  state.constants = input("constants").checked;
  save();
  void draw("show");
});
select("method").addEventListener("change", () => send({ method: select("method").value }));

function takeData(next: GraphData): void {
  setTitle(next.title, next.why);
  if (next.why !== "") return;
  model = new GraphModel(next);
  if (state.key !== next.key) state = fresh(next.key);
  input("constants").checked = state.constants;
  const kinds = new Set(next.nodes.map(({ kind }) => kind));
  setLegend(legend.filter((row) => row.kinds.some((kind) => kinds.has(kind))));
  setNotes(next.notes);
  select("method").replaceChildren(
    ...next.methods.map(({ name, current }) => {
      const option = document.createElement("option");
      option.value = option.textContent = name;
      option.selected = current;
      return option;
    }),
  );
  element("method-label").hidden = next.methods.length < 2;
  if (letters !== null) letters.font = `600 ${getComputedStyle(graph).fontSize} ${getComputedStyle(graph).fontFamily}`;
  find(search.value);
  showWanted(next.focus ?? []);
}

// The nodes of a line; those of the first run before those that repeat it.
function showWanted(wanted: readonly number[]): void {
  const first = wanted.find((id) => model?.repeatAround(id) === undefined) ?? wanted[0];
  if (first === undefined) {
    void draw(graph.contains(document.activeElement) ? "focus" : "nothing");
    return;
  }
  matches = [...wanted];
  match = wanted.indexOf(first);
  element("found").textContent = wanted.length === 1 ? "" : `${match + 1} of ${wanted.length}`;
  boxes.clear();
  goTo(first, "focus");
}

window.addEventListener("message", (event: MessageEvent<GraphData>) => takeData(event.data));
vscode.postMessage({ ready: true });
