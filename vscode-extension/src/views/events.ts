// SPDX-License-Identifier: Apache-2.0
// The view "Events": the ranking, or its groups. Rows are fetched page by page, so that ten thousand
// events are as quick as ten: behind the first page stand folders of one page each.
import * as vscode from "vscode";
import { count, percent } from "../base/format";
import * as protocol from "../base/protocol";
import { numberWord, unusual } from "../base/statistics";
import type { Profile } from "../server/profile";
import { changedItem, changesItem, eventItem, type EventNode, groupItem, keyOf, pageItem } from "./eventRows";

export const pageSize = 200;

export type Grouping = "none" | "line" | "module" | "operator" | "delegate";

export class EventsView implements vscode.TreeDataProvider<EventNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscriptions: { dispose(): unknown }[];
  // Rows by what they stand below, as they were asked for: whoever asks gets the very same objects, which
  // `reveal` needs. A refresh begins a new map, so that a late answer is not taken for a new one.
  private rows = new Map<string, Promise<EventNode[]>>();

  grouping: Grouping = "none";
  filter = "";
  readonly onDidChangeTreeData = this.changed.event;
  readonly view: vscode.TreeView<EventNode>;

  constructor(private readonly profile: Profile) {
    this.view = vscode.window.createTreeView("etlens.events", { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions = [this.view, this.changed, profile.onDidChange(() => this.refresh())];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  setFilter(filter: string): void {
    if (filter === this.filter) return;
    this.filter = filter;
    void vscode.commands.executeCommand("setContext", "etlens.events.filtered", filter !== "");
    this.refresh();
  }

  setGrouping(grouping: Grouping): void {
    this.grouping = grouping;
    this.refresh();
  }

  getParent(node: EventNode): EventNode | undefined {
    if (node.kind === "event" || node.kind === "changed") return node.parent;
    return node.kind === "page" ? node.group : undefined;
  }

  async getChildren(node?: EventNode): Promise<EventNode[]> {
    if (this.profile.status?.profile === undefined) return [];
    const { rows } = this;
    const key = keyOf(node);
    const known = rows.get(key);
    if (known !== undefined) return known;
    const asked = node === undefined ? this.fetchRoot(() => rows === this.rows) : this.fetch(node, () => rows === this.rows);
    rows.set(key, asked);
    // What failed is asked again the next time.
    asked.catch(() => rows.delete(key));
    return asked;
  }

  getTreeItem(node: EventNode): vscode.TreeItem {
    if (node.kind === "group") return groupItem(node);
    if (node.kind === "page") return pageItem(node);
    if (node.kind === "changes") return changesItem(node);
    if (node.kind === "changed") return changedItem(node);
    const shown = this.profile.status?.profile;
    return eventItem(node, this.profile.generation, shown === undefined ? "" : numberWord(shown));
  }

  // Selects the event's row, whatever the view shows at the moment.
  async reveal(event: number): Promise<boolean> {
    let located = await this.locate(event);
    if (located === undefined && this.filter !== "") {
      this.setFilter("");
      located = await this.locate(event);
    }
    if (located === undefined) return false;
    let rows = await this.getChildren();
    if (located.group !== undefined) {
      const group = rows.find((row) => row.kind === "group" && row.index === located.group);
      if (group === undefined) return false;
      rows = await this.getChildren(group);
    }
    const page = rows.find((row) => row.kind === "page" && row.first <= located.index && located.index < row.last);
    if (page !== undefined) rows = await this.getChildren(page);
    const row = rows.find((candidate) => candidate.kind === "event" && candidate.item.id === event);
    if (row === undefined) return false;
    await this.view.reveal(row, { select: true, focus: true });
    return true;
  }

  private async locate(event: number): Promise<protocol.LocatedEvent | undefined> {
    return (await this.ask({ limit: 0, locate: event })).located;
  }

  private ask(params: protocol.EventsParams): Promise<protocol.EventsResult> {
    const grouped = this.grouping === "none" ? {} : { groupBy: this.grouping };
    return this.profile.server.request(protocol.events, { query: this.filter, ...grouped, ...params });
  }

  // The events, and in front of them what changed since the baseline.
  private async fetchRoot(isNewest: () => boolean): Promise<EventNode[]> {
    const events = await this.fetch(undefined, isNewest);
    if (this.profile.status?.comparison === undefined || this.filter !== "") return events;
    const result = await this.profile.server.request<protocol.ChangesResult>(protocol.changes);
    return result.comparison === undefined ? events : [{ kind: "changes", result }, ...events];
  }

  private async fetch(node: EventNode | undefined, isNewest: () => boolean): Promise<EventNode[]> {
    if (node?.kind === "changes") return node.result.lines.map((line) => ({ kind: "changed", line, parent: node }));
    if (node === undefined && this.grouping !== "none") {
      const result = await this.ask({});
      if (isNewest()) this.say(result);
      return result.groups.map((item, index) => ({ kind: "group", index, item }));
    }
    const group = node?.kind === "group" ? node : node?.kind === "page" ? node.group : undefined;
    const first = node?.kind === "page" ? node.first : 0;
    const result = await this.ask({ ...(group && { group: group.index }), offset: first, limit: pageSize });
    if (node === undefined && isNewest()) this.say(result);
    const parent = node?.kind === "group" || node?.kind === "page" ? node : undefined;
    const rows: EventNode[] = result.events.map((item, i) => ({ kind: "event", rank: first + i, item, parent }));
    if (node?.kind === "page") return rows;
    const total = rows.length + result.more;
    for (let next = rows.length; next < total; next += pageSize) {
      rows.push({ kind: "page", first: next, last: Math.min(next + pageSize, total), group });
    }
    return rows;
  }

  private say(result: protocol.EventsResult): void {
    const found = `${count(result.count, "event")}, ${result.self.text}, ${percent(result.share)}`;
    const shown = this.profile.status?.profile;
    const facts = [this.grouping === "none" ? "" : `by ${this.grouping}`, shown === undefined ? "" : unusual(shown)];
    this.view.description = facts.filter((fact) => fact !== "").join(" · ");
    if (this.filter === "") this.view.message = "";
    else this.view.message = result.count === 0 ? `No event matches “${this.filter}”` : `“${this.filter}”: ${found}`;
  }

  private refresh(): void {
    this.rows = new Map();
    if (this.filter === "") this.view.message = "";
    this.changed.fire(undefined);
  }
}
