// SPDX-License-Identifier: Apache-2.0
// Which dump, and which method or block of it, is shown.
import * as vscode from "vscode";
import type { Parts } from "../extension";
import { age, count, shortPath, size } from "../format";
import * as protocol from "../protocol";
import type { ProfileNode } from "../views/profiles";

export async function pickProfile({ server }: Parts): Promise<void> {
  const { dumps } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const newest = { label: "$(history) The newest, always", description: "", dump: undefined };
  const items = dumps.map((dump) => ({
    label: `${dump.current ? "$(circle-filled)" : "$(circle-outline)"} ${shortPath(dump.etdump)}`,
    description: `${age(dump.modified)}, ${size(dump.size)}`,
    dump,
  }));
  const chosen = await vscode.window.showQuickPick([newest, ...items], { title: "Show Which Dump?", matchOnDescription: true });
  if (chosen === undefined) return;
  await server.execute(protocol.commands.selectProfile, chosen.dump === undefined ? null : { etdump: chosen.dump.etdump });
}

export async function useProfile({ server }: Parts, node: Pick<ProfileNode, "dump">): Promise<void> {
  if (node.dump !== undefined) await server.execute(protocol.commands.selectProfile, { etdump: node.dump.etdump });
}

export async function pickMethod({ server }: Parts): Promise<void> {
  const { methods, blocks } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const mark = (current: boolean) => (current ? "$(circle-filled)" : "$(circle-outline)");
  const chosen = await vscode.window.showQuickPick(
    [
      ...methods.map(({ name, current }) => ({
        label: `${mark(current)} ${name}`,
        description: "method",
        selection: { method: name },
      })),
      ...blocks.map(({ name, current, executions }) => ({
        label: `${mark(current)} ${name}`,
        description: `block, ${count(executions, "execution")}`,
        selection: { block: name },
      })),
      { label: "$(discard) The default", description: "", selection: null },
    ],
    { title: "Show Which Method or Block?" },
  );
  if (chosen !== undefined) await server.execute(protocol.commands.selectMethod, chosen.selection);
}
