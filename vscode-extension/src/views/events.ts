// SPDX-License-Identifier: Apache-2.0
// The view "Events": a table of the events or of groups of them. What is shown of them is decided here,
// the server tells the rows page by page, and the page in the view draws those in sight.
import * as vscode from "vscode";
import { count, percent } from "../base/format";
import * as protocol from "../base/protocol";
import { numberWord, unusual } from "../base/statistics";
import type { Profile } from "../server/profile";
import type { Grouping, SortColumn, TableRequest, TableState } from "../webview/data";
import { tableRows } from "./eventRows";
import { TablePage } from "./tablePage";
import { welcomeOf } from "./welcome";

export const viewId = "etlens.events";
export const pageSize = 200;

interface Sort {
  column: SortColumn;
  isAscending: boolean;
}

// How rows are grouped and sorted: kept for the next time that the workspace is open.
interface Order {
  grouping: Grouping;
  sort: Sort;
}
const orderKey = "etlens.events.order";
const firstOrder: Order = { grouping: "line", sort: { column: "cost", isAscending: false } };

export class EventsView implements vscode.Disposable {
  private readonly subscriptions: { dispose(): unknown }[];
  private readonly page: TablePage;
  private turn = 0; // counts what is shown: an answer about something else is dropped
  private readonly open = new Set<string>(); // keys of groups
  private wanted: number | undefined; // a row to reveal
  private near = 0; // the page that the person looks at

