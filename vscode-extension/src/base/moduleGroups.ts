// SPDX-License-Identifier: Apache-2.0
// Modules as few groups that a legend can name, by the deepest level of the tree that is not too many.
// Knows no editor.

export interface Grouped {
  module?: string; // "" is the root
  bytes: number;
}

export const maxGroups = 12;
export const others = "other modules";
export const unplaced = "no module";

function cut(module: string, depth: number): string {
  const parts = module === "" ? [] : module.split(".");
  return parts.length === 0 ? "the model itself" : parts.slice(0, depth).join(".");
}

function depthOf(modules: string[]): number {
  const deepest = Math.max(1, ...modules.map((module) => module.split(".").length));
  for (let depth = 1; depth < deepest; ++depth) {
    if (new Set(modules.map((module) => cut(module, depth + 1))).size > maxGroups) return depth;
  }
  return deepest;
}

// The name of each row's group. Where even the first level has too many, the smaller ones are "other modules".
export function groupModules(rows: readonly Grouped[]): string[] {
  const modules = rows.flatMap(({ module }) => (module === undefined ? [] : [module]));
  const depth = depthOf([...new Set(modules)]);
  const names = rows.map(({ module }) => (module === undefined ? unplaced : cut(module, depth)));
  const bytes = new Map<string, number>();
  names.forEach((name, i) => {
    if (name !== unplaced) bytes.set(name, (bytes.get(name) ?? 0) + (rows[i]?.bytes ?? 0));
  });
  if (bytes.size <= maxGroups) return names;
  const kept = new Set([...bytes].sort((a, b) => b[1] - a[1]).slice(0, maxGroups).map(([name]) => name));
  return names.map((name) => (name === unplaced || kept.has(name) ? name : others));
}
