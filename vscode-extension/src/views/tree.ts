// SPDX-License-Identifier: Apache-2.0
// What the trees share: they are asked for again whenever something else is shown.
import * as vscode from "vscode";
import type { SourceLine } from "../base/protocol";
import { place } from "../base/format";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";

export abstract class Tree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: { dispose(): unknown }[];
  readonly onDidChangeTreeData = this.changed.event;
  protected readonly view: vscode.TreeView<Node>;

  // `more`: what else a change of its rows is known by.
  constructor(id: string, showCollapseAll: boolean, protected readonly profile: Profile, ...more: vscode.Event<unknown>[]) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll });
    const update = () => this.changed.fire(undefined);
    this.subscriptions = [this.view, this.changed, profile.onDidChange(update), ...more.map((event) => event(update))];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  abstract getChildren(node?: Node): Promise<Node[]>;
  abstract getTreeItem(node: Node): vscode.TreeItem;
}

// A source line below a row. `where`: what it is a line of, said aloud; `command` opens it.
export function sourceItem(source: SourceLine, where: string, command: string): vscode.TreeItem {
  const code = source.text.trim();
  return treeItem({
    label: place(source),
    description: code,
    spoken: `${place(source)}${where}: ${code}`,
    icon: icon("code"),
    context: "line",
    open: { command, argument: [source.recorded_path, source.line] },
  });
}
