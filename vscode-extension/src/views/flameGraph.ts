// SPDX-License-Identifier: Apache-2.0
// The flame graph of the module tree.
import * as vscode from "vscode";
import { percent } from "../base/format";
import { measureWords, unusualMeasure } from "../base/measures";
import * as protocol from "../base/protocol";
import { sampleWords } from "../base/statistics";
import type { Profile } from "../server/profile";
import type { FlameData, FlameNode } from "../webview/data";
import { moduleName, type ModuleNode, moduleTree } from "./modules";
import { Picture } from "./picture";

export class FlameGraph extends Picture<FlameData> {
  private wanted: string | undefined; // the module to show

  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, {
      id: "etlens.flameGraph",
      title: "Flame Graph",
      script: "flame",
      heading: "Flame graph of modules",
      body: `<p id="help">Arrow keys move, Enter opens the source, Space widens a frame, Escape shows all.</p>
<p><button id="save" type="button">Export as SVG…</button></p>
<div id="graph" role="tree" aria-labelledby="title" aria-describedby="help"></div>
<p id="detail" role="status"></p>`,
    });
  }

  // With the focus on the frame of a module.
  show(path: string): void {
    this.wanted = path;
    if (this.open() === "there") void this.send();
  }

  override async data(): Promise<FlameData> {
    const status = this.profile.status?.profile;
    if (status?.etrecord === undefined) return { title: "", why: this.profile.message, roots: [] };
    const { modules } = await this.profile.server.request<protocol.ModulesResult>(protocol.modules);
    const method = status.method ?? "Method::execute";
    const measure = unusualMeasure(this.profile.status);
    const total = (measure ?? status).total.value;
    const { wanted } = this;
    this.wanted = undefined;
    return {
      ...(wanted !== undefined && { focus: wanted }),
      title: measure === undefined ? `${method}: ${status.total.text}, ${sampleWords(status)}` : `${method}, ${measureWords(measure)}`,
      why: "",
      roots: moduleTree(modules).map((node) => flameNode(node, total, 1)),
    };
  }

  protected override receive(message: { open?: string; save?: boolean }): void {
    if (message.save === true) void vscode.commands.executeCommand("etlens.export", "svg");
    if (message.open === undefined) return;
    void vscode.commands.executeCommand("etlens.rows.openModule", { path: message.open, column: this.sourceColumn });
  }
}

// The levels of server/extensions/lines.h (LineCost::heat), by the square root of the share.
function heatOf(share: number): number {
  return [0.07, 0.14, 0.26, 0.45].filter((from) => Math.sqrt(Math.max(share, 0)) >= from).length;
}

function flameNode(node: ModuleNode, total: number, ownShare: number): FlameNode {
  const { item } = node;
  const inclusive = item.inclusive.value;
  return {
    path: item.path,
    name: moduleName(item),
    time: item.inclusive.text,
    self: item.self.text,
    share: item.share,
    shareText: percent(item.share),
    ownShare,
    heat: heatOf(total === 0 ? 0 : item.self.value / total),
    hasSource: item.source !== undefined,
    children: node.children
      .filter((child) => child.item.inclusive.value > 0)
      .map((child) => flameNode(child, total, inclusive === 0 ? 0 : child.item.inclusive.value / inclusive)),
  };
}
