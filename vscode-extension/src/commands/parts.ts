// SPDX-License-Identifier: Apache-2.0
// What commands act on: the parts of the extension, as activation puts them together.
import type * as vscode from "vscode";
import type { Profile } from "../server/profile";
import type { Server } from "../server/server";
import type { AdviceView } from "../views/advice";
import type { ChangesView } from "../views/changes";
import type { Column } from "../views/column";
import type { DelegateLines } from "../views/delegateLines";
import type { EdgeProgramView } from "../views/edgeProgram";
import type { EventsView } from "../views/events";
import type { FlameGraph } from "../views/flameGraph";
import type { Heat } from "../views/heat";
import type { Hints } from "../views/hints";
import type { MemoryChart } from "../views/memoryChart";
import type { ModulesView } from "../views/modules";
import type { NotDelegatedView } from "../views/notDelegated";
import type { PartitionsView } from "../views/partitions";
import type { ProfilesView } from "../views/profiles";
import type { ProgramGraph } from "../views/programGraph";
import type { Report } from "../views/report";
import type { SizeMap } from "../views/sizeMap";

export interface Parts {
  context: vscode.ExtensionContext;
  server: Server;
  profile: Profile;
  heat: Heat;
  column: Column;
  hints: Hints;
  events: EventsView;
  changes: ChangesView;
  modules: ModulesView;
  partitions: PartitionsView;
  notDelegated: NotDelegatedView;
  advice: AdviceView;
  profiles: ProfilesView;
  flameGraph: FlameGraph;
  memoryChart: MemoryChart;
  report: Report;
  sizeMap: SizeMap;
  programGraph: ProgramGraph;
  edgeProgram: EdgeProgramView;
  delegateLines: DelegateLines;
  activationMs: number; // how long activate() kept the extension host
}
