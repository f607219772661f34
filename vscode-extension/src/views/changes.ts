// SPDX-License-Identifier: Apache-2.0
// The view "Since the Baseline": what changed in all, the operators that left the delegate or entered it, and the lines that
// are slower, faster, new or gone.
import * as vscode from "vscode";
import { changeWords, comparisonWords, totalChange } from "../base/comparison";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import { icon, treeItem } from "./row";
import { Tree } from "./tree";

export type ChangeNode =
  | { kind: "total"; comparison: protocol.ComparisonItem }
  | { kind: "moved"; moved: protocol.MovedOperators }
  | { kind: "notKnown"; why: string }
  | { kind: "line"; line: protocol.ChangedLine };

export class ChangesView extends Tree<ChangeNode> {
  constructor(profile: Profile) {
    super("etlens.changes", false, profile);
  }

  async getChildren(node?: ChangeNode): Promise<ChangeNode[]> {
    if (node !== undefined || this.profile.status?.comparison === undefined) return [];
    const { comparison, lines, delegation, delegation_not_known: why } = await this.profile.server.request<protocol.ChangesResult>(protocol.changes);
    if (comparison === undefined) return [];
    const moves = delegation.map((moved): ChangeNode => ({ kind: "moved", moved }));
    const notKnown: ChangeNode[] = why === undefined ? [] : [{ kind: "notKnown", why }];
    return [{ kind: "total", comparison }, ...moves, ...lines.map((line): ChangeNode => ({ kind: "line", line })), ...notKnown];
  }

  getTreeItem(node: ChangeNode): vscode.TreeItem {
    switch (node.kind) {
      case "total":
        return totalItem(node.comparison);
      case "moved":
        return movedItem(node.moved);
      case "notKnown":
        return treeItem({ id: "notKnown", label: "Delegation: not known", description: node.why, spoken: node.why, tooltip: node.why, icon: icon("question") });
      case "line":
        return lineItem(node.line);
    }
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

function movedItem({ move, place, text, backend, source }: protocol.MovedOperators): vscode.TreeItem {
  const words = `${move === "left" ? "Left" : "Entered"} ${backend === "" ? "the delegate" : backend}`;
  return treeItem({
    id: `${move} ${backend} ${place} ${text}`,
    label: `${words}  ${place}`,
    description: text,
    spoken: `${words}: ${place}, ${text}`,
    tooltip: `${words}: ${text}`,
    icon: icon(move === "left" ? "debug-step-out" : "debug-step-into"),
    context: "changed",
    ...(source !== undefined && { open: { command: "etlens.rows.openChanged", argument: source } }),
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
