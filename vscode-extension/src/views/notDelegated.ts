// SPDX-License-Identifier: Apache-2.0
// The view "Not Delegated": operators on the CPU by kind and reason, each with its lines.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";
import { sourceItem, Tree } from "./tree";

export type NotDelegatedNode =
  | { kind: "operators"; item: protocol.LeftOperators }
  | { kind: "line"; op: string; source: protocol.SourceLine }
  | { kind: "why"; text: string };

export class NotDelegatedView extends Tree<NotDelegatedNode> {
  constructor(profile: Profile) {
    super("etlens.notDelegated", true, profile);
  }

  async getChildren(node?: NotDelegatedNode): Promise<NotDelegatedNode[]> {
    if (node?.kind === "operators") return node.item.lines.map((source) => ({ kind: "line", op: node.item.op, source }));
    if (node !== undefined || this.profile.status?.profile === undefined) return [];
    const { operators, why } = await this.profile.server.request<protocol.DelegationResult>(protocol.delegation);
    if (operators.length === 0 && why !== "") return [{ kind: "why", text: why }];
    return operators.map((item) => ({ kind: "operators", item }));
  }

  getTreeItem(node: NotDelegatedNode): vscode.TreeItem {
    if (node.kind === "why") return treeItem({ label: node.text, spoken: node.text, icon: icon("info") });
    if (node.kind === "line") return sourceItem(node.source, `, ${node.op} on the CPU`, "etlens.rows.openNotDelegatedLine");
    return operatorsItem(node.item);
  }
}

function operatorsItem({ op, reason, remedy, count, cost, share, lines }: protocol.LeftOperators): vscode.TreeItem {
  const many = count === 1 ? op : `${op} ×${count}`;
  const sentences = remedy === "" ? reason : `${reason} ${remedy}`;
  return treeItem({
    id: `not delegated ${op} ${reason}`,
    label: cost === "" ? many : `${cost}: ${many}`,
    description: sentences,
    spoken: `${many} on the CPU${cost === "" ? "" : `, ${cost}`}. ${sentences}`,
    icon: cost === "" ? icon("circle-outline") : shareIcon(share),
    context: "notDelegated",
    children: lines.length === 0 ? "none" : "closed",
  });
}
