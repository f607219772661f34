// SPDX-License-Identifier: Apache-2.0
// The curve of bytes in use over the instructions, with its peak and what was planned.
import type { ChartBuffer, ChartData } from "./data";
import { bytesText, make } from "./page";

const svgNamespace = "http://www.w3.org/2000/svg";
const gutter = 60; // pixels beside the curve, which long words may use
const headroom = 1.08; // so that the line of what was planned is not the edge

function svg(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

// One step per instruction; where several fall on one pixel, the most of them.
function outline(live: readonly number[], from: number, to: number, width: number, y: (bytes: number) => number): string {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(live.length, Math.ceil(to));
  const perStep = Math.max(1, Math.floor((to - from) / width));
  const x = (instruction: number) => ((instruction - from) / (to - from)) * width;
  let path = `M${x(first)} ${y(0)}`;
  for (let i = first; i < last; i += perStep) {
    const end = Math.min(i + perStep, last);
    const top = y(Math.max(...live.slice(i, end)));
    path += `L${x(i)} ${top}L${x(end)} ${top}`;
  }
  return `${path}L${x(last)} ${y(0)}Z`;
}

export function liveCurve(area: HTMLElement, buffer: ChartBuffer, data: ChartData, shown: { left: number; right: number }): void {
  const [width, height] = [area.clientWidth, area.clientHeight];
  const y = (bytes: number) => height * (1 - bytes / (Math.max(buffer.size, 1) * headroom));
  const x = (instruction: number) => ((instruction - shown.left) / (shown.right - shown.left)) * width;
  const picture = svg("svg", {
    role: "img",
    "aria-label": `Bytes in use over ${data.instructions.length} instructions, of ${buffer.sizeText} planned: ${buffer.peakText}`,
  });
  picture.append(
    svg("path", { class: "curve", d: outline(buffer.live, shown.left, shown.right, width, y) }),
    svg("line", { class: "planned", x1: 0, x2: width, y1: y(buffer.size), y2: y(buffer.size) }),
  );
  const at = x(buffer.peakInstruction + 0.5);
  const marks = [0, buffer.size].map((bytes) => {
    const mark = make("span", "tick address", bytesText(bytes));
    mark.setAttribute("aria-hidden", "true");
    mark.style.top = `${y(bytes)}px`;
    return mark;
  });
  area.replaceChildren(picture, ...marks);
  if (at < 0 || at > width) return;
  picture.append(svg("line", { class: "peak", x1: at, x2: at, y1: 0, y2: height }));
  const label = make("span", "", buffer.peakText);
  label.id = "peak-label";
  label.setAttribute("aria-hidden", "true");
  area.append(label);
  label.style.left = `${Math.max(-gutter, Math.min(at - label.offsetWidth / 2, width - label.offsetWidth))}px`;
}
