// SPDX-License-Identifier: Apache-2.0
// The menu of the status item: what is shown, and the commands that can do something with it.
import * as vscode from "vscode";
import { brokenPlace } from "../base/budgets";
import { totalChange } from "../base/comparison";
import type { StatusResult } from "../base/protocol";
import { sampleWords } from "../base/statistics";
import type { Parts } from "./parts";

interface Entry extends vscode.QuickPickItem {
  command?: string;
  argument?: string | number;
}

// "−43% since main": since main.
const withoutChange = (text: string) => text.slice(text.indexOf(" ") + 1).replace(/^./, (letter) => letter.toUpperCase());

const separator = (label: string): Entry => ({ label, kind: vscode.QuickPickItemKind.Separator });

const checkBudgets: Entry = { label: "$(law) Check Budgets", command: "etlens.checkBudgets" };
const areBroken = (status: StatusResult | undefined) => (status?.budgets?.broken.length ?? 0) > 0;

// One for each broken budget: it leads to its line.
function ofBudgets({ profile }: Parts): Entry[] {
  const budgets = profile.status?.budgets;
  if (budgets === undefined || !areBroken(profile.status)) return [];
  return [
    separator("broken budgets"),
    ...budgets.broken.map((broken) => ({ label: `$(error) ${broken.budget}: ${brokenPlace(budgets, broken)}`, description: broken.text, command: "etlens.goToBrokenBudget", argument: broken.budget })),
    checkBudgets,
  ];
}

// The runs before this one, and the budgets.
function ofComparison({ profile }: Parts): Entry[] {
  const compared = profile.status?.comparison;
  return [
    separator("compare"),
    { label: "$(history) What Changed Since the Last Run", description: profile.status?.last_run?.text ?? "", command: "etlens.compareWithLastRun" },
    ...(profile.status?.earlier_runs ?? []).map(({ text, run }) => ({ label: `$(history) What Changed ${withoutChange(text)}`, description: text, command: "etlens.compareWithRun", argument: run })),
    { label: "$(git-compare) Compare With…", description: compared === undefined ? "" : totalChange(compared), command: "etlens.pickBaseline" },
    ...(areBroken(profile.status) ? [] : [checkBudgets]),
  ];
}

// What can be done with numbers, or with the parts of an export. What is wanted every day stands where no list has to be scrolled.
function ofShown(parts: Parts): Entry[] {
  const { profile } = parts;
  const shown = profile.status?.profile;
  return [
    ...ofBudgets(parts),
    separator("go to"),
    { label: "$(search) Jump to Event…", command: "etlens.pickEvent" },
    { label: "$(arrow-down) Next Hot Line", command: "etlens.goToNextHotLine" },
    { label: "$(arrow-up) Previous Hot Line", command: "etlens.goToPreviousHotLine" },
    ...(profile.status?.comparison === undefined ? [] : [
      { label: "$(triangle-down) Next Changed Line", command: "etlens.goToNextChangedLine" },
      { label: "$(triangle-up) Previous Changed Line", command: "etlens.goToPreviousChangedLine" },
    ]),
    separator("open"),
    { label: "$(flame) Flame Graph", command: "etlens.openFlameGraph" },
    { label: "$(server) Memory Chart", command: "etlens.openMemoryChart" },
    { label: "$(package) Size of the Program", command: "etlens.openSizeMap" },
    { label: "$(circuit-board) Program Graph", command: "etlens.showProgramGraph" },
    { label: "$(file-text) Show Report", command: "etlens.openReport" },
    ...ofComparison(parts),
    separator("send"),
    { label: "$(save) Save Report…", command: "etlens.export", argument: "html" },
    { label: "$(export) Export…", command: "etlens.export" },
    ...(vscode.workspace.isTrusted ? [{ label: "$(file-zip) Bundle for a Bug Report…", command: "etlens.bundle" }] : []),
    separator("this line"),
    { label: "$(list-ordered) Reveal This Line in Events", command: "etlens.revealInEvents" },
    { label: "$(symbol-namespace) Lines of This Delegate Call", command: "etlens.showDelegateLines" },
    { label: "$(type-hierarchy) Edge Program at This Line", command: "etlens.openEdgeProgram" },
    { label: "$(circuit-board) This Line in the Program Graph", command: "etlens.showInProgramGraph" },
    { label: "$(copy) Copy Hover as Markdown", command: "etlens.copyHover" },
    separator("show"),
    { label: "$(list-selection) Show on Lines…", description: profile.status?.measures.find(({ current }) => current)?.label ?? "", command: "etlens.pickMeasure" },
    { label: "$(file-binary) Select Dump…", command: "etlens.pickProfile" },
    { label: "$(device-mobile) Fleet of Dumps…", description: profile.status?.fleet?.message ?? "", command: "etlens.pickFleet" },
    { label: "$(symbol-method) Select Method or Block…", command: "etlens.pickMethod" },
    { label: "$(pulse) Executions…", description: shown === undefined ? "" : sampleWords(shown), command: "etlens.pickExecutions" },
    ...(shown === undefined || shown.groups.length === 0
      ? []
      : [{ label: "$(layers) Group of Executions…", description: shown.groups.find((group) => group.shown)?.name ?? "", command: "etlens.pickGroup" }]),
    { label: "$(graph) Statistic…", description: shown?.statistic ?? "", command: "etlens.pickStatistic" },
    { label: "$(eye) Toggle Hints", command: "etlens.toggleHints" },
    { label: "$(paintcan) Toggle Heat", command: "etlens.toggleHeat" },
    { label: "$(layout-sidebar-left) Toggle Column of Numbers", command: "etlens.toggleColumn" },
  ];
}

// Never where nobody trusts the folder: they run its code.
function ofModels({ profile }: Parts): Entry[] {
  if (!vscode.workspace.isTrusted) return [];
  return [
    separator("run"),
    { label: "$(run) Profile My Model…", command: "etlens.profileModel" },
    ...(profile.status?.profile === undefined ? [] : [{ label: "$(debug-rerun) Run Again", command: "etlens.runAgain" }]),
  ];
}

// Without a dump and an export, what leads to one.
function entries(parts: Parts): Entry[] {
  const { profile } = parts;
  const problem: Entry[] =
    profile.why === "ready" ? [] : [{ label: "$(warning) Why", detail: profile.message, command: "etlens.openLog" }];
  return [
    ...problem,
    ...(profile.status?.profile === undefined ? [] : ofShown(parts)),
    ...ofModels(parts),
    separator("help"),
    { label: "$(question) Words and Signs", command: "etlens.openTerms" },
    { label: "$(book) Getting Started", command: "etlens.openWalkthrough" },
    { label: "$(folder-opened) Open the Example Project", command: "etlens.openExample" },
    { label: "$(refresh) Read Artifacts Again", command: "etlens.reloadArtifacts" },
    { label: "$(debug-restart) Restart Server", command: "etlens.restartServer" },
    { label: "$(output) Open Log", command: "etlens.openLog" },
  ];
}

export async function openMenu(parts: Parts): Promise<void> {
  const options = { title: "etlens", placeHolder: parts.profile.message, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(entries(parts), options);
  if (chosen?.command === undefined) return;
  await vscode.commands.executeCommand(chosen.command, ...(chosen.argument === undefined ? [] : [chosen.argument]));
}
