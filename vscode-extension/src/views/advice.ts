// SPDX-License-Identifier: Apache-2.0
// The view "What to Do First": findings by the time that they could win, each with its lines.
import * as vscode from "vscode";
import { place } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";

interface Finding {
  kind: "finding";
  item: protocol.AdviceItem;
  rank: number;
}
interface Line {
  kind: "line";
  source: protocol.SourceLine;
}
export type AdviceNode = Finding | Line;

export class AdviceView implements vscode.TreeDataProvider<AdviceNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: { dispose(): unknown }[];
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<AdviceNode>;

  constructor(private readonly profile: Profile) {
    this.view = vscode.window.createTreeView("etlens.advice", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [this.view, this.changed, profile.onDidChange(() => this.changed.fire(undefined))];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  async getChildren(node?: AdviceNode): Promise<AdviceNode[]> {
    if (node !== undefined) return node.kind === "finding" ? node.item.lines.map((source) => ({ kind: "line", source })) : [];
    if (this.profile.status?.profile === undefined) return [];
    const { advice } = await this.profile.server.request<protocol.AdviceResult>(protocol.advice);
    return advice.map((item, i) => ({ kind: "finding", item, rank: i + 1 }));
  }

  getTreeItem(node: AdviceNode): vscode.TreeItem {
    return node.kind === "finding" ? findingItem(node) : lineItem(node.source);
  }
}

function findingItem({ item, rank }: Finding): vscode.TreeItem {
  const because = item.arithmetic === "" ? "" : `${item.won} = ${item.arithmetic}. `;
  return treeItem({
    id: `advice ${rank} ${item.kind} ${item.title}`,
    label: item.won === "" ? item.title : `${item.won.replace(/^up to /, "≤ ")}: ${item.title}`,
    description: item.action,
    spoken: `Finding ${rank}: ${item.title}. ${because}${item.action}.`,
    icon: item.atMost === undefined ? icon("info") : shareIcon(item.share),
    context: "advice",
    children: item.lines.length === 0 ? "none" : "closed",
  });
}

function lineItem(source: protocol.SourceLine): vscode.TreeItem {
  return treeItem({
    label: place(source),
    description: source.text.trim(),
    spoken: `${place(source)}: ${source.text.trim()}`,
    icon: icon("code"),
    context: "line",
    open: { command: "etlens.rows.openAdviceLine", argument: [source.recordedPath, source.recordedLine] },
  });
}
