// SPDX-License-Identifier: Apache-2.0
// Dumps and folders of dumps as rows of a list.
import * as path from "node:path";
import { age, count, size } from "../base/format";
import { shortPath } from "../base/paths";
import type * as protocol from "../base/protocol";
import { dumpNumbers } from "../views/profiles";

export function aboutDump(dump: protocol.DumpItem): string {
  return [...dumpNumbers(dump), age(dump.modified), size(dump.size)].join(", ");
}

// Folders that hold several dumps.
export function foldersOf(dumps: readonly protocol.DumpItem[]): { label: string; description: string; selection: { paths: string[] } }[] {
  const folders = new Map<string, number>();
  for (const { etdump } of dumps) folders.set(path.posix.dirname(etdump), (folders.get(path.posix.dirname(etdump)) ?? 0) + 1);
  return [...folders].filter(([, dumpsThere]) => dumpsThere > 1).map(([folder, dumpsThere]) => ({
    label: `$(folder) ${shortPath(folder)}`,
    description: count(dumpsThere, "dump"),
    selection: { paths: [folder] },
  }));
}
