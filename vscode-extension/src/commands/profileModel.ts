// SPDX-License-Identifier: Apache-2.0
// Profile My Model, and Run Again: from a class to the numbers on its hottest line.
import { existsSync, realpathSync, statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { trusted } from "../base/config";
import { inputProblem, problemText } from "../base/profileProbe";
import * as protocol from "../base/protocol";
import { withoutLinks } from "../base/sentences";
import { finished, type ModelRun, probe, registerTasks, runTask } from "../server/modelRun";
import { becomes } from "./becomes";
import { chooseModel } from "./chooseModel";
import type { Parts } from "./parts";

const lastRunKey = "etlens.lastRun";

const lastRun = (context: vscode.ExtensionContext) => context.workspaceState.get<ModelRun>(lastRunKey);

// The run that goes on, until its numbers are there.
let current: { isCancelled: boolean; end: Promise<boolean> } | undefined;
let isWanted = false; // once more, after this one
let isSaving = false; // by us

export async function profileModel(parts: Parts, argument?: protocol.ProfileModelArguments): Promise<void> {
  const chosen = argument ?? (await chooseModel(parts));
  if (chosen === undefined) return;
  const file = vscode.Uri.parse(chosen.uri).fsPath;
  await saveAll();
  const title = `etlens: looking at ${chosen.model}`;
  const found = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) =>
    probe(parts.context, file, chosen.model, parts.server.pythonPath, token).catch((error: unknown) => {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }),
  );
  if (found === undefined || !(await isPossible(found))) return;
  const last = lastRun(parts.context);
  const inputs = await askInputs(found, last?.file === file && last.model === chosen.model ? last.inputs : []);
  if (inputs === undefined) return;
  const run = { file, model: chosen.model, inputs, dump: found.dump, script: found.script };
  if ((await runNow(parts, run)) && !found.script_exists) void sayScript(found.script);
}

// With the inputs of the last time; a model that was not run here is asked about.
export async function runAgain(parts: Parts, argument?: protocol.ProfileModelArguments): Promise<void> {
  const last = lastRun(parts.context);
  const isOther = argument !== undefined && (last?.model !== argument.model || last.file !== vscode.Uri.parse(argument.uri).fsPath);
  if (last === undefined || isOther || !existsSync(last.file)) return profileModel(parts, argument);
  // It may have other inputs now.
  if (timeOf(last.script) !== last.scriptTime) return profileModel(parts, { uri: vscode.Uri.file(last.file).toString(), model: last.model });
  await saveAll();
  await runNow(parts, last);
}

function timeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

// What runs is what is on the disk.
async function saveAll(): Promise<void> {
  isSaving = true;
  try {
    await vscode.workspace.saveAll(false);
  } finally {
    isSaving = false;
  }
}

// Whether a run would get anywhere; else what is missing.
async function isPossible({ problems }: protocol.ProfileProbeView): Promise<boolean> {
  const problem = problems.find(({ stops }) => stops);
  if (problem === undefined) return true;
  const inTerminal = "Write Command to Terminal";
  const chosen = await vscode.window.showErrorMessage(withoutLinks(`etlens: ${problemText(problem)}`), ...(problem.command === null ? [] : [inTerminal]));
  if (chosen === inTerminal && problem.command !== null) {
    const terminal = vscode.window.createTerminal("etlens");
    terminal.show();
    terminal.sendText(problem.command, false); // the person runs it
  }
  return false;
}

