// SPDX-License-Identifier: Apache-2.0
// The view "Partitions": delegate calls, what their events explain, and what fell back to the CPU between them; the most
// costly first. Their numbers are the order of execution.
import * as vscode from "vscode";
import { count, percent, place } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";
import { sourceItem, Tree } from "./tree";

interface Call {
  kind: "call";
  item: protocol.PartitionItem;
}
interface Fallback {
  kind: "fallback";
  item: protocol.FallbackItem;
}
interface Line {
  kind: "line";
  source: protocol.SourceLine;
  partition: number;
}
export type PartitionNode = Call | Fallback | Line;

export class PartitionsView extends Tree<PartitionNode> {
  constructor(profile: Profile) {
    super("etlens.partitions", true, profile);
  }

  async getChildren(node?: PartitionNode): Promise<PartitionNode[]> {
    if (node !== undefined) {
      if (node.kind !== "call") return [];
      return node.item.places.map((source) => ({ kind: "line", source, partition: node.item.id }));
    }
    if (this.profile.status?.profile === undefined) return [];
    const result = await this.profile.server.request<protocol.PartitionsResult>(protocol.partitions);
    const rows: (Call | Fallback)[] = [
      ...result.partitions.map((item): Call => ({ kind: "call", item })),
      ...result.fallbacks.map((item): Fallback => ({ kind: "fallback", item })),
    ];
    return rows.sort((a, b) => b.item.share - a.item.share);
  }

  getTreeItem(node: PartitionNode): vscode.TreeItem {
    if (node.kind === "call") return callItem(node.item);
    if (node.kind === "fallback") return fallbackItem(node.item);
    return sourceItem(node.source, `, in delegate call ${node.partition}`, "etlens.rows.openPartitionLine");
  }
}

function callItem(item: protocol.PartitionItem): vscode.TreeItem {
  const name = `#${item.id} ${item.where === "" ? "delegate" : item.where}`;
  const lines = count(item.lines.length, "line");
  const { total_text: total, explained_text: explained, opaque_text: opaque, overhead_text: overhead, init_text: init } = item;
  return treeItem({
    id: `partition ${item.id}`,
    label: name,
    description:
      `${total} ${percent(item.share)} · explained ${explained} · opaque ${opaque} · not measured ${overhead} · ${lines}` +
      (init === undefined ? "" : ` · init ${init}`),
    spoken:
      `Delegate call ${name}, instruction ${item.instruction_id}: ${total}, ${percent(item.share)}; ` +
      `explained by operators ${explained}, opaque ${opaque}, not measured ${overhead}; ${lines}` +
      (init === undefined ? "" : `; ${init} once, to set it up`) +
      (item.module === "" ? "" : `; in ${item.module}`),
    icon: shareIcon(item.share),
    context: "partition",
    children: item.lines.length === 0 ? "none" : "closed",
  });
}

function fallbackItem(item: protocol.FallbackItem): vscode.TreeItem {
  return treeItem({
    id: `fallback ${item.before} ${item.source.recorded_path}:${item.source.line}`,
    label: `CPU: ${place(item.source)}`,
    description: `${item.self_text} ${percent(item.share)} · ${item.source.text.trim()}`,
    spoken: `Fallback at ${place(item.source)}: ${item.sentence}`,
    icon: icon("arrow-swap"),
    context: "fallback",
    open: { command: "etlens.rows.openFallback", argument: [item.source.recorded_path, item.source.line] },
  });
}
