// SPDX-License-Identifier: Apache-2.0
// The environment that the Python extension has chosen, by its API. It is a path: no interpreter is started.
import * as vscode from "vscode";

const extensionId = "ms-python.python";

// As much of its API as is asked.
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path?: string } | undefined;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export class PythonEnvironment implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private subscription: vscode.Disposable | undefined;
  private api: PythonApi | undefined;
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    void this.find();
  }

  // Of the first folder; undefined without that extension, before it runs, and where nobody trusts the folder.
  get path(): string | undefined {
    if (!vscode.workspace.isTrusted) return undefined;
    const path = this.api?.environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri)?.path;
    // Without a choice of the user it is the name of a command.
    return path === undefined || !/[/\\]/.test(path) ? undefined : path.replaceAll("\\", "/");
  }

  dispose(): void {
    this.subscription?.dispose();
    this.changed.dispose();
  }

  private async find(): Promise<void> {
    const extension = vscode.extensions.getExtension<PythonApi | undefined>(extensionId);
    if (extension === undefined) return;
    try {
      this.api = await extension.activate();
      this.subscription = this.api?.environments?.onDidChangeActiveEnvironmentPath(() => this.changed.fire());
      if (this.path !== undefined) this.changed.fire();
    } catch (error) {
      this.log.info(`the Python extension names no environment: ${String(error)}`);
    }
  }
}
