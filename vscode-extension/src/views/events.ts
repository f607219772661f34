// SPDX-License-Identifier: Apache-2.0
// The view "Events": the ranking, or its groups. Rows are fetched page by page, so that ten thousand
// events are as quick as ten: behind the first page stand folders of one page each.
import * as vscode from "vscode";
import { count, percent, place } from "../format";
import type { Profile } from "../profile";
import * as protocol from "../protocol";
import { icon, treeItem } from "./row";
import { shareIcon } from "./shareIcon";

export const pageSize = 200;

export type Grouping = "none" | "line" | "module" | "operator" | "delegate";

interface Group {
  kind: "group";
  index: number;
  item: protocol.EventGroupItem;
}
interface Page {
  kind: "page";
  first: number;
  last: number;
  group: Group | undefined;
}
interface Event {
  kind: "event";
  rank: number;
  item: protocol.EventItem;
  parent: Group | Page | undefined;
}
export type EventNode = Group | Page | Event;

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
    return node.kind === "event" ? node.parent : node.kind === "page" ? node.group : undefined;
  }

  async getChildren(node?: EventNode): Promise<EventNode[]> {
    if (this.profile.status?.profile === undefined) return [];
    const { rows } = this;
    const key = keyOf(node);
    const known = rows.get(key);
    if (known !== undefined) return known;
    const asked = this.fetch(node, () => rows === this.rows);
    rows.set(key, asked);
    // What failed is asked again the next time.
    asked.catch(() => rows.delete(key));
    return asked;
  }

  getTreeItem(node: EventNode): vscode.TreeItem {
    if (node.kind === "group") return groupItem(node);
    return node.kind === "page" ? pageItem(node) : eventItem(node, this.profile.generation);
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
      const group = rows[located.group];
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

  private async fetch(node: EventNode | undefined, isNewest: () => boolean): Promise<EventNode[]> {
    if (node === undefined && this.grouping !== "none") {
      const result = await this.ask({});
      if (isNewest()) this.say(result);
      return result.groups.map((item, index) => ({ kind: "group", index, item }));
    }
    const group = node?.kind === "group" ? node : node?.kind === "page" ? node.group : undefined;
    const first = node?.kind === "page" ? node.first : 0;
    const result = await this.ask({ ...(group && { group: group.index }), offset: first, limit: pageSize });
    if (node === undefined && isNewest()) this.say(result);
    const parent = node?.kind === "event" ? undefined : node;
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
    this.view.description = this.grouping === "none" ? "" : `by ${this.grouping}`;
    if (this.filter === "") this.view.message = "";
    else this.view.message = result.count === 0 ? `No event matches “${this.filter}”` : `“${this.filter}”: ${found}`;
  }

  private refresh(): void {
    this.rows = new Map();
    if (this.filter === "") this.view.message = "";
    this.changed.fire(undefined);
  }
}

function keyOf(node: EventNode | undefined): string {
  if (node === undefined) return "";
  if (node.kind === "group") return `group ${node.index}`;
  if (node.kind === "page") return `page ${node.group?.index ?? ""} ${node.first}`;
  return `event ${node.item.id}`;
}

function groupItem({ item, index }: Group): vscode.TreeItem {
  const events = count(item.count, "event");
  return treeItem({
    id: `group ${item.name} ${index}`,
    label: `${item.self.text} ${percent(item.share)}  ${item.source === undefined ? item.name : place(item.source)}`,
    description: `sum ${percent(item.runningShare)} · ${events}` +
      (item.source === undefined ? "" : ` · ${item.source.text.trim()}`),
    spoken: `${item.name}: ${item.self.text}, ${percent(item.share)} in ${events}, running sum ${percent(item.runningShare)}`,
    icon: shareIcon(item.share),
    children: "closed",
  });
}

function pageItem({ first, last }: Page): vscode.TreeItem {
  const label = `Events ${first + 1} to ${last}`;
  return treeItem({ label, spoken: label, icon: icon("ellipsis"), children: "closed" });
}

function eventItem({ item, rank }: Event, generation: number): vscode.TreeItem {
  const where = item.backend ?? (item.part === "line" ? "CPU" : undefined);
  const line = item.source === undefined ? item.partText : place(item.source);
  const details = [
    `Rank ${rank + 1}: ${item.name}`,
    item.operatorName && `operator ${item.operatorName}`,
    `${item.self.text} on average, ${percent(item.share)} of the method; p50 ${item.p50.text}, p90 ${item.p90.text}`,
    `running sum ${percent(item.runningShare)}`,
    where && `on ${where}`,
    item.module && `in ${item.module}`,
    item.source === undefined ? line : `at ${place(item.source)}: ${item.source.text.trim()}`,
    item.confidence && `placed: ${item.confidence}`,
  ].filter((detail) => detail !== undefined && detail !== "");
  return treeItem({
    // Numbers first: the side bar is narrow.
    label: `${item.self.text} ${percent(item.share)}  ${item.name}`,
    description: [line, item.module, where, `sum ${percent(item.runningShare)}`]
      .filter((text) => text !== undefined && text !== "")
      .join(" · "),
    spoken: details.join(", "),
    tooltip: details.join("\n"),
    icon: shareIcon(item.share),
    context: "event",
    open: { command: "etlens.rows.openEvent", argument: { event: item.id, generation } },
  });
}
