// SPDX-License-Identifier: Apache-2.0
// The flame graph of the module tree: a page without network, without inline code, fed by messages.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { percent } from "../base/format";
import * as protocol from "../base/protocol";
import { sampleWords } from "../base/statistics";
import type { Profile } from "../server/profile";
import type { FlameData, FlameNode } from "../webview/data";
import { moduleName, type ModuleNode, moduleTree } from "./modules";

export class FlameGraph implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly profile: Profile,
  ) {
    this.subscription = profile.onDidChange(() => void this.send());
  }

  dispose(): void {
    this.subscription.dispose();
    this.panel?.dispose();
  }

  open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal();
      return;
    }
    const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel("etlens.flameGraph", "Flame Graph", vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [dist],
    });
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, "media", "etlens.svg");
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.onDidReceiveMessage((message: { ready?: boolean; open?: string }) => {
      if (message.ready === true) void this.send();
      if (message.open !== undefined) void vscode.commands.executeCommand("etlens.rows.openModule", message.open);
    });
    panel.webview.html = page(panel.webview, dist);
    this.panel = panel;
  }

  async data(): Promise<FlameData> {
    const status = this.profile.status?.profile;
    if (status?.etrecord === undefined) return { title: "", why: this.profile.message, roots: [] };
    const { modules } = await this.profile.server.request<protocol.ModulesResult>(protocol.modules);
    const total = status.total.value;
    return {
      title: `${status.method ?? "Method::execute"}: ${status.total.text}, ${sampleWords(status)}`,
      why: "",
      roots: moduleTree(modules).map((node) => flameNode(node, total, 1)),
    };
  }

  private async send(): Promise<void> {
    await this.panel?.webview.postMessage(await this.data());
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

function page(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, "flame.js")).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, "flame.css")).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';">
<link rel="stylesheet" href="${style}">
<title>Flame graph of modules</title>
</head>
<body>
<h1 id="title"></h1>
<p id="help">Arrow keys move, Enter opens the source, Space widens a frame, Escape shows all.</p>
<div id="graph" role="tree" aria-labelledby="title" aria-describedby="help"></div>
<p id="detail" role="status"></p>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
