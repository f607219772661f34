// SPDX-License-Identifier: Apache-2.0
// The view "Modules": the module tree with self and inclusive time.
import * as vscode from "vscode";
import { changeWords, shortChange } from "../base/comparison";
import { count, percent } from "../base/format";
import * as protocol from "../base/protocol";
import { spread } from "../base/statistics";
import type { Profile } from "../server/profile";
import { treeItem } from "./row";
import { shareIcon } from "./shareIcon";

export interface ModuleNode {
  index: number;
  item: protocol.ModuleItem;
  parent: ModuleNode | undefined;
  children: ModuleNode[];
}

export class ModulesView implements vscode.TreeDataProvider<ModuleNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: { dispose(): unknown }[];
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<ModuleNode>;

  constructor(private readonly profile: Profile) {
    this.view = vscode.window.createTreeView("etlens.modules", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [this.view, this.changed, profile.onDidChange(() => this.changed.fire(undefined))];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  getParent(node: ModuleNode): ModuleNode | undefined {
    return node.parent;
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
    const type = item.path === "" || item.type === undefined ? "" : ` · ${lastPart(item.type)}`;
    const calls = item.calls > 1 ? ` · ×${item.calls}` : "";
    return treeItem({
      id: `module ${item.path}`,
      label: name,
      description: `${item.inclusive.text} ${percent(item.share)} · self ${item.self.text}${type}${calls}` +
        shortChange(item.change).map((words) => ` · ${words}`).join(""),
      spoken:
        `${item.path === "" ? name : item.path}: ${item.inclusive.text} inclusive, ${percent(item.share)}, ${item.self.text} self` +
        (item.type === undefined ? "" : `, ${item.type}`) + (item.calls > 1 ? `, ${count(item.calls, "call")}` : "") +
        [...spread(item), ...changeWords(item.change)].map((words) => `, ${words}`).join(""),
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
  modules.forEach((item, index) => {
    const parent = item.parent === undefined ? undefined : nodes[item.parent];
    const node: ModuleNode = { index, item, parent, children: [] };
    nodes.push(node);
    (parent?.children ?? roots).push(node);
  });
  const byCost = (a: ModuleNode, b: ModuleNode) => b.item.inclusive.value - a.item.inclusive.value;
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
