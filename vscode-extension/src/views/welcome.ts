// SPDX-License-Identifier: Apache-2.0
// Why a view is empty and what to do about it, in the words of the manifest (viewsWelcome): the editor says
// them in trees, our pages say them themselves.
import * as vscode from "vscode";
import type { Why } from "../server/profile";

export interface Welcome {
  text: string;
  actions: { label: string; command: string }[];
}

interface Manifest {
  contributes: { viewsWelcome: { view: string; contents: string; when: string }[] };
}

export function welcomeOf(extension: vscode.Extension<unknown>, view: string, why: Why): Welcome | undefined {
  const { viewsWelcome } = (extension.packageJSON as Manifest).contributes;
  const trust = vscode.workspace.isTrusted ? "isWorkspaceTrusted" : "!isWorkspaceTrusted";
  const conditions = [`etlens.why == ${why}`, `etlens.why == ${why} && ${trust}`];
  const found = viewsWelcome.find((welcome) => welcome.view === view && welcome.when.split(" || ").some((condition) => conditions.includes(condition)));
  if (found === undefined) return undefined;
  const lines = found.contents.split("\n");
  const actions = lines.flatMap((line) => {
    const [, label, command] = /^\[(.*)\]\(command:([\w.]+)\)$/.exec(line) ?? [];
    return label === undefined || command === undefined ? [] : [{ label, command }];
  });
  return { text: lines.filter((line) => !line.startsWith("[")).join(" "), actions };
}
