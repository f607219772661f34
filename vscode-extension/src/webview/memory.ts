// SPDX-License-Identifier: Apache-2.0
// The page of the memory chart: tensors as boxes from their first to their last instruction, at their
// addresses; above them the bytes in use.
import type { ChartBuffer, ChartData, ChartTensor } from "./data";
import { liveCurve } from "./liveCurve";
import { bytesText, element, make, select, setLegend, setNotes, setTitle, ticks } from "./page";

// A part of the chart: instructions [left, right), addresses [low, high).
interface Window {
  left: number;
  right: number;
  low: number;
  high: number;
}

interface Box {
  tensor: ChartTensor;
  element: HTMLElement;
}

const most = 3000; // boxes at once; the page stays quick
const readable = { width: 46, height: 13 }; // pixels: smaller boxes show no text
const leastPixels = 2;

const vscode = acquireVsCodeApi<{ buffer?: number; focus?: number }>();
const chart = element("chart");
const tensors = make("div", "");
const peakLine = make("div", "");
tensors.id = "tensors";
peakLine.id = "peak-line";
tensors.setAttribute("role", "presentation");
let data: ChartData | undefined;
let buffer: ChartBuffer | undefined;
let shown: Window = { left: 0, right: 1, low: 0, high: 1 };
let boxes: Box[] = [];
let focused: number | undefined = vscode.getState()?.focus; // a value
let waiting = new Set<number>();

function whole(): Window {
  return { left: 0, right: Math.max(data?.instructions.length ?? 0, 1), low: 0, high: Math.max(buffer?.size ?? 0, 1) };
}

const spanX = () => shown.right - shown.left;
const spanY = () => shown.high - shown.low;
const isInSight = (tensor: ChartTensor) =>
  tensor.last + 1 > shown.left && tensor.first < shown.right && tensor.offset + tensor.bytes > shown.low && tensor.offset < shown.high;

// --- Drawing ---

function draw(): void {
  if (data === undefined || buffer === undefined) return;
  const inSight = buffer.tensors.filter(isInSight);
  const area = (tensor: ChartTensor) => (tensor.last + 1 - tensor.first) * tensor.bytes;
  const drawn = inSight.length <= most ? inSight : [...inSight].sort((a, b) => area(b) - area(a)).slice(0, most);
  boxes = drawn.sort((a, b) => a.first - b.first || a.offset - b.offset).map((tensor) => ({ tensor, element: box(tensor) }));
  tensors.replaceChildren(...boxes.map((row) => row.element));
  peakLine.style.left = `${((buffer.peakInstruction + 0.5 - shown.left) / spanX()) * 100}%`;
  peakLine.hidden = buffer.peakInstruction + 0.5 < shown.left || buffer.peakInstruction + 0.5 > shown.right;
  chart.replaceChildren(tensors, peakLine, ...axes());
  liveCurve(element("live"), buffer, data, shown);
  const start = boxes.find(({ tensor }) => tensor.value === focused) ?? boxes[0];
  if (start !== undefined) start.element.tabIndex = 0;
  if (inSight.length > most) element("detail").textContent = `The ${inSight.length - most} smallest tensors are not drawn; zoom in to see them.`;
}

function box(tensor: ChartTensor): HTMLElement {
  const { width, height } = { width: chart.clientWidth, height: chart.clientHeight };
  const left = (Math.max(tensor.first, shown.left) - shown.left) / spanX();
  const right = (Math.min(tensor.last + 1, shown.right) - shown.left) / spanX();
  const bottom = (Math.max(tensor.offset, shown.low) - shown.low) / spanY();
  const top = (Math.min(tensor.offset + tensor.bytes, shown.high) - shown.low) / spanY();
  const size = { width: Math.max((right - left) * width, leastPixels), height: Math.max((top - bottom) * height, leastPixels) };
  const made = make("div", `box tone${data?.groups[tensor.group]?.tone ?? 0}${waiting.has(tensor.value) ? " waits" : ""}`);
  made.setAttribute("role", "option");
  made.setAttribute("aria-label", tensor.words);
  made.setAttribute("aria-selected", String(tensor.value === focused));
  made.tabIndex = -1;
  made.title = tensor.words;
  // Styles by the object model are not inline styles to the content security policy.
  made.style.left = `${left * 100}%`;
  made.style.bottom = `${bottom * 100}%`;
  made.style.width = `${size.width}px`;
  made.style.height = `${size.height}px`;
  made.style.lineHeight = `${Math.min(size.height - 2, 18)}px`;
  if (size.width >= readable.width && size.height >= readable.height) made.textContent = tensor.label;
  else made.style.padding = "0";
  made.addEventListener("focus", () => say(tensor));
  made.addEventListener("mouseenter", () => say(tensor));
  return made;
}

function say(tensor: ChartTensor): void {
  element("detail").textContent = tensor.words;
}

