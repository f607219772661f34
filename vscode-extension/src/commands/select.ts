// SPDX-License-Identifier: Apache-2.0
// Which dump, which method or block of it, which measure and which statistic is shown.
import * as path from "node:path";
import * as vscode from "vscode";
import { age, count, mark, size } from "../base/format";
import { methodChoices } from "../base/methods";
import { shortPath } from "../base/paths";
import * as protocol from "../base/protocol";
import { statistics } from "../base/statistics";
import type { Profile } from "../server/profile";
import type { Server } from "../server/server";
import { dumpNumbers, type ProfileNode } from "../views/profiles";
import { becomes } from "./becomes";
import type { Parts } from "./parts";

function about(dump: protocol.DumpItem): string {
  return [...dumpNumbers(dump), age(dump.modified), size(dump.size)].join(", ");
}

export async function pickProfile({ server }: Parts): Promise<void> {
  const { dumps } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const newest = { label: "$(history) Follow the newest", description: "", dump: undefined };
  const items = dumps.map((dump) => ({
    label: `${mark(dump.current)} ${shortPath(dump.etdump)}`,
    description: about(dump),
    dump,
  }));
  const chosen = await vscode.window.showQuickPick([newest, ...items], { title: "Show Which Dump?", matchOnDescription: true });
  if (chosen === undefined) return;
  await server.execute(protocol.commands.selectProfile, chosen.dump === undefined ? null : { etdump: chosen.dump.etdump });
}

export async function useProfile({ server }: Parts, node: Pick<ProfileNode, "dump">): Promise<void> {
  if (node.dump !== undefined) await server.execute(protocol.commands.selectProfile, { etdump: node.dump.etdump });
}

export async function pickBaseline({ server }: Parts): Promise<void> {
  const { dumps } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const others = dumps.filter((dump) => !dump.current);
  const items = others.map((dump) => ({
    label: `${mark(dump.baseline)} ${shortPath(dump.etdump)}`,
    description: about(dump),
    selection: { paths: [dump.etdump] },
  }));
  const none = { label: "$(close) No baseline", description: "", selection: { paths: [] } };
  const setting = { label: "$(discard) Use the setting", description: "", selection: null };
  const chosen = await vscode.window.showQuickPick([...foldersOf(others), ...items, none, setting], { title: "Compare With Which Dump?", matchOnDescription: true });
  if (chosen !== undefined) await server.execute(protocol.commands.selectBaseline, chosen.selection);
}

export async function compareWith({ server }: Parts, node: Pick<ProfileNode, "dump">): Promise<void> {
  if (node.dump !== undefined) await server.execute(protocol.commands.selectBaseline, { paths: [node.dump.etdump] });
}

// The more dumps, the surer the verdicts: all that lie beside it, but for the one that is shown.
export async function compareWithFolder({ server }: Parts, node: Pick<ProfileNode, "dump">): Promise<void> {
  if (node.dump !== undefined) await server.execute(protocol.commands.selectBaseline, { paths: [path.posix.dirname(node.dump.etdump)] });
}

// What changed since the run before this one, which the server has stored.
export async function compareWithLastRun({ server, profile }: Parts): Promise<void> {
  const last = profile.status?.last_run;
  if (last === undefined) {
    void vscode.window.showInformationMessage("No earlier run of this model is stored. etlens stores each run that it shows, in folders that you trust.");
    return;
  }
  await showChanges(server, profile, last);
}

// One of those that the status names: the best, the last of an earlier day, the last of main.
export async function compareWithRun({ server, profile }: Parts, run: number): Promise<void> {
  const earlier = profile.status?.earlier_runs.find((each) => each.run === run);
  if (earlier === undefined) throw new Error(`run ${run} is not one of those that etlens compares with now`);
  await showChanges(server, profile, earlier);
}

