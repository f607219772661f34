// SPDX-License-Identifier: Apache-2.0
// The executions as bars that one can walk and choose from: as high as they took long.
import type { FlameBar } from "./data";
import { make } from "./page";

const height = 28; // pixels

function option(bar: FlameBar): HTMLElement {
  const made = make("div", `bar${bar.isUsed ? " used" : ""}${bar.isOdd ? " odd" : ""}${bar.tone === undefined ? "" : ` group group${bar.tone}`}`);
  made.setAttribute("role", "option");
  made.setAttribute("aria-label", bar.words);
  made.setAttribute("aria-selected", String(bar.isUsed));
  made.title = bar.words;
  made.tabIndex = -1;
  made.dataset["executions"] = bar.executions;
  const fill = make("div", "fill");
  fill.style.height = `${Math.max(2, Math.round(bar.height * height))}px`;
  made.append(fill);
  return made;
}

export function drawExecutions(list: HTMLElement, bars: readonly FlameBar[], choose: (executions: string) => void): void {
  const before = (document.activeElement as HTMLElement | null)?.dataset["executions"];
  const options = bars.map(option);
  list.replaceChildren(...options);
  const start = options.find((made) => made.dataset["executions"] === before) ?? options[0];
  if (start === undefined) return;
  start.tabIndex = 0;
  if (before !== undefined) start.focus();
  const move = (to: HTMLElement | undefined) => {
    if (to === undefined) return;
    for (const made of options) made.tabIndex = made === to ? 0 : -1;
    to.focus();
  };
  list.onclick = (event) => {
    const made = (event.target as Element).closest<HTMLElement>(".bar");
    if (made === null) return;
    move(made);
    choose(made.dataset["executions"] ?? "");
  };
  list.onkeydown = (event) => {
    const at = options.indexOf(event.target as HTMLElement);
    if (at < 0) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: options.length - 1 }[event.key];
    if (to !== undefined) move(options[to]);
    else if (event.key === "Enter" || event.key === " ") choose(options[at]?.dataset["executions"] ?? "");
    else return;
    event.preventDefault();
  };
}
