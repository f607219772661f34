// SPDX-License-Identifier: Apache-2.0
// What the pictures share: a page without network, without inline code, fed by messages. It stands beside
// the source, which a click on something in it opens there.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { SourceLine } from "../base/protocol";
import type { Profile } from "../server/profile";

export interface PictureOptions {
  id: string;
  title: string; // of the tab
  script: string; // dist/SCRIPT.js and dist/SCRIPT.css
  heading: string; // of the page, as screen readers say it
  body: string; // what the script fills
}

export abstract class Picture<Data> implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly context: vscode.ExtensionContext,
    protected readonly profile: Profile,
    private readonly options: PictureOptions,
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
    const { id, title } = this.options;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel(id, title, vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [dist],
    });
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, "media", "etlens.svg");
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.onDidReceiveMessage((message: object) => {
      if ("ready" in message) void this.send();
      else this.receive(message);
    });
    panel.webview.html = page(panel.webview, dist, this.options);
    this.panel = panel;
  }

  abstract data(): Promise<Data>;
  protected abstract receive(message: object): void;

  protected async openSource(source: SourceLine | undefined): Promise<void> {
    await vscode.commands.executeCommand("etlens.rows.openPlace", { ...(source !== undefined && { source }), column: this.sourceColumn });
  }

  // Where a source goes so that the picture stays in sight.
  protected get sourceColumn(): vscode.ViewColumn {
    const column = this.panel?.viewColumn;
    return column === undefined || column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }

  protected async send(): Promise<void> {
    if (this.panel === undefined) return;
    const data = await this.data();
    await this.panel.webview.postMessage(data);
  }
}

function page(webview: vscode.Webview, dist: vscode.Uri, { script, heading, body }: PictureOptions): string {
  const nonce = randomBytes(16).toString("base64");
  const source = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';">
<link rel="stylesheet" href="${source(`${script}.css`)}">
<title>${heading}</title>
</head>
<body>
<main>
<h1 id="title">${heading}</h1>
${body}
</main>
<script nonce="${nonce}" src="${source(`${script}.js`)}"></script>
</body>
</html>`;
}
