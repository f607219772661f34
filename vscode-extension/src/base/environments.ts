// SPDX-License-Identifier: Apache-2.0
// Where packages are, for the server; and what a mapping of paths is that was shown by one file. Knows no editor.
export interface PathMapping {
  from: string;
  to: string;
}

// Settings of a section with the environment that the Python extension has chosen, behind those that the user named.
export function withEnvironment(settings: unknown, environment: string | undefined): unknown {
  if (environment === undefined || typeof settings !== "object" || settings === null || Array.isArray(settings)) return settings;
  const { pythonEnvironments: named } = settings as { pythonEnvironments?: unknown };
  return { ...settings, pythonEnvironments: [...(Array.isArray(named) ? (named as unknown[]) : []), environment] };
}

// That leads from a recorded file to the one that was picked: by the folders in which both lie alike, so that
// their neighbours are found as well; of files with different names by the two files.
export function mappingOf(recorded: string, picked: string): PathMapping {
  const from = recorded.replaceAll("\\", "/").split("/");
  const to = picked.replaceAll("\\", "/").split("/");
  let alike = 0;
  while (alike < from.length - 1 && alike < to.length - 1 && from[from.length - 1 - alike] === to[to.length - 1 - alike]) ++alike;
  const folder = (path: string[]) => path.slice(0, path.length - alike).join("/");
  // Not the root itself, which everything is below of.
  if (folder(from) === "" || folder(to) === "") return { from: from.slice(0, -1).join("/"), to: to.slice(0, -1).join("/") };
  return { from: folder(from), to: folder(to) };
}
