// SPDX-License-Identifier: Apache-2.0
// Activation: builds the parts and connects them. Nothing here waits for the server.
import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { showOpenedExample } from "./commands/example";
import type { Parts } from "./commands/parts";
import { registerRuns } from "./commands/profileModel";
import { Profile } from "./server/profile";
import { Server } from "./server/server";
import { registerTerminals } from "./server/terminals";
import { AdviceView } from "./views/advice";
import { ChangesView } from "./views/changes";
import { Column } from "./views/column";
import { DelegateLines } from "./views/delegateLines";
import { EdgeProgramView } from "./views/edgeProgram";
import { EventsView } from "./views/events";
import { FlameGraph } from "./views/flameGraph";
import { Heat } from "./views/heat";
import { Hints } from "./views/hints";
import { Lightbulb } from "./views/lightbulb";
import { MeasuredLines } from "./views/measuredLines";
import { MemoryChart } from "./views/memoryChart";
import { ModulesView } from "./views/modules";
import { NotDelegatedView } from "./views/notDelegated";
import { PartitionsView } from "./views/partitions";
import { ProfilesView } from "./views/profiles";
import { ProgramGraph } from "./views/programGraph";
import { Report } from "./views/report";
import { SizeMap } from "./views/sizeMap";
import { registerNotices } from "./views/notices";
import { registerStatus } from "./views/status";

let server: Server | undefined;

function partsOf(context: vscode.ExtensionContext, server: Server): Parts {
  const profile = new Profile(server);
  return {
    context,
    server,
    profile,
    heat: new Heat(profile),
    column: new Column(),
    hints: new Hints(),
    events: new EventsView(context, profile),
    changes: new ChangesView(profile),
    modules: new ModulesView(profile),
    partitions: new PartitionsView(context, profile),
    notDelegated: new NotDelegatedView(profile),
    advice: new AdviceView(profile),
    profiles: new ProfilesView(profile),
    flameGraph: new FlameGraph(context, profile),
    memoryChart: new MemoryChart(context, profile),
    report: new Report(context, profile),
    sizeMap: new SizeMap(context, profile),
    programGraph: new ProgramGraph(context, profile),
    edgeProgram: new EdgeProgramView(profile),
    delegateLines: new DelegateLines(profile),
    activationMs: 0,
  };
}

export function activate(context: vscode.ExtensionContext): Parts {
  const begin = performance.now();
  const log = vscode.window.createOutputChannel("etlens", { log: true });
  server = new Server(context, log);
  const parts = partsOf(context, server);
  const { profile } = parts;
  context.subscriptions.push(
    log,
    server,
    profile,
    parts.heat,
    parts.column,
    parts.hints,
    new MeasuredLines(profile, [parts.heat, parts.column, parts.hints]),
    parts.events,
    parts.changes,
    parts.modules,
    parts.partitions,
    parts.notDelegated,
    parts.advice,
    parts.profiles,
    parts.flameGraph,
    parts.memoryChart,
    parts.report,
    parts.sizeMap,
    parts.programGraph,
    parts.edgeProgram,
    parts.delegateLines,
    new Lightbulb(profile),
    registerStatus(profile),
    registerTerminals(context),
    registerNotices(profile),
    registerCommands(parts),
    registerRuns(parts),
  );
  // Loading the client is the larger part of the work: the editor goes on before it.
  const starting = setImmediate(() => void parts.server.start());
  context.subscriptions.push({ dispose: () => clearImmediate(starting) });
  void showOpenedExample(parts);
  parts.activationMs = performance.now() - begin;
  return parts;
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
