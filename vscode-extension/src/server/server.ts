// SPDX-License-Identifier: Apache-2.0
// The server as the rest of the extension sees it: started once, restarted if it dies, asked.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { onDidChange } from "../base/config";
import * as protocol from "../base/protocol";
import { withoutLinks } from "../base/sentences";
import { whyNotStarted } from "./loader";
import { PythonEnvironment } from "./python";
import { findServer } from "./serverPath";

export type ServerState = "stopped" | "starting" | "running" | "failed";

// A server that dies more often than this in the time is left alone.
const maxRestarts = 4;
const restartWindowMs = 3 * 60 * 1000;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  // The last start or stop. Each begins when the one before is done, and whoever asks the server waits for it.
  private settled: Promise<void> | undefined;
  private deaths: number[] = [];
  private hasRun = false; // since it was started last
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly profileChanged = new vscode.EventEmitter<void>();
  private readonly profilesChanged = new vscode.EventEmitter<void>();
  private readonly python: PythonEnvironment;
  private readonly subscriptions: { dispose(): unknown }[];

  state: ServerState = "stopped";
  problem = ""; // why it does not run: a sentence
  readonly onDidChange = this.changed.event;
  readonly onDidChangeProfile = this.profileChanged.event;
  readonly onDidChangeProfiles = this.profilesChanged.event; // what is listed beside it

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
  ) {
    this.python = new PythonEnvironment(log);
    this.subscriptions = [
      this.python,
      // It asks for its settings then, of which the environment is one.
      this.python.onDidChange(() => void this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null })),
      onDidChange(["server.path"], () => void this.restart()),
      onDidChange(["hints.display"], () => void this.refreshHints()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    ];
  }

  // Of the server; undefined while there is none.
  get processId(): number | undefined {
    return this.client?.serverProcess?.pid;
  }

  // The environment of Python that was chosen; undefined where nobody trusts the folder.
  get pythonPath(): string | undefined {
    return this.python.path;
  }

  start(): Promise<void> {
    this.settled ??= this.startNow();
    return this.settled;
  }

  restart(): Promise<void> {
    this.deaths = [];
    const stopped = this.stop();
    this.settled = stopped.then(() => this.startNow());
    return this.settled;
  }

  // For good: only `restart` starts it again.
  stop(): Promise<void> {
    this.settled = this.stopAfter(this.settled);
    return this.settled;
  }

  async request<R>(method: string, params: object = {}): Promise<R> {
    await this.start();
    if (this.client === undefined) throw new Error(this.problem === "" ? "the etlens server does not run" : this.problem);
    return this.client.sendRequest<R>(method, params);
  }

  // workspace/executeCommand
  execute<R>(command: string, argument?: object | null): Promise<R> {
    return this.request("workspace/executeCommand", { command, arguments: argument === undefined ? [] : [argument] });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
    this.profileChanged.dispose();
    this.profilesChanged.dispose();
  }

  private async refreshHints(): Promise<void> {
    const { refreshInlayHints } = await import("./client.js");
    if (this.client !== undefined) refreshInlayHints(this.client);
  }

  private async stopAfter(settled: Promise<void> | undefined): Promise<void> {
    await settled;
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
    this.setState("stopped");
  }

  private async startNow(): Promise<void> {
    const found = findServer(this.context);
    if (found.problem !== undefined) {
      this.fail(found.problem);
      return;
    }
    this.hasRun = false;
    this.setState("starting");
    this.log.info(`starting ${found.command}`);
    try {
      const { createClient, refreshProvidedDocuments } = await import("./client.js");
      const client = createClient({
        command: found.command,
        log: this.log,
        environment: () => this.python.path,
        onRunning: () => {
          this.hasRun = true;
          this.setState("running");
        },
        onClosed: () => this.closed(),
      });
      client.onNotification(protocol.profileChanged, () => {
        this.profileChanged.fire();
        refreshProvidedDocuments(client, protocol.providedScheme);
      });
      client.onNotification(protocol.profilesChanged, () => this.profilesChanged.fire());
      this.client = client;
      await client.start();
    } catch (error) {
      this.client = undefined;
      const reason = (await whyNotStarted(found.command)) ?? (error instanceof Error ? error.message : String(error));
      this.fail(`The etlens server did not start: ${reason}`);
    }
  }

  private closed(): boolean {
    // What never ran would not run the next time either; `startNow` says why.
    if (!this.hasRun) return false;
    const now = Date.now();
    this.deaths = [...this.deaths.filter((time) => now - time < restartWindowMs), now];
    if (this.deaths.length <= maxRestarts) {
      this.log.warn("The etlens server ended unexpectedly and is started again.");
      void vscode.window.setStatusBarMessage("$(warning) etlens: the server ended unexpectedly and was started again", 10_000);
      this.setState("starting");
      return true;
    }
    this.fail(`The etlens server ended ${this.deaths.length} times within 3 minutes and was not started again. The log says more.`);
    return false;
  }

  private fail(problem: string): void {
    this.problem = problem;
    this.log.error(problem);
    this.setState("failed");
    void vscode.window.showErrorMessage(withoutLinks(problem), "Open Log", "Restart").then((choice) => {
      if (choice === "Open Log") this.log.show();
      if (choice === "Restart") void this.restart();
    });
  }

  private setState(state: ServerState): void {
    if (state !== "failed") this.problem = "";
    this.state = state;
    this.changed.fire();
  }
}
