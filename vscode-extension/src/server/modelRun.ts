// SPDX-License-Identifier: Apache-2.0
// `etlens profile` as a process for the probe and as a task for the run. Only in workspaces that are trusted: it imports
// and runs the model.
import * as path from "node:path";
import * as vscode from "vscode";
import { parseProbe } from "../base/profileProbe";
import type { ProfileProbeView } from "../base/protocol";
import { executable, runExecutable } from "./executable";

// What a run needs, as it is remembered for the next one.
export interface ModelRun {
  file: string;
  model: string; // the name of the class
  inputs: string[]; // as `--input` takes them
  dump: string; // that it writes
  script: string; // that it runs
  scriptTime?: number; // when that was changed last, before or in the run
}

export const taskType = "etlens";

interface Definition extends vscode.TaskDefinition {
  model: string; // FILE:CLASS
  inputs?: string[];
}

function checkTrust(): void {
  if (!vscode.workspace.isTrusted) throw new Error("a model is run only in a workspace that you trust");
}

const pythonArguments = (python: string | undefined) => (python === undefined ? [] : ["--python", python]);

export async function probe(context: vscode.ExtensionContext, file: string, model: string, python: string | undefined, token: vscode.CancellationToken): Promise<ProfileProbeView> {
  checkTrust();
  const { output } = await runExecutable(context, ["profile", `${file}:${model}`, "--probe", "--json", ...pythonArguments(python)], { folder: path.dirname(file), token });
  return parseProbe(output);
}

function taskOf(command: string, definition: Definition, file: string, python: string | undefined): vscode.Task {
  const inputs = (definition.inputs ?? []).flatMap((input) => ["--input", input]);
  const args = ["profile", `${file}:${classOf(definition)}`, ...inputs, ...pythonArguments(python), "--yes"];
  const scope = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) ?? vscode.TaskScope.Workspace;
  const execution = new vscode.ProcessExecution(command, args, { cwd: path.dirname(file) });
  const task = new vscode.Task(definition, scope, `profile ${classOf(definition)}`, taskType, execution, []);
  task.presentationOptions = { panel: vscode.TaskPanelKind.Dedicated, clear: true, showReuseMessage: false, focus: false };
  return task;
}

const classOf = ({ model }: Definition) => model.slice(model.lastIndexOf(":") + 1);

export function runTask(context: vscode.ExtensionContext, { file, model, inputs }: ModelRun, python: string | undefined): vscode.Task {
  checkTrust();
  return taskOf(executable(context), { type: taskType, model: `${file}:${model}`, inputs }, file, python);
}

// Tasks of tasks.json, and the last run as one that is offered.
export function registerTasks(context: vscode.ExtensionContext, python: () => string | undefined, last: () => ModelRun | undefined): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(taskType, {
    provideTasks: () => {
      const run = last();
      return run === undefined || !vscode.workspace.isTrusted ? [] : [runTask(context, run, python())];
    },
    resolveTask: (task) => {
      const definition = task.definition as Definition;
      const colon = typeof definition.model === "string" ? definition.model.lastIndexOf(":") : -1;
      if (colon <= 0 || !vscode.workspace.isTrusted) return undefined;
      const base = typeof task.scope === "object" ? task.scope.uri.fsPath : (vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "");
      return taskOf(executable(context), definition, path.resolve(base, definition.model.slice(0, colon)), python());
    },
  });
}

// Until its process has ended: its exit code; undefined if the person cancelled it, or if it did not start.
export async function finished(task: vscode.Task, title: string, onCancel: () => void): Promise<{ code: number | undefined; isCancelled: boolean }> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    token.onCancellationRequested(onCancel);
    // Listened to from before the start: a process may end at once.
    const codes = new Map<vscode.TaskExecution, number | undefined>();
    let settle: () => void = () => undefined;
    const note = (execution: vscode.TaskExecution, code: number | undefined) => {
      if (!codes.has(execution)) codes.set(execution, code);
      settle();
    };
    const listeners = vscode.Disposable.from(
      // What is ended before its process begins goes on otherwise.
      vscode.tasks.onDidStartTaskProcess(({ execution }) => {
        if (execution.task.name === task.name && token.isCancellationRequested) execution.terminate();
      }),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => note(execution, exitCode)),
      vscode.tasks.onDidEndTask(({ execution }) => setTimeout(() => note(execution, undefined), 500)), // after the process, if there was one
    );
    try {
      const execution = await vscode.tasks.executeTask(task);
      token.onCancellationRequested(() => execution.terminate());
      await new Promise<void>((resolve) => {
        settle = () => {
          if (codes.has(execution)) resolve();
        };
        settle();
      });
      return { code: codes.get(execution), isCancelled: token.isCancellationRequested };
    } finally {
      listeners.dispose();
    }
  });
}
