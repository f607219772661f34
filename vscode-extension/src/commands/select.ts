// SPDX-License-Identifier: Apache-2.0
// Which dump, which method or block of it, which measure and which statistic is shown.
import * as vscode from "vscode";
import { mark } from "../base/format";
import { methodChoices } from "../base/methods";
import { shortPath } from "../base/paths";
import * as protocol from "../base/protocol";
import { statistics } from "../base/statistics";
import type { ProfileNode } from "../views/profiles";
import { aboutDump, foldersOf } from "./dumps";
import type { Parts } from "./parts";

export async function pickProfile({ server }: Parts): Promise<void> {
  const { dumps } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const newest = { label: "$(history) Follow the newest", description: "", dump: undefined };
  const items = dumps.map((dump) => ({
    label: `${mark(dump.current)} ${shortPath(dump.etdump)}`,
    description: aboutDump(dump),
    dump,
  }));
  const chosen = await vscode.window.showQuickPick([newest, ...items], { title: "Show Which Dump?", matchOnDescription: true });
  if (chosen === undefined) return;
  await server.execute(protocol.commands.selectProfile, chosen.dump === undefined ? null : { etdump: chosen.dump.etdump });
}

export async function useProfile({ server }: Parts, node: Pick<ProfileNode, "dump">): Promise<void> {
  if (node.dump !== undefined) await server.execute(protocol.commands.selectProfile, { etdump: node.dump.etdump });
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
