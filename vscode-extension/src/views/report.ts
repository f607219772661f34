// SPDX-License-Identifier: Apache-2.0
// The report, live: the page that the server writes, in the colours of the theme. It follows every load, and each line of source on
// it is a link.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { ReportData } from "../webview/data";
import { Picture } from "./picture";

export class Report extends Picture<ReportData> {
  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, {
      id: "etlens.report",
      title: "Report",
      script: "report",
      heading: "Report",
      body: `<div id="page"></div>`,
      hasMain: true,
    });
  }

  override async data(): Promise<ReportData> {
    const { why, title, style, body } = await this.profile.server.request<protocol.ReportResult>(protocol.report);
    return { why, title, style, body };
  }

  protected override receive({ path, line }: { path?: unknown; line?: unknown }): void {
    if (typeof path !== "string" || typeof line !== "number" || !Number.isInteger(line) || line < 1) return;
    const position = new vscode.Position(line - 1, 0);
    void vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(position, position), viewColumn: this.sourceColumn });
  }
}
