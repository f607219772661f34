// SPDX-License-Identifier: Apache-2.0
// The view "Partitions": delegate calls in the order of execution, what their events explain, and what
// fell back to the CPU between them.
import * as vscode from "vscode";
import { count, percent, place } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";

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

export class PartitionsView implements vscode.TreeDataProvider<PartitionNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: { dispose(): unknown }[];
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<PartitionNode>;

  constructor(private readonly profile: Profile) {
    this.view = vscode.window.createTreeView("etlens.partitions", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [this.view, this.changed, profile.onDidChange(() => this.changed.fire(undefined))];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async getChildren(node?: PartitionNode): Promise<PartitionNode[]> {
    if (node !== undefined) {
      if (node.kind !== "call") return [];
      return node.item.lines.map((source) => ({ kind: "line", source, partition: node.item.number }));
    }
    if (this.profile.status?.profile === undefined) return [];
    const result = await this.profile.server.request<protocol.PartitionsResult>(protocol.partitions);
    return result.partitions.flatMap((item): PartitionNode[] => [
      { kind: "call", item },
      ...result.fallbacks
        .filter((fallback) => fallback.before === item.number)
        .map((fallback): Fallback => ({ kind: "fallback", item: fallback })),
    ]);
  }

  getTreeItem(node: PartitionNode): vscode.TreeItem {
    if (node.kind === "call") return callItem(node.item);
    return node.kind === "fallback" ? fallbackItem(node.item) : lineItem(node);
  }
}

function callItem(item: protocol.PartitionItem): vscode.TreeItem {
  const name = `#${item.number} ${item.backend ?? "delegate"}`;
  const lines = count(item.lines.length, "line");
  const times = `explained ${item.explained.text} · opaque ${item.opaque.text} · not measured ${item.overhead.text}`;
  return treeItem({
    id: `partition ${item.number}`,
    label: name,
    description: `${item.total.text} ${percent(item.share)} · ${times} · ${lines}${item.init === undefined ? "" : ` · init ${item.init.text}`}`,
    spoken:
      `Delegate call ${name}, instruction ${item.instruction}: ${item.total.text}, ${percent(item.share)}; ` +
      `explained by operators ${item.explained.text}, opaque ${item.opaque.text}, not measured ${item.overhead.text}; ${lines}` +
      (item.init === undefined ? "" : `; ${item.init.text} once, to set it up`) +
      (item.module === undefined || item.module === "" ? "" : `; in ${item.module}`),
    icon: shareIcon(item.share),
    context: "partition",
    children: item.lines.length === 0 ? "none" : "closed",
  });
}

function fallbackItem(item: protocol.FallbackItem): vscode.TreeItem {
  return treeItem({
    id: `fallback ${item.before} ${item.source.recordedPath}:${item.source.recordedLine}`,
    label: `CPU: ${place(item.source)}`,
    description: `${item.self.text} ${percent(item.share)} · ${item.source.text.trim()}`,
    spoken: `Fallback at ${place(item.source)}: ${item.sentence}`,
    icon: icon("arrow-swap"),
    context: "fallback",
    open: { command: "etlens.rows.openFallback", argument: [item.source.recordedPath, item.source.recordedLine] },
  });
}

function lineItem({ source, partition }: Line): vscode.TreeItem {
  return treeItem({
    label: place(source),
    description: source.text.trim(),
    spoken: `${place(source)}, in delegate call ${partition}: ${source.text.trim()}`,
    icon: icon("code"),
    context: "line",
    open: { command: "etlens.rows.openPartitionLine", argument: [source.recordedPath, source.recordedLine] },
  });
}
