// SPDX-License-Identifier: Apache-2.0
// The view "Profiles": the dumps that were found, which one is shown, and whether its record fits.
import * as vscode from "vscode";
import { comparisonWords, totalChange } from "../base/comparison";
import { age, count, percent, size } from "../base/format";
import { isOfExport, shownPath } from "../base/measures";
import { shortPath, shortPaths } from "../base/paths";
import * as protocol from "../base/protocol";
import { oddWords, sampleWords, totals } from "../base/statistics";
import type { Profile } from "../server/profile";
import { icon, type RowText, treeItem } from "./row";
import { Tree } from "./tree";

export interface ProfileNode {
  row: RowText;
  dump?: protocol.DumpItem;
  children: ProfileNode[];
}

export class ProfilesView extends Tree<ProfileNode> {
  constructor(profile: Profile) {
    super("etlens.profiles", false, profile, profile.server.onDidChangeProfiles);
  }

  async getChildren(node?: ProfileNode): Promise<ProfileNode[]> {
    if (node !== undefined) return node.children;
    const status = this.profile.status;
    if (status === undefined) return [];
    const profiles = await this.profile.server.request<protocol.ProfilesResult>(protocol.profiles);
    await vscode.commands.executeCommand("setContext", "etlens.pinned", profiles.pinned);
    // The whole sentence, over as many lines as it takes.
    const problem = status.state === "failed" || status.waiting !== undefined ? status.message : status.profile?.record_problem;
    this.view.message = problem === undefined || profiles.dumps.length === 0 ? "" : shortPaths(problem);
    const exported = status.profile !== undefined && isOfExport(status.profile) ? [exportNode(status.profile)] : [];
    return [...exported, ...profiles.dumps.map((dump) => dumpNode(dump, dump.current ? status : undefined, profiles))];
  }

  getTreeItem(node: ProfileNode): vscode.TreeItem {
    return treeItem(node.row);
  }
}

function leaf(label: string, description: string, iconName: string, more: Partial<RowText> = {}): ProfileNode {
  const spoken = description === "" ? label : `${label}: ${description}`;
  return { row: { label, description, spoken, icon: icon(iconName), ...more }, children: [] };
}

function dumpNode(dump: protocol.DumpItem, status: protocol.StatusResult | undefined, profiles: protocol.ProfilesResult): ProfileNode {
  const state = dump.current ? (profiles.pinned ? "current, pinned" : "current") : "";
  const numbers = status?.profile === undefined ? dumpNumbers(dump) : shownNumbers(status.profile);
  const facts = [state, dump.baseline ? "baseline" : "", ...numbers, age(dump.modified), size(dump.size)].filter((fact) => fact !== "").join(" · ");
  const children = status?.profile === undefined ? [] : [
    ...(status.comparison === undefined ? [] : [baseline(status.comparison)]),
    ...(status.fleet === undefined ? [] : [fleet(status.fleet)]),
    ...(status.waiting === undefined || status.details === undefined ? [] : [waiting(status.waiting, status.details)]),
    ...details(status.profile, status.warnings, profiles),
  ];
  return {
    dump,
    children,
    row: {
      id: `dump ${dump.etdump}`,
      label: shortPath(dump.etdump),
      description: facts,
      spoken: `Dump ${shortPath(dump.etdump)}: ${facts}`,
      tooltip: dump.etdump,
      icon: icon(dump.current ? "circle-filled" : dump.baseline ? "git-compare" : "circle-outline"),
      context: dump.current ? "dump.current" : dump.baseline ? "dump.baseline" : "dump",
      children: children.length === 0 ? "none" : "open",
      ...(!dump.current && { open: { command: "etlens.useProfile", argument: { dump } } }),
    },
  };
}

// What is shown before the first run.
function exportNode(profile: protocol.StatusProfile): ProfileNode {
  const path = shownPath(profile);
  return {
    children: [
      ...(profile.etrecord === undefined ? [leaf("No ETRecord", "nothing can be placed on lines", "warning")] : [leaf("Record", shortPath(profile.etrecord), "file-zip", { tooltip: profile.etrecord })]),
      ...(profile.pte === undefined ? [] : [leaf("Program", shortPath(profile.pte), "file-binary", { tooltip: profile.pte })]),
    ],
    row: {
      id: "export",
      label: shortPath(path),
      description: profile.headline,
      spoken: `Export ${shortPath(path)}: ${profile.headline}`,
      tooltip: path,
      icon: icon("circle-filled"),
      children: "open",
    },
  };
}

// Of the dump that is shown: what it took, in how many executions, and whether its record fits.
function shownNumbers(profile: protocol.StatusProfile): string[] {
  const verdict = profile.record_problem === undefined ? profile.pair_verdict : "record does not fit";
  return [profile.total_text, count(profile.executions, "execution"), ...(verdict === undefined ? [] : [verdict])];
}

