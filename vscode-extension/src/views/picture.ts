// SPDX-License-Identifier: Apache-2.0
// What the pictures share: a page that is fed by messages. It stands beside the source, which a click on
// something in it opens there.
import * as vscode from "vscode";
import type { SourceLine } from "../base/protocol";
import type { Profile } from "../server/profile";
import { distFolder, html, tabIcon, type WebviewPage } from "./webviewPage";

export interface PictureOptions extends WebviewPage {
  id: string;
  title: string; // of the tab
}

// Those of all pictures that are open: they share one group of editors, beside the source.
const panels = new Set<vscode.WebviewPanel>();

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

  // A page that is new asks for its data when it is ready.
  open(): "new" | "there" {
    if (this.panel !== undefined) {
      this.panel.reveal();
      return "there";
    }
    const { id, title } = this.options;
    const dist = distFolder(this.context);
    const column = [...panels].map((other) => other.viewColumn).find((known) => known !== undefined) ?? vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(id, title, column, {
      enableScripts: true,
      localResourceRoots: [dist],
    });
    panel.iconPath = tabIcon(this.context);
    panels.add(panel);
    panel.onDidDispose(() => {
      panels.delete(panel);
      this.panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message: object) => {
      if ("ready" in message) void this.send();
      else this.receive(message);
    });
    panel.webview.html = html(panel.webview, dist, this.options);
    this.panel = panel;
    return "new";
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
