// SPDX-License-Identifier: Apache-2.0
// The executions of a dump as bars of one picture. Knows no editor.
import type { FlameBar } from "../webview/data";
import type { ExecutionItem, StatusProfile } from "./protocol";
import { oddWords } from "./statistics";

const maxBars = 240;
const tones = 5; // colours of groups, in flame.css

// One bar per execution; of very many, one for as many as it takes, as high as the longest of them.
export function executionBars(executions: readonly ExecutionItem[], status: Pick<StatusProfile, "odd" | "groups">): FlameBar[] {
  const step = Math.max(1, Math.ceil(executions.length / maxBars));
  const longest = Math.max(...executions.map(({ total }) => total.value));
  const reasons = oddWords({ odd: status.odd }, Infinity);
  const groupOf = new Map(status.groups.flatMap(({ executions: numbers }, at) => numbers.map((number): [number, number] => [number, at])));
  const bars: FlameBar[] = [];
  for (let first = 0; first < executions.length; first += step) {
    const group = executions.slice(first, first + step);
    const slowest = group.reduce((most, item) => (item.total.value > most.total.value ? item : most));
    const numbers = group.length === 1 ? String(slowest.number) : `${group[0]?.number}-${group.at(-1)?.number}`;
    const odd = status.odd.findIndex(({ execution }) => execution === slowest.number);
    const tone = groupOf.get(slowest.number);
    const name = tone === undefined ? undefined : status.groups[tone]?.name;
    const time = group.length === 1 ? `execution ${numbers}: ${slowest.total.text}` : `executions ${numbers}: up to ${slowest.total.text}`;
    const plain = name === undefined ? time : `${time}, ${name}`;
    bars.push({
      executions: numbers,
      words: odd < 0 ? plain : `${reasons[odd] ?? plain}, far from the others`,
      height: longest > 0 ? slowest.total.value / longest : 0,
      isUsed: group.some(({ used }) => used),
      isOdd: group.some((item) => item.odd),
      ...(tone !== undefined && { tone: tone % tones }),
    });
  }
  return bars;
}
