// SPDX-License-Identifier: Apache-2.0
// The view "What to Do First": findings by the time that they could win, each with its lines.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";
import { sourceItem, Tree } from "./tree";

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

export class AdviceView extends Tree<AdviceNode> {
  constructor(profile: Profile) {
    super("etlens.advice", true, profile);
  }

  async getChildren(node?: AdviceNode): Promise<AdviceNode[]> {
    if (node !== undefined) return node.kind === "finding" ? node.item.lines.map((source) => ({ kind: "line", source })) : [];
    if (this.profile.status?.profile === undefined) return [];
    const { advice } = await this.profile.server.request<protocol.AdviceResult>(protocol.advice);
    return advice.map((item, i) => ({ kind: "finding", item, rank: i + 1 }));
  }

  getTreeItem(node: AdviceNode): vscode.TreeItem {
    return node.kind === "finding" ? findingItem(node) : sourceItem(node.source, "", "etlens.rows.openAdviceLine");
  }
}

function findingItem({ item, rank }: Finding): vscode.TreeItem {
  const because = item.arithmetic === "" ? "" : `${item.won} = ${item.arithmetic}. `;
  return treeItem({
    id: `advice ${rank} ${item.kind} ${item.title}`,
    label: item.won === "" ? item.title : `${item.won.replace(/^up to /, "≤ ")}: ${item.title}`,
    description: item.action,
    spoken: `Finding ${rank}: ${item.title}. ${because}${item.action}.`,
    icon: item.at_most === undefined ? icon("info") : shareIcon(item.share),
    context: "advice",
    children: item.lines.length === 0 ? "none" : "closed",
  });
}