// Of another one: what is known without its record.
export function dumpNumbers({ total, executions }: protocol.DumpItem): string[] {
  return [...(total === undefined ? [] : [total.text]), ...(executions === undefined ? [] : [count(executions, "execution")])];
}

function details(profile: protocol.StatusProfile, warnings: protocol.StatusWarning[], profiles: protocol.ProfilesResult): ProfileNode[] {
  const choose = (command: string) => ({ open: { command, argument: undefined } });
  return [
    profile.etrecord === undefined
      ? leaf(profile.record_problem === undefined ? "No ETRecord" : "The ETRecord is not used", "no time can be placed on lines", "warning")
      : leaf("Record", shortPath(profile.etrecord), "file-zip", { tooltip: profile.etrecord }),
    ...(profile.pte === undefined ? [] : [leaf("Program", shortPath(profile.pte), "file-binary", { tooltip: profile.pte })]),
    ...(profile.pair_verdict === undefined ? [] : [verdict(profile, profile.pair_verdict)]),
    leaf(`Method ${profile.method ?? "unknown"}`, profile.block, "symbol-method",
      profiles.methods.length + profiles.blocks.length > 2 ? choose("etlens.pickMethod") : {}),
    ...(profile.also_text === undefined ? [] : [leaf("Also in this dump", profile.also_text.replace(/^also: /, ""), "symbol-method", choose("etlens.pickMethod"))]),
    leaf(totals(profile), `${percent(profile.on_lines)} on lines, ${percent(profile.delegated)} delegated`, "watch", choose("etlens.pickStatistic")),
    executions(profile),
    ...warnings.map((warning) => {
      const name = warning.severity === "error" ? "error" : warning.severity === "data_loss" ? "warning" : "info";
      const words = `${warning.advice} First: ${warning.first}`;
      return leaf(warning.id, warning.advice, name, { tooltip: words, spoken: `${name}, ${warning.id}: ${words}` });
    }),
  ];
}

function baseline(comparison: protocol.ComparisonItem): ProfileNode {
  const words = comparisonWords(comparison);
  const names = comparison.baseline.map((path) => shortPath(path)).join(", ");
  return leaf("Baseline", `${names}: ${totalChange(comparison)}`, comparison.problem === undefined ? "git-compare" : "warning", {
    spoken: `Baseline ${names}: ${words.join("; ")}`,
    tooltip: words.join("\n"),
    context: "baseline",
  });
}

function fleet({ message, dumps, reading }: protocol.FleetItem): ProfileNode {
  const name = reading ? "sync" : dumps > 0 ? "device-mobile" : "warning";
  return leaf("Fleet", shortPaths(message), name, { tooltip: message, open: { command: "etlens.pickFleet", argument: undefined } });
}

// Why that was found is for those who doubt it.
function waiting(words: string, why: string): ProfileNode {
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return {
    row: { id: "waiting", label, description: "", spoken: label, icon: icon("info"), children: "closed" },
    children: [leaf(shortPaths(why), "", "chevron-right", { tooltip: why })],
  };
}

function executions(profile: protocol.StatusProfile): ProfileNode {
  const words = [sampleWords(profile), profile.headline, ...profile.findings, profile.kinds_text, ...oddWords(profile)].filter((text) => text !== undefined && text !== "");
  return leaf("Executions", `${sampleWords(profile)} ${profile.strip}`.trimEnd(), "pulse", {
    spoken: words.join(", "),
    tooltip: words.join("\n"),
    ...(profile.executions > 1 && { open: { command: "etlens.pickExecutions", argument: undefined } }),
  });
}

function verdict(profile: protocol.StatusProfile, words: string): ProfileNode {
  const score = profile.pair_score === undefined ? "" : ` (${profile.pair_score.toFixed(2)})`;
  const certain = profile.pair_confidence === "certain" ? ", certain by their hashes" : "";
  const names: Record<string, string> = { match: "pass", partial: "warning" };
  const sentences: Record<string, string> = {
    match: "Dump and record belong together",
    partial: "Dump and record fit in part",
    unknown: "Dump and record hold nothing to compare",
  };
  const sentence = sentences[words] ?? words;
  return {
    row: {
      id: "verdict",
      label: sentence,
      description: `${words}${score}${certain}`,
      spoken: [`${sentence}${certain}`, ...profile.pair_reasons].join("; "),
      icon: icon(names[words] ?? "question"),
      context: "verdict",
      children: profile.pair_reasons.length === 0 ? "none" : words === "match" ? "closed" : "open",
    },
    children: profile.pair_reasons.map((reason) => leaf(reason, "", "chevron-right")),
  };
}