function axes(): HTMLElement[] {
  const addresses = ticks(shown.low, shown.high, 6).map((at) => {
    const mark = make("span", "tick address", bytesText(at));
    mark.style.top = `${(1 - (at - shown.low) / spanY()) * 100}%`;
    return mark;
  });
  const instructions = ticks(Math.ceil(shown.left), shown.right - 1, 10).map((at) => {
    const mark = make("span", "tick instruction", String(at));
    mark.style.left = `${((at + 0.5 - shown.left) / spanX()) * 100}%`;
    return mark;
  });
  for (const mark of [...addresses, ...instructions]) mark.setAttribute("aria-hidden", "true");
  return [...addresses, ...instructions];
}

// --- Moving ---

function remember(): void {
  vscode.setState({ ...(buffer && { buffer: buffer.id }), ...(focused !== undefined && { focus: focused }) });
}

function focus(tensor: ChartTensor | undefined): void {
  if (tensor === undefined) return;
  focused = tensor.value;
  if (!isInSight(tensor)) show(around(tensor));
  for (const row of boxes) {
    const isFocused = row.tensor.value === focused;
    row.element.tabIndex = isFocused ? 0 : -1;
    row.element.setAttribute("aria-selected", String(isFocused));
    if (isFocused) row.element.focus();
  }
  remember();
}

function show(next: Window): void {
  const all = whole();
  const width = Math.min(Math.max(next.right - next.left, 1), all.right);
  const height = Math.min(Math.max(next.high - next.low, 16), all.high);
  const left = Math.min(Math.max(next.left, 0), all.right - width);
  const low = Math.min(Math.max(next.low, 0), all.high - height);
  shown = { left, right: left + width, low, high: low + height };
  draw();
}

function around(tensor: ChartTensor): Window {
  const [width, height] = [tensor.last + 1 - tensor.first, tensor.bytes];
  return { left: tensor.first - width, right: tensor.last + 1 + width, low: tensor.offset - height / 2, high: tensor.offset + 1.5 * height };
}

// About the focused tensor, or the middle; 0.5 shows half as much.
function zoom(factor: number, x = (shown.left + shown.right) / 2, y = (shown.low + shown.high) / 2): void {
  show({
    left: x - (x - shown.left) * factor,
    right: x + (shown.right - x) * factor,
    low: y - (y - shown.low) * factor,
    high: y + (shown.high - y) * factor,
  });
}

function step(tensor: ChartTensor, by: number): ChartTensor | undefined {
  return boxes[boxes.findIndex((row) => row.tensor === tensor) + by]?.tensor;
}

// The next tensor above or below that lives at the same time as this one.
function beside(tensor: ChartTensor, direction: 1 | -1): ChartTensor | undefined {
  const rows = boxes
    .map((row) => row.tensor)
    .filter((other) => other !== tensor && other.first <= tensor.last && other.last >= tensor.first)
    .filter((other) => (other.offset - tensor.offset || other.value - tensor.value) * direction > 0);
  return rows.sort((a, b) => (a.offset - b.offset) * direction || a.first - b.first)[0];
}

function largestAtPeak(): ChartTensor | undefined {
  const at = buffer?.peakInstruction ?? 0;
  return buffer?.tensors.filter(({ first, last }) => first <= at && at <= last).sort((a, b) => b.bytes - a.bytes)[0];
}

function open(tensor: ChartTensor): void {
  if (tensor.place !== undefined) vscode.postMessage({ open: tensor.place });
}

const keys: Record<string, (tensor: ChartTensor) => void> = {
  ArrowLeft: (tensor) => focus(step(tensor, -1)),
  ArrowRight: (tensor) => focus(step(tensor, 1)),
  ArrowUp: (tensor) => focus(beside(tensor, 1)),
  ArrowDown: (tensor) => focus(beside(tensor, -1)),
  Home: () => focus(boxes[0]?.tensor),
  End: () => focus(boxes.at(-1)?.tensor),
  p: () => focus(largestAtPeak()),
  Enter: open,
  " ": (tensor) => {
    show(around(tensor));
    focus(tensor);
  },
  "+": (tensor) => {
    zoom(0.5, (tensor.first + tensor.last + 1) / 2, tensor.offset + tensor.bytes / 2);
    focus(tensor);
  },
  "-": (tensor) => {
    zoom(2);
    focus(tensor);
  },
  Escape: (tensor) => {
    show(whole());
    focus(tensor);
  },
};

chart.addEventListener("keydown", (event) => {
  const tensor = boxes.find((row) => row.element === event.target)?.tensor;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action === undefined || tensor === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  action(tensor);
});

// --- The pointer: a click opens, a drag zooms ---

