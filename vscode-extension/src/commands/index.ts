// SPDX-License-Identifier: Apache-2.0
// Every command of the extension. Those that the server registers (protocol.commands) have other names.
import * as vscode from "vscode";
import { toggle } from "../base/config";
import * as protocol from "../base/protocol";
import { withoutLinks } from "../base/sentences";
import { checkBudgets, goToBrokenBudget } from "./budgets";
import { bundle } from "./bundle";
import { compareWith, compareWithFolder, compareWithLastRun, compareWithRun, pickBaseline, stopComparing } from "./compareWith";
import { copyHover } from "./copyHover";
import { showDelegateLines } from "./delegateLines";
import { openEdgeProgram, openNodeSource } from "./edgeProgram";
import { copyRow, filterEvents, goToRowLine, groupEvents, hideRow, pickEvent, revealInEvents, showRowInFlameGraph } from "./events";
import { openExample } from "./example";
import { pickExecutions, pickGroup } from "./executions";
import { exportProfile } from "./export";
import { openAdviceLine, openEvent, openModule, openNotDelegatedLine, openPlace, openSource, stepChangedLine, stepHotLine } from "./jump";
import { locateFile, missingSource } from "./locate";
import { openMenu } from "./menu";
import type { Parts } from "./parts";
import { profileModel, runAgain } from "./profileModel";
import { copyPrompt } from "./prompt";
import { showInProgramGraph } from "./programGraph";
import { pickFleet, pickMeasure, pickMethod, pickProfile, pickStatistic, useProfile } from "./select";

// Each knows what its argument is; those that call it (rows, hints, key bindings) agree with it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Command = (parts: Parts, argument?: any) => unknown;

const table: Record<string, Command> = {
  "etlens.menu": openMenu,
  "etlens.pickEvent": pickEvent,
  "etlens.revealInEvents": revealInEvents,
  "etlens.events.filter": filterEvents,
  "etlens.events.clearFilter": ({ events }) => events.setFilter(""),
  "etlens.events.groupBy": groupEvents,
  "etlens.events.goToLine": goToRowLine,
  "etlens.events.copy": copyRow,
  "etlens.events.hide": hideRow,
  "etlens.events.showInFlameGraph": showRowInFlameGraph,
  "etlens.goToNextHotLine": (parts) => stepHotLine(parts, protocol.commands.nextHotLine),
  "etlens.goToPreviousHotLine": (parts) => stepHotLine(parts, protocol.commands.previousHotLine),
  "etlens.toggleHints": () => toggle("hints.enabled"),
  "etlens.toggleHeat": () => toggle("heat.enabled"),
  "etlens.toggleColumn": () => toggle("column.enabled"),
  "etlens.pickProfile": pickProfile,
  "etlens.useProfile": useProfile,
  "etlens.followNewest": ({ server }) => server.execute(protocol.commands.selectProfile, null),
  "etlens.pickBaseline": pickBaseline,
  "etlens.pickFleet": pickFleet,
  "etlens.compareWith": compareWith,
  "etlens.compareWithFolder": compareWithFolder,
  "etlens.compareWithLastRun": compareWithLastRun,
  "etlens.compareWithRun": compareWithRun,
  "etlens.stopComparing": stopComparing,
  "etlens.goToNextChangedLine": (parts) => stepChangedLine(parts, protocol.commands.nextChangedLine),
  "etlens.goToPreviousChangedLine": (parts) => stepChangedLine(parts, protocol.commands.previousChangedLine),
  "etlens.pickMethod": pickMethod,
  "etlens.pickMeasure": pickMeasure,
  "etlens.pickExecutions": pickExecutions,
  "etlens.pickGroup": pickGroup,
  "etlens.pickStatistic": pickStatistic,
  "etlens.showDelegateLines": showDelegateLines,
  "etlens.openEdgeProgram": openEdgeProgram,
  "etlens.openNodeSource": openNodeSource,
  "etlens.copyHover": copyHover,
  "etlens.advice.copyPrompt": copyPrompt,
  "etlens.openFlameGraph": ({ flameGraph }) => flameGraph.open(),
  "etlens.openMemoryChart": ({ memoryChart }) => memoryChart.open(),
  "etlens.openSizeMap": ({ sizeMap }) => sizeMap.open(),
  "etlens.showProgramGraph": ({ programGraph }) => programGraph.open(),
  "etlens.showInProgramGraph": showInProgramGraph,
  "etlens.export": exportProfile,
  "etlens.bundle": bundle,
  "etlens.checkBudgets": checkBudgets,
  "etlens.goToBrokenBudget": goToBrokenBudget,
  "etlens.openReport": ({ report }) => report.open(),
  "etlens.reloadArtifacts": ({ server }) => server.execute(protocol.commands.reload),
  "etlens.restartServer": ({ server }) => server.restart(),
  "etlens.openLog": ({ server }) => server.log.show(),
  // docs/terms.md, which the package has beside this (package.mjs).
  "etlens.openTerms": ({ context }) =>
    vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.joinPath(context.extensionUri, "terms.md")),
  "etlens.openWalkthrough": ({ context }) =>
    vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
  "etlens.openExample": openExample,
  "etlens.profileModel": profileModel,
  "etlens.runAgain": runAgain,
  "etlens.rows.openEvent": openEvent,
  "etlens.rows.openModule": openModule,
  "etlens.rows.openPlace": openPlace,
  "etlens.rows.openChanged": (_parts, source: protocol.SourceLine) => openSource(source),
  "etlens.rows.openAdviceLine": openAdviceLine,
  "etlens.rows.openNotDelegatedLine": openNotDelegatedLine,
};

export const commandNames = Object.keys(table);

export function registerCommands(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(table).map(([name, command]) =>
      vscode.commands.registerCommand(name, (argument: unknown) => guarded(parts, command, argument)),
    ),
  );
}

// A file that is elsewhere can be shown.
async function say(message: string): Promise<void> {
  const missing = missingSource(message);
  if (missing === undefined) {
    await vscode.window.showInformationMessage(withoutLinks(`etlens: ${message}`));
    return;
  }
  const locate = "Locate File…";
  const chosen = await vscode.window.showInformationMessage(withoutLinks(`etlens: ${missing} was not found here.`), locate);
  if (chosen === locate) await locateFile(missing);
}

// A refusal of the server is a sentence for the user, not a stack trace.
async function guarded(parts: Parts, command: Command, argument: unknown): Promise<unknown> {
  try {
    return await command(parts, argument);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parts.server.log.info(message);
    void say(message);
    return undefined;
  }
}
