// SPDX-License-Identifier: Apache-2.0
// The text of a finding for an assistant. Knows no editor.
import { place } from "./format";
import type { AdviceItem } from "./protocol";

export function promptOf(item: AdviceItem, headline: string): string {
  const won = item.won === "" ? "" : ` (${item.won}${item.arithmetic === "" ? "" : ` = ${item.arithmetic}`})`;
  const paragraphs = [
    "A PyTorch model was exported to ExecuTorch and measured with etlens. Change its source so that this finding goes away, without a change of its results.",
    headline,
    `Finding: ${item.title}${won}.`,
    `Advice: ${item.action}.`,
    item.lines.length === 0 ? "" : ["Lines, the most costly first:", ...item.lines.map((source) => `- ${place(source)}: ${codeOf(source.text)}`)].join("\n"),
  ];
  return `${paragraphs.filter((text) => text !== "").join("\n\n")}\n`;
}

// As code, whatever is in it.
function codeOf(text: string): string {
  const code = text.trim();
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${code}\`` : `${fence} ${code} ${fence}`;
}