  filter = "";
  grouping: Grouping;
  sort: Sort;
  focused: number | undefined; // the event whose row has the focus

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly profile: Profile,
  ) {
    ({ grouping: this.grouping, sort: this.sort } = context.workspaceState.get<Order>(orderKey) ?? firstOrder);
    this.page = new TablePage(context, viewId, "Events", (message) => this.receive(message));
    this.subscriptions = [this.page, profile.onDidChange(() => void this.refresh())];
  }

  get description(): string {
    return this.page.description;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  setFilter(filter: string): Promise<void> {
    if (filter === this.filter) return Promise.resolve();
    this.filter = filter;
    this.near = 0;
    void vscode.commands.executeCommand("setContext", "etlens.events.filtered", filter !== "");
    return this.refresh();
  }

  setGrouping(grouping: Grouping): Promise<void> {
    this.grouping = grouping;
    this.keepOrder();
    this.near = 0;
    this.open.clear();
    return this.refresh();
  }

  // By this column, and the other way round if it is sorted by it already. Most of the cost first, names from A.
  setSort(column: SortColumn): Promise<void> {
    const isAscending = this.sort.column === column ? !this.sort.isAscending : column !== "cost";
    this.sort = { column, isAscending };
    this.keepOrder();
    this.near = 0;
    return this.refresh();
  }

  private keepOrder(): void {
    const { grouping, sort } = this;
    void this.context.workspaceState.update(orderKey, { grouping, sort } satisfies Order);
  }

  toggle(group: string): Promise<void> {
    if (!this.open.delete(group)) this.open.add(group);
    return this.refresh();
  }

  // One more term of the filter, which stands there to be taken away again.
  hide(term: string): Promise<void> {
    return this.setFilter(this.filter === "" ? term : `${this.filter} ${term}`);
  }

  focusFilter(): void {
    this.page.post({ kind: "focusFilter" });
  }

  // Shows the event's row, whatever is shown at the moment.
  async reveal(event: number): Promise<boolean> {
    let { located } = await this.read({ limit: 0, locate: event });
    if (located === undefined && this.filter !== "") {
      await this.setFilter("");
      ({ located } = await this.read({ limit: 0, locate: event }));
    }
    if (located === undefined) return false;
    if (located.group !== undefined && !this.open.has(located.group)) {
      this.open.add(located.group);
      ({ located } = await this.read({ limit: 0, locate: event }));
    }
    this.wanted = located?.row;
    await this.refresh();
    return true;
  }

  // Rows as the server has them, of what is shown.
  read(params: Partial<protocol.EventTableParams>): Promise<protocol.EventTableResult> {
    return this.profile.server.request(protocol.eventTable, {
      filter: this.filter,
      ...(this.grouping !== "none" && { group_by: this.grouping }),
      sort_by: this.sort.column,
      ascending: this.sort.isAscending,
      open: [...this.open],
      ...params,
    });
  }

  // What the page is told: the state, and the first rows that it will ask for.
  async state(): Promise<TableState> {
    const turn = ++this.turn;
    const { status, why } = this.profile;
    const first = Math.max(0, (this.wanted ?? this.near) - pageSize / 2);
    const common = {
      kind: "state" as const,
      table: "events" as const,
      turn,
      measure: status?.measures.find(({ current }) => current)?.label ?? "time",
      filter: this.filter,
      grouping: this.grouping,
      sort: this.sort,
      isCompared: status?.comparison !== undefined,
    };
    const welcome = welcomeOf(this.context.extension, viewId, why);
    if (status?.profile === undefined || welcome !== undefined) {
      const said = welcome ?? { text: `${this.profile.message}.`, actions: [] };
      return { ...common, summary: "", why: said.text, actions: said.actions, rowCount: 0, rows: [], first: 0 };
    }
    const result = await this.read({ offset: first, limit: pageSize });
    return {
      ...common,
      summary: this.summary(result),
      why: "",
      actions: [],
      rowCount: result.row_count,
      rows: tableRows(result, this.grouping, numberWord(status.profile)),
      first,
      ...(this.wanted !== undefined && { reveal: this.wanted }),
    };
  }

  private summary({ count: found, self_text, share }: protocol.EventTableResult): string {
    if (this.filter === "") return "";
    return found === 0 ? `No event matches “${this.filter}”` : `“${this.filter}”: ${count(found, "event")}, ${self_text}, ${percent(share)}`;
  }

  private async refresh(): Promise<void> {
    const shown = this.profile.status?.profile;
    const facts = [this.grouping === "none" ? "" : `by ${this.grouping}`, shown === undefined ? "" : unusual(shown)];
    this.page.description = facts.filter((fact) => fact !== "").join(" · ");
    if (!this.page.isReady) return;
    try {
      const state = await this.state();
      if (state.turn === this.turn) this.postState(state);
    } catch (error) {
      this.profile.server.log.warn(`no events: ${String(error)}`);
    }
  }

  private postState(state: TableState): void {
    this.wanted = undefined;
    this.page.post(state);
  }

  private async receive(message: TableRequest): Promise<void> {
    if (message.ready === true) await this.refresh();
    if (message.read !== undefined) await this.sendRows(message.read);
    if (message.filter !== undefined) await this.setFilter(message.filter);
    if (message.grouping !== undefined) await this.setGrouping(message.grouping);
    if (message.sort !== undefined) await this.setSort(message.sort);
    if (message.toggle !== undefined) await this.toggle(message.toggle);
    if (message.focused !== undefined) this.focused = message.focused ?? undefined;
    if (message.run !== undefined && message.context !== undefined) {
      await vscode.commands.executeCommand(`etlens.events.${message.run}`, JSON.parse(message.context));
    }
    const { command } = message;
    const offered = welcomeOf(this.context.extension, viewId, this.profile.why)?.actions ?? [];
    if (command !== undefined && offered.some((action) => action.command === command)) await vscode.commands.executeCommand(command);
  }

  private async sendRows({ turn, first, count: limit }: NonNullable<TableRequest["read"]>): Promise<void> {
    const shown = this.profile.status?.profile;
    if (turn !== this.turn || shown === undefined) return;
    this.near = first;
    const result = await this.read({ offset: first, limit });
    if (turn === this.turn) this.page.post({ kind: "rows", turn, first, rows: tableRows(result, this.grouping, numberWord(shown)) });
  }
}