function at(event: MouseEvent): { x: number; y: number } {
  const area = tensors.getBoundingClientRect();
  const within = (part: number) => Math.min(Math.max(part, 0), 1);
  return {
    x: shown.left + within((event.clientX - area.left) / area.width) * spanX(),
    y: shown.low + within(1 - (event.clientY - area.top) / area.height) * spanY(),
  };
}

const leastDrag = 5; // pixels

chart.addEventListener("pointerdown", (down) => {
  if (down.button !== 0) return;
  const from = at(down);
  const target = boxes.find((row) => row.element === down.target)?.tensor;
  const band = make("div", "");
  band.id = "band";
  const isDrag = (event: PointerEvent) => Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= leastDrag;
  const move = (event: PointerEvent) => {
    if (!isDrag(event)) return;
    const to = at(event);
    band.style.left = `${((Math.min(from.x, to.x) - shown.left) / spanX()) * 100}%`;
    band.style.width = `${(Math.abs(to.x - from.x) / spanX()) * 100}%`;
    band.style.bottom = `${((Math.min(from.y, to.y) - shown.low) / spanY()) * 100}%`;
    band.style.height = `${(Math.abs(to.y - from.y) / spanY()) * 100}%`;
    tensors.append(band);
  };
  const up = (event: PointerEvent) => {
    window.removeEventListener("pointermove", move);
    band.remove();
    const to = at(event);
    if (isDrag(event)) {
      show({ left: Math.min(from.x, to.x), right: Math.max(from.x, to.x), low: Math.min(from.y, to.y), high: Math.max(from.y, to.y) });
    } else if (target !== undefined) {
      focus(target);
      open(target);
    }
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up, { once: true });
});

chart.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { x, y } = at(event);
    zoom(event.deltaY < 0 ? 0.8 : 1.25, x, y);
  },
  { passive: false },
);

element("zoom-in").addEventListener("click", () => zoom(0.5));
element("zoom-out").addEventListener("click", () => zoom(2));
element("zoom-all").addEventListener("click", () => show(whole()));

// --- What is shown ---

function choose(list: HTMLSelectElement, options: readonly { value: string; text: string; current: boolean }[]): void {
  list.replaceChildren(...options.map(({ value, text, current }) => new Option(text, value, current, current)));
  const label = list.closest("label");
  if (label !== null) label.hidden = options.length < 2;
}

const methods = select("method");
const buffers = select("buffer");
methods.addEventListener("change", () => vscode.postMessage({ method: methods.value }));
buffers.addEventListener("change", () => {
  buffer = data?.buffers.find(({ id }) => String(id) === buffers.value);
  remember();
  show(whole());
});

// A row of a list that leads to a place.
function placeRow(text: string, place: number | undefined): { row: HTMLElement; button: HTMLElement } {
  const row = make("li", "");
  const button = make("button", "", text);
  button.setAttribute("type", "button");
  button.addEventListener("click", () => {
    if (place !== undefined) vscode.postMessage({ open: place });
  });
  row.append(button);
  return { row, button };
}

function listLines(): void {
  const rows = (data?.lines ?? []).map(({ text, place }) => placeRow(text, place).row);
  element("lines").replaceChildren(...rows);
  element("lines-section").hidden = rows.length === 0;
}

function listWaiting(): void {
  const rows = (data?.waiting ?? []).map(({ text, values, place }) => {
    const { row, button } = placeRow(text, place);
    const mark = (marked: boolean) => {
      waiting = new Set(marked ? values : []);
      for (const { tensor, element: made } of boxes) made.classList.toggle("waits", waiting.has(tensor.value));
    };
    button.addEventListener("focus", () => mark(true));
    button.addEventListener("mouseenter", () => mark(true));
    button.addEventListener("blur", () => mark(false));
    button.addEventListener("mouseleave", () => mark(false));
    return row;
  });
  element("waiting").replaceChildren(...rows);
  element("waiting-section").hidden = rows.length === 0;
}

window.addEventListener("message", (event: MessageEvent<ChartData>) => {
  const before = data;
  data = event.data;
  setTitle(data.title, data.why);
  element("detail").textContent = "";
  const wanted = buffer?.id ?? vscode.getState()?.buffer;
  buffer = data.buffers.find(({ id }) => id === wanted) ?? data.buffers.find(({ tensors: { length } }) => length > 0) ?? data.buffers[0];
  choose(methods, data.methods.map(({ name, text, current }) => ({ value: name, text, current })));
  choose(buffers, data.buffers.map(({ id, text }) => ({ value: String(id), text, current: id === buffer?.id })));
  if (data.why !== "") return;
  setLegend(data.groups);
  setNotes(data.notes);
  listLines();
  listWaiting();
  const isSame = before !== undefined && before.title === data.title && before.instructions.length === data.instructions.length;
  show(isSame ? shown : whole());
});

new ResizeObserver(draw).observe(chart);
vscode.postMessage({ ready: true });
