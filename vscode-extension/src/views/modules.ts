// SPDX-License-Identifier: Apache-2.0
// The view "Modules": the module tree with self and inclusive time.
import * as vscode from "vscode";
import { changeWords, shortChange } from "../base/comparison";
import { count, percent } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { treeItem } from "./row";
import { shareIcon } from "./shareIcon";
import { Tree } from "./tree";

export interface ModuleNode {
  item: protocol.ModuleItem;
  children: ModuleNode[];
}

export class ModulesView extends Tree<ModuleNode> {
  constructor(profile: Profile) {
    super("etlens.modules", true, profile);
  }

  async getChildren(node?: ModuleNode): Promise<ModuleNode[]> {
    if (node !== undefined) return node.children;
    if (this.profile.status?.profile?.etrecord === undefined) return [];
    const { modules } = await this.profile.server.request<protocol.ModulesResult>(protocol.modules);
    return moduleTree(modules);
  }

  getTreeItem(node: ModuleNode): vscode.TreeItem {
    const { item } = node;
    const name = moduleName(item);
    const type = item.path === "" || item.type === null ? "" : ` · ${lastPart(item.type)}`;
    const calls = item.calls > 1 ? ` · ×${item.calls}` : "";
    return treeItem({
      id: `module ${item.path}`,
      label: name,
      description: `${item.inclusive_text} ${percent(item.share)} · self ${item.self_text}${type}${calls}` +
        shortChange(item.change).map((words) => ` · ${words}`).join(""),
      spoken:
        `${item.path === "" ? name : item.path}: ${item.inclusive_text} inclusive, ${percent(item.share)}, ${item.self_text} self` +
        (item.type === null ? "" : `, ${item.type}`) + (item.calls > 1 ? `, ${count(item.calls, "call")}` : "") +
        (item.spread_text === "" ? "" : `, ${item.spread_text}`) +
        changeWords(item.change).map((words) => `, ${words}`).join(""),
      icon: shareIcon(item.share),
      context: "module",
      open: { command: "etlens.rows.openModule", argument: item.path },
      children: node.children.length === 0 ? "none" : item.depth === 0 ? "open" : "closed",
    });
  }
}

// Roots, the most costly child first everywhere.
export function moduleTree(modules: readonly protocol.ModuleItem[]): ModuleNode[] {
  const nodes: ModuleNode[] = [];
  const roots: ModuleNode[] = [];
  for (const item of modules) {
    const node: ModuleNode = { item, children: [] };
    nodes.push(node);
    (nodes[item.parent ?? -1]?.children ?? roots).push(node);
  }
  const byCost = (a: ModuleNode, b: ModuleNode) => b.item.inclusive - a.item.inclusive;
  for (const node of nodes) node.children.sort(byCost);
  return roots;
}

// The last component; one that is only a number says whose it is: "layers.2".
export function moduleName(item: protocol.ModuleItem): string {
  if (item.path === "") return lastPart(item.type ?? "model");
  return /(?:[^.]+\.)?\d+$/.exec(item.path)?.[0] ?? lastPart(item.path);
}

function lastPart(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf(".") + 1);
}