// One box per input; undefined if the person left one.
async function askInputs({ needs_inputs, inputs, class_name }: protocol.ProfileProbeView, last: string[]): Promise<string[] | undefined> {
  if (!needs_inputs) return [];
  const given: string[] = [];
  for (const [i, { name, guess, source }] of inputs.entries()) {
    const value = last[i] ?? guess ?? "";
    const origin = last[i] !== undefined ? "As last time" : guess === null ? "Its shape is not known" : source === null ? "A guess" : `From ${source}`;
    const text = await vscode.window.showInputBox({
      title: `Input ${i + 1} of ${inputs.length} of ${class_name}: ${name}`,
      value,
      prompt: `${origin}. A shape, and a type if it is not float32: 1x3x224x224, 1x16:int64`,
      ignoreFocusOut: true,
      validateInput: (input) => inputProblem(input),
    });
    if (text === undefined) return undefined;
    given.push(text.trim());
  }
  return given;
}

// True if the numbers are there.
async function runNow(parts: Parts, run: ModelRun): Promise<boolean> {
  // What was cancelled takes a moment to end.
  if (current?.isCancelled) await current.end.catch(() => undefined);
  if (current !== undefined) throw new Error("a model is running; its terminal shows how far it is");
  const running = { isCancelled: false, end: Promise.resolve(false) };
  current = running;
  running.end = runAndShow(parts, run, () => (running.isCancelled = true)).finally(() => {
    current = undefined;
    if (!isWanted) return;
    isWanted = false;
    void vscode.commands.executeCommand("etlens.runAgain");
  });
  return running.end;
}

async function runAndShow(parts: Parts, run: ModelRun, onCancel: () => void): Promise<boolean> {
  await parts.context.workspaceState.update(lastRunKey, run);
  const begin = Date.now();
  const { code, isCancelled } = await finished(runTask(parts.context, run, parts.server.pythonPath), `etlens: running ${run.model}`, onCancel);
  const scriptTime = timeOf(run.script);
  if (scriptTime !== undefined) await parts.context.workspaceState.update(lastRunKey, { ...run, scriptTime });
  if (isCancelled) return false;
  if (code !== 0) throw new Error(`${run.model} was not profiled; the terminal shows why`);
  await showDump(parts, run.dump, begin);
  return true;
}

// As soon as it is shown, at its hottest line.
async function showDump({ server, profile }: Parts, dump: string, since: number): Promise<void> {
  const slashed = dump.replaceAll("\\", "/");
  const isShown = () => {
    const shown = profile.status?.profile;
    // A file system may keep whole seconds.
    return shown !== undefined && isSameFile(shown.etdump, dump) && shown.modified >= since - 2000 && profile.status?.state === "ready";
  };
  await server.execute(protocol.commands.reload);
  const { pinned } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const isElsewhere = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(dump)) === undefined;
  if (pinned || isElsewhere) await server.execute(protocol.commands.selectProfile, { etdump: slashed });
  if (!(await becomes(isShown, profile.onDidChange))) throw new Error(`${path.basename(dump)} was written, but is not shown: ${profile.message}`);
  await server.execute(protocol.commands.nextHotLine, {});
}

// By another name, too: a folder may be open by a link.
function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

async function sayScript(script: string): Promise<void> {
  const open = "Open Script";
  const chosen = await vscode.window.showInformationMessage(withoutLinks(`etlens: ${path.basename(script)} ran the model. Edit it for other inputs or options; Run Again runs it as it is.`), open);
  if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(script));
}

// The task of the last run, and with the setting a run after each save of a Python file beside the model.
export function registerRuns(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(
    registerTasks(parts.context, () => parts.server.pythonPath, () => lastRun(parts.context)),
    vscode.workspace.onDidSaveTextDocument(({ languageId, uri }) => {
      const last = lastRun(parts.context);
      if (isSaving || last === undefined || languageId !== "python" || !vscode.workspace.isTrusted || !trusted<boolean>("runAgain.onSave", false)) return;
      if (!isBelow(path.dirname(last.file), uri.fsPath)) return;
      if (current !== undefined) isWanted = true;
      else void vscode.commands.executeCommand("etlens.runAgain");
    }),
  );
}

function isBelow(folder: string, file: string): boolean {
  const below = path.relative(folder, file);
  return below !== "" && !below.startsWith("..") && !path.isAbsolute(below);
}