// The view is there only with a comparison, which takes as long as reading the run.
async function showChanges(server: Server, profile: Profile, { selection }: protocol.LastRunItem): Promise<void> {
  await server.execute(protocol.commands.selectBaseline, selection);
  if (!(await becomes(() => profile.status?.comparison !== undefined, profile.onDidChange))) throw new Error("the run is not compared yet; the log shows why");
  await vscode.commands.executeCommand("etlens.changes.focus");
}

export async function stopComparing({ server }: Parts): Promise<void> {
  await server.execute(protocol.commands.selectBaseline, { paths: [] });
}

// Folders that hold several dumps.
function foldersOf(dumps: readonly protocol.DumpItem[]): { label: string; description: string; selection: { paths: string[] } }[] {
  const folders = new Map<string, number>();
  for (const { etdump } of dumps) folders.set(path.posix.dirname(etdump), (folders.get(path.posix.dirname(etdump)) ?? 0) + 1);
  return [...folders].filter(([, dumpsThere]) => dumpsThere > 1).map(([folder, dumpsThere]) => ({
    label: `$(folder) ${shortPath(folder)}`,
    description: count(dumpsThere, "dump"),
    selection: { paths: [folder] },
  }));
}

// Any other folder than those, or a file of rows, is looked for.
export async function pickFleet({ server, profile }: Parts): Promise<void> {
  const { dumps } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const items = foldersOf(dumps);
  const looks = { label: "$(search) Another folder, or rows…", description: "", selection: undefined };
  const none = { label: "$(close) No fleet", description: profile.status?.fleet?.message ?? "", selection: { paths: [] } };
  const setting = { label: "$(discard) Use the setting", description: "", selection: null };
  const chosen = await vscode.window.showQuickPick([...items, looks, none, setting], { title: "Show Which Dumps as a Fleet?", matchOnDescription: true });
  if (chosen === undefined) return;
  if (chosen.selection !== undefined) return server.execute(protocol.commands.selectFleet, chosen.selection);
  const found = await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: true, openLabel: "Show Fleet" });
  if (found?.[0] !== undefined) await server.execute(protocol.commands.selectFleet, { paths: [found[0].fsPath] });
}

export async function pickMethod({ server }: Parts): Promise<void> {
  const choices = methodChoices(await server.request<protocol.ProfilesResult>(protocol.profiles));
  const chosen = await vscode.window.showQuickPick(choices, { title: "Show Which Method or Block?" });
  if (chosen !== undefined) await server.execute(protocol.commands.selectMethod, chosen.selection);
}

export async function pickMeasure({ server, profile }: Parts): Promise<void> {
  const measures = profile.status?.measures ?? [];
  if (measures.length === 0) throw new Error("etlens shows no dump");
  const chosen = await vscode.window.showQuickPick(
    [
      ...measures.map(({ id, label, current, total }) => ({
        label: `${mark(current)} ${label}`,
        description: total.text,
        selection: { measure: id } satisfies protocol.SelectMeasureArguments,
      })),
      { label: "$(discard) Use the setting", description: "", selection: null },
    ],
    { title: "Show What on the Lines?", placeHolder: "Hints, heat, lenses and views follow; hovers list all measures" },
  );
  if (chosen !== undefined) await server.execute(protocol.commands.selectMeasure, chosen.selection);
}

export async function pickStatistic({ server }: Parts): Promise<void> {
  const offered = (await server.request<protocol.ProfilesResult>(protocol.profiles)).statistics;
  if (offered.length === 0) throw new Error("etlens shows no dump");
  const chosen = await vscode.window.showQuickPick(
    [
      ...offered.map(({ name, current }) => ({
        label: `${mark(current)} ${name}`,
        detail: statistics.find((statistic) => statistic.name === name)?.explanation ?? "",
        selection: { statistic: name },
      })),
      { label: "$(discard) Use the setting", detail: "", selection: null },
    ],
    { title: "Show Which Statistic?", matchOnDetail: true },
  );
  if (chosen !== undefined) await server.execute(protocol.commands.selectStatistic, chosen.selection);
}
