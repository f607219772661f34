// SPDX-License-Identifier: Apache-2.0
// What the shown dump is compared with. Compare With… is one list of all that there is: stored runs, branches and commits
// that have the dump, folders, dumps.
import * as path from "node:path";
import * as vscode from "vscode";
import { age, mark } from "../base/format";
import { shortPath } from "../base/paths";
import { parsePrinted } from "../base/printed";
import * as protocol from "../base/protocol";
import { runExecutable } from "../server/executable";
import { revisionsOf } from "../server/git";
import type { Profile } from "../server/profile";
import type { Server } from "../server/server";
import type { ProfileNode } from "../views/profiles";
import { becomes } from "./becomes";
import { aboutDump, foldersOf } from "./dumps";
import type { Parts } from "./parts";

const mostRuns = 20;

interface Item extends vscode.QuickPickItem {
  selection?: protocol.SelectBaselineArguments | null;
}

const group = (label: string, items: readonly Item[]): Item[] => (items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items]);

function selectionOf({ etdump, etrecord, pte }: protocol.StoredRunView): protocol.SelectBaselineArguments {
  return { paths: [etdump], ...(etrecord !== null && { etrecord }), ...(pte !== null && { pte }) };
}

// "main 1a2b3c4d": where the run was made.
const madeAt = ({ branch, commit }: protocol.StoredRunView) => [branch ?? "", commit?.slice(0, 8) ?? ""].filter((part) => part !== "").join(" ");

function runItem(run: protocol.StoredRunView, baseline: readonly string[]): Item {
  const facts = [age(run.time), madeAt(run), run.pinned ? "pinned" : ""].filter((fact) => fact !== "");
  return { label: `${mark(baseline.includes(run.etdump))} run ${run.run}`, description: facts.join(", "), selection: selectionOf(run) };
}

// Those next to the shown dump, the newest first, without the one that is shown: it is the newest of its dump.
async function storedRuns({ context, profile }: Parts): Promise<Item[]> {
  const shown = profile.status?.profile;
  if (shown === undefined || shown.etdump === "") return [];
  const folder = path.dirname(shown.etdump);
  const { output } = await runExecutable(context, ["runs", "--format=json", `--top=${mostRuns}`, folder], { folder });
  const baseline = profile.status?.comparison?.baseline ?? [];
  const isShown = (run: protocol.StoredRunView) => path.basename(run.dump) === path.basename(shown.etdump) && run.time === shown.modified;
  const { runs } = parsePrinted(output, "etlens/runs@1", "the stored runs") as protocol.RunsView;
  return runs.filter((run) => !isShown(run)).map((run) => runItem(run, baseline));
}

async function revisions({ profile }: Parts): Promise<Item[]> {
  const shown = profile.status?.profile;
  if (shown === undefined || shown.etdump === "") return [];
  return (await revisionsOf(shown.etdump)).map(({ name, about, path: dump }) => ({ label: `$(git-branch) ${name}`, description: about, selection: { paths: [dump] } }));
}

// What cannot be listed must not hide the rest.
async function orNone(parts: Parts, list: Promise<Item[]>): Promise<Item[]> {
  try {
    return await list;
  } catch (error) {
    parts.server.log.warn(`not listed to compare with: ${String(error)}`);
    return [];
  }
}

export async function pickBaseline(parts: Parts): Promise<void> {
  const { server } = parts;
  const [{ dumps }, runs, ofGit] = await Promise.all([
    server.request<protocol.ProfilesResult>(protocol.profiles),
    orNone(parts, storedRuns(parts)),
    orNone(parts, revisions(parts)),
  ]);
  const others = dumps.filter((dump) => !dump.current);
  const items: Item[] = [
    ...group("stored runs", runs),
    ...group("branches and commits", ofGit),
    ...group("folders", foldersOf(others)),
    ...group("dumps", others.map((dump) => ({ label: `${mark(dump.baseline)} ${shortPath(dump.etdump)}`, description: aboutDump(dump), selection: { paths: [dump.etdump] } }))),
    ...group("no other", [
      { label: "$(close) No baseline", selection: { paths: [] } },
      { label: "$(discard) Use the setting", selection: null },
    ]),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: "Compare With What?", matchOnDescription: true });
  if (chosen?.selection !== undefined) await server.execute(protocol.commands.selectBaseline, chosen.selection);
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
