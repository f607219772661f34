// SPDX-License-Identifier: Apache-2.0
// The view "Delegate Calls": the calls, what their events explain, and what fell back to the CPU between them, as a table;
// equal calls of repeated layers are one row that opens.
import * as vscode from "vscode";
import { count, percent } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { SortColumn, TableRequest, TableState } from "../webview/data";
import { callRows, type CallRow } from "./callRows";
import { TablePage } from "./tablePage";
import { welcomeOf } from "./welcome";

export const viewId = "etlens.partitions";

// Kept for the next time that the workspace is open.
interface Order {
  column: SortColumn;
  isAscending: boolean;
}
const orderKey = "etlens.partitions.order";
const firstOrder: Order = { column: "cost", isAscending: false };

export class PartitionsView implements vscode.Disposable {
  private readonly page: TablePage;
  private readonly subscriptions: { dispose(): unknown }[];
  private readonly open = new Set<string>(); // keys of rows
  private turn = 0;
  sort: Order;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly profile: Profile,
  ) {
    this.sort = context.workspaceState.get<Order>(orderKey) ?? firstOrder;
    this.page = new TablePage(context, viewId, "Delegate Calls", (message) => this.receive(message));
    this.subscriptions = [this.page, profile.onDidChange(() => void this.refresh())];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  toggle(key: string): Promise<void> {
    if (!this.open.delete(key)) this.open.add(key);
    return this.refresh();
  }

  // By this column, and the other way round if it is sorted by it already. Most of the cost first, others from the first.
  setSort(column: SortColumn): Promise<void> {
    this.sort = { column, isAscending: this.sort.column === column ? !this.sort.isAscending : column !== "cost" };
    void this.context.workspaceState.update(orderKey, this.sort);
    return this.refresh();
  }

  async state(): Promise<TableState> {
    const turn = ++this.turn;
    const { status, why } = this.profile;
    const common = {
      kind: "state" as const,
      table: "calls" as const,
      turn,
      measure: "time",
      filter: "",
      grouping: "none" as const,
      sort: this.sort,
      isCompared: false,
    };
    const result = status?.profile === undefined ? undefined : await this.profile.server.request<protocol.PartitionsResult>(protocol.partitions);
    if (result === undefined || (result.groups.length === 0 && result.fallback_lines.length === 0)) {
      const { text, actions } = welcomeOf(this.context.extension, viewId, why) ?? { text: `${this.profile.message}.`, actions: [] };
      return { ...common, summary: "", why: text, actions, rowCount: 0, rows: [], first: 0 };
    }
    const rows = callRows(result).sort((a, b) => this.compare(a, b)).flatMap((row) => row.drawn(this.open));
    return { ...common, summary: summary(result), why: "", actions: [], rowCount: rows.length, rows, first: 0 };
  }

  private compare(a: CallRow, b: CallRow): number {
    const { column, isAscending } = this.sort;
    const sign = isAscending ? 1 : -1;
    if (column === "cost") return sign * (a.share - b.share);
    if (column === "module") return sign * a.module.localeCompare(b.module, "en", { numeric: true });
    return sign * (a.first - b.first);
  }

  private async refresh(): Promise<void> {
    if (!this.page.isReady) return;
    try {
      const state = await this.state();
      if (state.turn === this.turn) this.page.post(state);
    } catch (error) {
      this.profile.server.log.warn(`no delegate calls: ${String(error)}`);
    }
  }

  private async receive(message: TableRequest): Promise<void> {
    if (message.ready === true) await this.refresh();
    if (message.sort !== undefined) await this.setSort(message.sort);
    if (message.toggle !== undefined) await this.toggle(message.toggle);
    if ((message.run === "goToLine" || message.run === "copy") && message.context !== undefined) {
      await vscode.commands.executeCommand(`etlens.events.${message.run}`, JSON.parse(message.context));
    }
    const offered = welcomeOf(this.context.extension, viewId, this.profile.why)?.actions ?? [];
    const { command } = message;
    if (command !== undefined && offered.some((action) => action.command === command)) await vscode.commands.executeCommand(command);
  }
}

function summary({ partitions, fallbacks, delegated_share, fallback_share }: protocol.PartitionsResult): string {
  const calls = `${count(partitions.length, "call")} ${percent(delegated_share)}`;
  return fallbacks.length === 0 ? calls : `${calls}, ${count(fallbacks.length, "fallback")} to the CPU ${percent(fallback_share)}`;
}
