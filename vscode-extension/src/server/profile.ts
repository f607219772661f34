// SPDX-License-Identifier: Apache-2.0
// What the server shows at the moment. One request per change of it, whoever wants to know.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Server } from "./server";

// Why views are empty; the context key etlens.why, which welcome texts are chosen by.
export type Why = "starting" | "failed" | "noServer" | "none" | "noRecord" | "mismatch" | "notRun" | "ready";

export class Profile implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private asked = 0;

  status: protocol.StatusResult | undefined;
  why: Why = "starting";
  readonly onDidChange = this.changed.event;

  constructor(readonly server: Server) {
    this.subscriptions = [
      server.onDidChange(() => void this.update()),
      server.onDidChangeProfile(() => void this.update()),
    ];
  }

  get generation(): number {
    return this.status?.generation ?? 0;
  }

  // One sentence: what is shown, or why nothing is.
  get message(): string {
    if (this.server.state === "failed") return this.server.problem;
    return this.status?.message ?? "etlens is starting";
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  private async update(): Promise<void> {
    const turn = ++this.asked;
    let status: protocol.StatusResult | undefined;
    if (this.server.state === "running") {
      try {
        status = await this.server.request<protocol.StatusResult>(protocol.status);
      } catch (error) {
        this.server.log.warn(`no status: ${String(error)}`);
      }
    }
    if (turn !== this.asked) return;
    this.status = status;
    this.why = reason(this.server, status);
    await vscode.commands.executeCommand("setContext", "etlens.why", this.why);
    // Keys, menus and a view depend on it, whatever views are open.
    await vscode.commands.executeCommand("setContext", "etlens.shown", status?.profile !== undefined);
    await vscode.commands.executeCommand("setContext", "etlens.compared", status?.comparison !== undefined);
    await vscode.commands.executeCommand("setContext", "etlens.brokenBudget", (status?.budgets?.broken.length ?? 0) > 0);
    this.changed.fire();
  }
}

function reason(server: Server, status: protocol.StatusResult | undefined): Why {
  if (server.state === "failed") return "noServer";
  if (status === undefined || (status.state === "loading" && status.profile === undefined)) return "starting";
  if (status.profile === undefined) return status.state === "failed" ? "failed" : "none";
  if (status.profile.record_problem !== undefined) return status.waiting === undefined ? "mismatch" : "notRun";
  return status.profile.etrecord === undefined ? "noRecord" : "ready";
}
