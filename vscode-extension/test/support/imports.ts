// SPDX-License-Identifier: Apache-2.0
// Who imports whom, and whether that goes round in a circle.
import * as fs from "node:fs";
import * as path from "node:path";
import ts from "typescript";

export type Graph = Map<string, string[]>; // name -> what it imports

// Whatever a text imports by a relative path: values, types, re-exports, import().
export function relativeImports(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
}

// Of all files below `root`, by their paths in it. Throws if an import leads to none of them.
export function importsOf(root: string): Graph {
  const files = fs.readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const known = new Set(files);
  const resolve = (from: string, name: string) => {
    const target = path.posix.join(path.posix.dirname(from), name).replace(/\.js$/, "");
    const found = [`${target}.ts`, `${target}/index.ts`].find((file) => known.has(file));
    if (found === undefined) throw new Error(`${from} imports ${name}, which is not below ${root}`);
    return found;
  };
  return new Map(files.map((file) => [file, relativeImports(fs.readFileSync(path.join(root, file), "utf8")).map((name) => resolve(file, name))]));
}

// The same between folders.
export function foldersOf(files: Graph): Graph {
  const folders: Graph = new Map();
  for (const [file, imports] of files) {
    const folder = path.posix.dirname(file);
    const others = imports.map((name) => path.posix.dirname(name)).filter((other) => other !== folder);
    folders.set(folder, [...new Set([...(folders.get(folder) ?? []), ...others])]);
  }
  return folders;
}

// The first circle that is found, its first name again at its end: ["a", "b", "a"]; undefined if there is none.
export function circle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (name: string): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return undefined;
    way.push(name);
    for (const next of graph.get(name) ?? []) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    way.pop();
    done.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const found = visit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
