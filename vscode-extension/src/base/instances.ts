// SPDX-License-Identifier: Apache-2.0
// The nodes of one source line by the module that runs them, and modules as parts of a text that fold.
// Knows no editor.
import type { EdgeProgramNode } from "./protocol";

export interface Instance {
  module: string;
  nodes: EdgeProgramNode[];
}

// In the order of the program.
export function instancesOf(nodes: readonly EdgeProgramNode[]): Instance[] {
  const found = new Map<string, EdgeProgramNode[]>();
  for (const node of nodes) {
    const module = node.module ?? "";
    found.set(module, [...(found.get(module) ?? []), node]);
  }
  return [...found].map(([module, own]) => ({ module, nodes: own }));
}

export interface Fold {
  first: number; // lines, both included
  last: number;
}

// Runs of nodes of one module, with those of what it holds; larger ones first.
export function moduleFolds(nodes: readonly EdgeProgramNode[]): Fold[] {
  const folds: Fold[] = [];
  const open: { path: string; fold: Fold }[] = [];
  for (const { line, module } of nodes) {
    const parts = module === undefined || module === "" ? [] : module.split(".");
    const paths = parts.map((_, i) => parts.slice(0, i + 1).join("."));
    const same = open.findIndex(({ path }, depth) => paths[depth] !== path);
    open.length = same < 0 ? open.length : same;
    for (const { fold } of open) fold.last = line;
    for (const path of paths.slice(open.length)) {
      const fold = { first: line, last: line };
      folds.push(fold);
      open.push({ path, fold });
    }
  }
  // A container of one module folds as that does.
  const long = folds.filter(({ first, last }) => last > first);
  return long.filter(({ first, last }, i) => i === 0 || long[i - 1]?.first !== first || long[i - 1]?.last !== last);
}
