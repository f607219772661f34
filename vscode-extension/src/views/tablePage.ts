// SPDX-License-Identifier: Apache-2.0
// A view that is a table (webview/events.ts): its page, and the messages from and to it.
import * as vscode from "vscode";
import type { TableMessage, TableRequest } from "../webview/data";
import { distFolder, html } from "./webviewPage";

const body = (heading: string) => `<div id="tools">
<input id="filter" type="search" spellcheck="false" placeholder="Filter: words, -word" aria-label="Filter events"
  title="Words that are in the name, operator, module, line or backend; -word for those that are not; a whole name in quotes">
<select id="grouping" aria-label="Group by"></select>
</div>
<p id="summary" role="status"></p>
<div id="actions"></div>
<div id="table" role="treegrid" aria-label="${heading}" aria-readonly="true"></div>`;

export class TablePage implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly registration: vscode.Disposable;
  private view: vscode.WebviewView | undefined;
  isReady = false; // for messages

  constructor(
    private readonly context: vscode.ExtensionContext,
    id: string,
    private readonly heading: string,
    private readonly receive: (message: TableRequest) => Promise<void>,
  ) {
    this.registration = vscode.window.registerWebviewViewProvider(id, this, { webviewOptions: { retainContextWhenHidden: true } });
  }

  // What stands beside the view's title; "" before there is a view.
  get description(): string {
    return this.view?.description ?? "";
  }

  set description(text: string) {
    if (this.view !== undefined) this.view.description = text;
  }

  dispose(): void {
    this.registration.dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const dist = distFolder(this.context);
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    view.webview.onDidReceiveMessage((message: TableRequest) => {
      if (message.ready === true) this.isReady = true;
      void this.receive(message);
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.isReady = false;
    });
    view.webview.html = html(view.webview, dist, { script: "events", heading: this.heading, body: body(this.heading) });
  }

  post(message: TableMessage): void {
    if (this.isReady) void this.view?.webview.postMessage(message);
  }
}
