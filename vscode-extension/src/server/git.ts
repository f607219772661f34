// SPDX-License-Identifier: Apache-2.0
// Branches and commits that have a file, as the editor's own extension of git knows them. Without it, or in a workspace
// where it is off, there are none.
import * as path from "node:path";
import * as vscode from "vscode";
import { age } from "../base/format";

const mostBranches = 20;
const mostCommits = 10;

interface Commit {
  hash: string;
  message: string;
  commitDate?: Date;
}

// What is used of the API of vscode.git, version 1.
interface Repository {
  rootUri: vscode.Uri;
  state: { HEAD?: { name?: string } | undefined };
  getBranches(query: { remote: boolean; sort: "committerdate"; count: number }): Promise<{ name?: string }[]>;
  getObjectDetails(treeish: string, file: string): Promise<{ object: string }>;
  log(options: { maxEntries: number; path: string }): Promise<Commit[]>;
}
interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): { getRepository(uri: vscode.Uri): Repository | null };
}

export interface Revision {
  name: string;
  about: string;
  path: string; // as a baseline names it: "main:artifacts/model.etdp"
}

async function repositoryOf(file: string): Promise<Repository | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = await extension?.activate();
  return git?.enabled === true ? (git.getAPI(1).getRepository(vscode.Uri.file(file)) ?? undefined) : undefined;
}

async function has(repository: Repository, revision: string, file: string): Promise<boolean> {
  try {
    await repository.getObjectDetails(revision, file);
    return true;
  } catch {
    return false;
  }
}

// Branches whose tip has the file, and the last commits that changed it.
export async function revisionsOf(file: string): Promise<Revision[]> {
  const repository = await repositoryOf(file);
  if (repository === undefined) return [];
  const inside = path.relative(repository.rootUri.fsPath, file).replaceAll(path.sep, "/");
  const branches = await repository.getBranches({ remote: false, sort: "committerdate", count: mostBranches });
  const names = branches.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const there = await Promise.all(names.map((name) => has(repository, name, inside)));
  const commits = there.includes(true) ? await repository.log({ maxEntries: mostCommits, path: file }) : [];
  return [
    ...names.filter((_, i) => there[i]).map((name) => ({ name, about: "branch", path: `${name}:${inside}` })),
    ...commits.map(({ hash, message, commitDate }) => ({
      name: hash.slice(0, 8),
      about: [message.split("\n")[0] ?? "", commitDate === undefined ? "" : age(commitDate.getTime())].filter((fact) => fact !== "").join(", "),
      path: `${hash}:${inside}`,
    })),
  ];
}
