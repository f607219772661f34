// SPDX-License-Identifier: Apache-2.0
// Rows of the view "Events": groups, pages, events.
import type * as vscode from "vscode";
import { changeWords, comparisonWords, shortChange, totalChange } from "../base/comparison";
import { count, percent, place } from "../base/format";
import type * as protocol from "../base/protocol";
import { spread } from "../base/statistics";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";

export interface Group {
  kind: "group";
  index: number;
  item: protocol.EventGroupItem;
}
export interface Page {
  kind: "page";
  first: number;
  last: number;
  group: Group | undefined;
}
export interface Event {
  kind: "event";
  rank: number;
  item: protocol.EventItem;
  parent: Group | Page | undefined;
}
// What changed since the baseline, and a line of it.
export interface Changes {
  kind: "changes";
  result: protocol.ChangesResult;
}
export interface Changed {
  kind: "changed";
  line: protocol.ChangedLine;
  parent: Changes;
}
export type EventNode = Group | Page | Event | Changes | Changed;

export function keyOf(node: EventNode | undefined): string {
  if (node === undefined) return "";
  if (node.kind === "group") return `group ${node.index}`;
  if (node.kind === "changes") return "changes";
  if (node.kind === "changed") return `changed ${node.line.place}`;
  if (node.kind === "page") return `page ${node.group?.index ?? ""} ${node.first}`;
  return `event ${node.item.id}`;
}

export function groupItem({ item, index }: Group): vscode.TreeItem {
  const events = count(item.count, "event");
  return treeItem({
    id: `group ${item.name} ${index}`,
    label: `${item.self.text} ${percent(item.share)}  ${item.source === undefined ? item.name : place(item.source)}`,
    description: [...shortChange(item.change), `sum ${percent(item.runningShare)}`, events].join(" · ") +
      (item.source === undefined ? "" : ` · ${item.source.text.trim()}`),
    spoken: `${item.name}: ${item.self.text}, ${percent(item.share)} in ${events}, running sum ${percent(item.runningShare)}` +
      changeWords(item.change).map((words) => `, ${words}`).join(""),
    icon: shareIcon(item.share),
    children: "closed",
  });
}

export function changesItem({ result: { comparison, lines } }: Changes): vscode.TreeItem {
  const words = comparison === undefined ? [] : comparisonWords(comparison);
  const total = comparison === undefined ? "" : totalChange(comparison);
  return treeItem({
    id: "changes",
    label: `Since the baseline: ${total}`,
    description: comparison?.problem === undefined ? (comparison?.counts ?? "") : comparison.problem,
    spoken: words.join("; "),
    tooltip: words.join("\n"),
    icon: icon("git-compare"),
    children: lines.length === 0 ? "none" : "closed",
  });
}

export function changedItem({ line }: Changed): vscode.TreeItem {
  const { change, source } = line;
  const isGone = change.verdict === "gone";
  const time = isGone ? change.before.text : `${change.before.text} → ${change.after.text}`;
  const name = change.text === "" ? change.verdictText : change.text;
  return treeItem({
    id: `changed ${line.place} ${line.text}`,
    label: `${name}  ${line.place}`,
    description: [time, line.text.trim(), line.kernels].filter((text) => text !== "").join(" · "),
    spoken: [`${line.place}: ${line.text.trim()}`, ...changeWords(change), line.kernels].filter((text) => text !== "").join(", "),
    icon: icon(isGone ? "diff-removed" : change.verdict === "new" ? "diff-added" : change.verdict === "slower" ? "triangle-up" : "triangle-down"),
    context: "changed",
    ...(source !== undefined && { open: { command: "etlens.rows.openChanged", argument: source } }),
  });
}

export function pageItem({ first, last }: Page): vscode.TreeItem {
  const label = `Events ${first + 1} to ${last}`;
  return treeItem({ label, spoken: label, icon: icon("ellipsis"), children: "closed" });
}

// `numbers`: what stands behind a number, "typical".
export function eventItem({ item, rank }: Event, generation: number, numbers: string): vscode.TreeItem {
  const where = item.backend ?? (item.part === "line" ? "CPU" : undefined);
  const line = item.source === undefined ? item.partText : place(item.source);
  const details = [
    `Rank ${rank + 1}: ${item.name}`,
    item.operatorName && `operator ${item.operatorName}`,
    // Only events of a dump were measured several times.
    item.remark === undefined
      ? `${item.self.text} ${numbers}, ${percent(item.share)} of the method; p50 ${item.p50.text}, p90 ${item.p90.text}`
      : `${item.self.text}, ${percent(item.share)}, ${item.remark}`,
    ...spread(item),
    `running sum ${percent(item.runningShare)}`,
    where && `on ${where}`,
    item.module && `in ${item.module}`,
    item.source === undefined ? line : `at ${place(item.source)}: ${item.source.text.trim()}`,
    item.confidence && `placed: ${item.confidence}`,
    ...changeWords(item.change).map((words) => `its line: ${words}`),
  ].filter((detail) => detail !== undefined && detail !== "");
  return treeItem({
    // Numbers first: the side bar is narrow.
    label: `${item.self.text} ${percent(item.share)}  ${item.name}`,
    description: [...shortChange(item.change).map((words) => `line ${words}`), line, item.module, where, `sum ${percent(item.runningShare)}`]
      .filter((text) => text !== undefined && text !== "")
      .join(" · "),
    spoken: details.join(", "),
    tooltip: details.join("\n"),
    icon: shareIcon(item.share),
    context: "event",
    open: { command: "etlens.rows.openEvent", argument: { event: item.id, generation } },
  });
}
