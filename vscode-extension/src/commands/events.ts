// SPDX-License-Identifier: Apache-2.0
// Commands around events: pick one, filter and group the view, reveal those of a line in it.
import * as vscode from "vscode";
import { percent, placeOr } from "../base/format";
import * as protocol from "../base/protocol";
import type { RowContext } from "../views/eventRows";
import type { Grouping } from "../webview/data";
import { openEvent, openSource, sourceNow } from "./jump";
import type { Parts } from "./parts";

const maxOffered = 200;

interface EventChoice extends vscode.QuickPickItem {
  event: protocol.JumpToEventArguments;
}

function choice(item: protocol.EventItem, generation: number): EventChoice {
  return {
    label: item.title ?? item.event,
    description: `${item.self_text} ${percent(item.share)}`,
    detail: [item.op, item.where, placeOr("no source line", item), item.module]
      .filter((text) => text !== null && text !== "")
      .join(" · "),
    alwaysShow: true, // the server has chosen
    event: { event: item.id, generation },
  };
}

export async function pickEvent(parts: Parts): Promise<void> {
  const pick = vscode.window.createQuickPick<EventChoice>();
  pick.title = "Jump to Event";
  pick.placeholder = "Operator, kernel event or module";
  const search = async (query: string) => {
    pick.busy = true;
    const result = await parts.server.request<protocol.EventsResult>(protocol.events, { query, limit: maxOffered });
    if (pick.value !== query) return;
    pick.items = result.events.map((item) => choice(item, result.generation));
    pick.busy = false;
  };
  pick.onDidChangeValue((value) => void search(value));
  pick.onDidAccept(() => {
    // Who presses Enter as soon as the rows are there means the first: none of them is active yet.
    const chosen = pick.selectedItems[0] ?? pick.items[0];
    if (chosen === undefined) return;
    pick.hide();
    void vscode.commands.executeCommand("etlens.rows.openEvent", chosen.event);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  await search("");
}

// Without a filter: the field in the view, where it is written.
export async function filterEvents({ events }: Parts, filter?: string): Promise<void> {
  if (typeof filter === "string") return events.setFilter(filter);
  await vscode.commands.executeCommand("etlens.events.focus");
  events.focusFilter();
}

const groupings: { label: string; grouping: Grouping }[] = [
  { label: "None: the ranking of events", grouping: "none" },
  { label: "Line", grouping: "line" },
  { label: "Module", grouping: "module" },
  { label: "Operator", grouping: "operator" },
  { label: "Delegate", grouping: "delegate" },
  { label: "Delegate call", grouping: "partition" },
];

export async function groupEvents({ events }: Parts, grouping?: Grouping): Promise<void> {
  const offered = groupings.map((item) => ({ ...item, picked: item.grouping === events.grouping }));
  const chosen = grouping ?? (await vscode.window.showQuickPick(offered, { title: "Group Events by" }))?.grouping;
  if (chosen !== undefined) await events.setGrouping(chosen);
}

// What the menu of a row offers.
export async function goToRowLine(parts: Parts, { event, generation, source }: RowContext): Promise<void> {
  if (event !== undefined) await openEvent(parts, { event, generation });
  else if (source !== undefined) await openSource(await sourceNow(parts, source));
}

export async function copyRow(_: Parts, { copy }: RowContext): Promise<void> {
  await vscode.env.clipboard.writeText(copy);
}

export async function hideRow({ events }: Parts, { exclude }: RowContext): Promise<void> {
  if (exclude !== undefined) await events.hide(exclude);
}

export function showRowInFlameGraph({ flameGraph }: Parts, { module }: RowContext): void {
  if (module !== undefined) flameGraph.show(module);
}

// Of an event, or of the line of the cursor (where a click on a hint puts it): its most costly event.
export async function revealInEvents(parts: Parts, argument?: protocol.JumpToEventArguments): Promise<boolean> {
  const event = typeof argument?.event === "number" ? argument.event : await eventAtCursor(parts);
  await vscode.commands.executeCommand("etlens.events.focus");
  if (await parts.events.reveal(event)) return true;
  throw new Error("the event is not in this profile");
}

async function eventAtCursor({ server }: Parts): Promise<number> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error("no editor is open");
  const costs = await server.request<protocol.LineCostsResult>(protocol.lineCosts, {
    textDocument: { uri: editor.document.uri.toString() },
  });
  const line = costs.lines.find((cost) => cost.current_line === editor.selection.active.line + 1);
  const event = line?.events[0];
  if (event === undefined) throw new Error("no event has its time on this line");
  return event;
}

