// SPDX-License-Identifier: Apache-2.0
// The view "Since the Baseline": what changed in all, and the lines that are slower, faster, new or gone.
import * as vscode from "vscode";
import { changeWords, comparisonWords, totalChange } from "../base/comparison";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { Tree } from "./tree";

export type ChangeNode = { kind: "total"; comparison: protocol.ComparisonItem } | { kind: "line"; line: protocol.ChangedLine };

export class ChangesView extends Tree<ChangeNode> {
  constructor(profile: Profile) {
    super("etlens.changes", false, profile);
  }

  async getChildren(node?: ChangeNode): Promise<ChangeNode[]> {
    if (node !== undefined || this.profile.status?.comparison === undefined) return [];
    const { comparison, lines } = await this.profile.server.request<protocol.ChangesResult>(protocol.changes);
    if (comparison === undefined) return [];
    return [{ kind: "total", comparison }, ...lines.map((line): ChangeNode => ({ kind: "line", line }))];
  }

  getTreeItem(node: ChangeNode): vscode.TreeItem {
    return node.kind === "total" ? totalItem(node.comparison) : lineItem(node.line);
  }
}

function totalItem(comparison: protocol.ComparisonItem): vscode.TreeItem {
  const words = comparisonWords(comparison);
  return treeItem({
    id: "total",
    label: `In all: ${totalChange(comparison)}`,
    description: comparison.problem ?? comparison.counts,
    spoken: words.join("; "),
    tooltip: words.join("\n"),
    icon: icon("git-compare"),
  });
}

function lineItem(line: protocol.ChangedLine): vscode.TreeItem {
  const { change, source } = line;
  const isGone = change.verdict === "gone";
  const time = isGone ? change.before.text : `${change.before.text} → ${change.after.text}`;
  const name = change.text === "" ? change.verdict_text : change.text;
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
