// SPDX-License-Identifier: Apache-2.0
// The tree views, through their providers.
import * as assert from "node:assert";
import * as vscode from "vscode";
import { percent } from "../../src/base/format";
import * as protocol from "../../src/base/protocol";
import type { Parts } from "../../src/commands/parts";
import type { EventNode } from "../../src/views/eventRows";
import { pageSize } from "../../src/views/events";
import type { MapNode } from "../../src/webview/data";
import type { ModuleNode } from "../../src/views/modules";
import { hotLines, labelOf, open, ready, until } from "./support";

function assertSpoken(items: vscode.TreeItem[]): void {
  assert.ok(items.length > 0);
  for (const item of items) assert.ok((item.accessibilityInformation?.label ?? "").length > 0, `${labelOf(item)} says nothing`);
}

describe("views", () => {
  let parts: Parts;
  before(async () => {
    parts = await ready();
    await open("tiny_llama.py", 82);
  });
  beforeEach(() => {
    parts.events.setFilter("");
    parts.events.setGrouping("none");
  });

  it("Events: the ranking of the server, the most costly first, with running sums", async () => {
    const rows = await parts.events.getChildren();
    const { events, count } = await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 200 });
    const items = rows.map((row) => parts.events.getTreeItem(row));
    assertSpoken(items);
    assert.deepStrictEqual(rows.flatMap((row) => (row.kind === "event" ? [row.item] : [])), events);
    const pages = rows.flatMap((row) => (row.kind === "page" ? [row] : []));
    assert.strictEqual(pages.at(-1)?.last, count);
    assert.strictEqual((await parts.events.getChildren(pages[0])).length, Math.min(pageSize, count - pageSize));
    const [first] = events;
    assert.ok(first);
    assert.strictEqual(labelOf(items[0] as vscode.TreeItem), `${first.self.text} ${percent(first.share)}  ${first.name}`);
    const linear = items.find((item) => String(item.description).includes("layers.2.mlp.up"));
    assert.match(labelOf(linear as vscode.TreeItem), /^[\d.]+ [nµ]s [\d.]+% {2}Fully Connected/);
    assert.match(String(linear?.description), /^tiny_llama\.py:83 · layers\.2\.mlp\.up · XNNPACK · sum [\d.]+%$/);
    assert.match(linear?.accessibilityInformation?.label ?? "", / [nµ]s typical, /);
    const spread = rows.findIndex((row) => row.kind === "event" && row.item.low !== undefined && row.item.high !== undefined);
    assert.match(items[spread]?.accessibilityInformation?.label ?? "", /, \S+ \S+–\S+ \S+ with 95% confidence, /);
    assert.strictEqual(parts.events.view.description, "");
  });

  it("Events: a filter narrows the rows and says their sum", async () => {
    const all = await parts.events.getChildren();
    parts.events.setFilter("softmax");
    const rows = await parts.events.getChildren();
    assert.ok(rows.length > 0 && rows.length < all.length);
    assert.ok(rows.every((row) => row.kind === "event" && /softmax/i.test(row.item.name + (row.item.operatorName ?? ""))));
    assert.match(parts.events.view.message ?? "", /^“softmax”: \d+ events, [\d.]+ µs, [\d.]+%$/);
    parts.events.setFilter("no such thing");
    assert.deepStrictEqual(await parts.events.getChildren(), []);
    assert.match(parts.events.view.message ?? "", /^No event matches/);
  });

  it("Events: who asks at the same time gets the same rows, and a late answer is not taken for a new one", async () => {
    parts.events.setFilter("softmax");
    const late = parts.events.getChildren();
    parts.events.setFilter("gemm");
    const newest = parts.events.getChildren();
    await late;
    const rows = await parts.events.getChildren();
    assert.strictEqual(rows, await newest);
    assert.ok(rows.length > 0);
    for (const row of rows) assert.ok(row.kind === "event" && /gemm/i.test(row.item.name), JSON.stringify(row));
    assert.match(parts.events.view.message ?? "", /^“gemm”: /);
  });

  for (const grouping of ["line", "module", "operator", "delegate"] as const) {
    it(`Events: grouped by ${grouping}, every event is in one group`, async () => {
      const { count } = await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 0 });
      parts.events.setGrouping(grouping);
      const groups = await parts.events.getChildren();
      assertSpoken(groups.map((group) => parts.events.getTreeItem(group)));
      const ids = new Set<number>();
      for (const group of groups) {
        for (const member of await parts.events.getChildren(group)) {
          assert.strictEqual(parts.events.getParent(member), group);
          const events = member.kind === "page" ? await parts.events.getChildren(member) : [member];
          for (const event of events) if (event.kind === "event") ids.add(event.item.id);
        }
      }
      assert.strictEqual(ids.size, count);
    });
  }

  it("Events: reveal selects the event, in the ranking, in its group, behind a filter", async () => {
    const first = (await parts.events.getChildren())[0] as EventNode & { kind: "event" };
    assert.ok(await parts.events.reveal(first.item.id));
    const selected = () => parts.events.view.selection[0];
    const isSelected = () => {
      const row = selected();
      return row?.kind === "event" && row.item.id === first.item.id;
    };
    await until("the row to be selected", isSelected);
    parts.events.setGrouping("module");
    assert.ok(await parts.events.reveal(first.item.id));
    await until("the row to be selected in its group", () => isSelected() && selected() !== first);
    parts.events.setGrouping("none");
    parts.events.setFilter("softmax");
    assert.ok(await parts.events.reveal(first.item.id));
    assert.strictEqual(parts.events.filter, "");
    assert.strictEqual(await parts.events.reveal(1_000_000), false);
  });

  it("Modules: a tree of the server's modules, the most costly child first", async () => {
    const { modules } = await parts.server.request<protocol.ModulesResult>(protocol.modules);
    const roots = await parts.modules.getChildren();
    const walk = (nodes: ModuleNode[]): ModuleNode[] => nodes.flatMap((node) => [node, ...walk(node.children)]);
    const all = walk(roots);
    assert.strictEqual(all.length, modules.length);
    assertSpoken(all.map((node) => parts.modules.getTreeItem(node)));
    for (const node of all) {
      const costs = node.children.map((child) => child.item.inclusive.value);
      assert.deepStrictEqual(costs, costs.toSorted((a, b) => b - a));
    }
    const root = parts.modules.getTreeItem(roots[0] as ModuleNode);
    assert.strictEqual(labelOf(root), "TinyLlama");
    assert.match(String(root.description), /^[\d.]+ µs [\d.]+% · self /);
  });

  it("Partitions: every delegate call with its parts, and what fell back between them", async () => {
    const result = await parts.server.request<protocol.PartitionsResult>(protocol.partitions);
    const rows = await parts.partitions.getChildren();
    assert.strictEqual(rows.length, result.partitions.length + result.fallbacks.length);
    const items = rows.map((row) => parts.partitions.getTreeItem(row));
    assertSpoken(items);
    assert.match(String(items[0]?.description), /explained .* · opaque .* · not measured .* · \d+ lines?$/);
    assert.ok(items.some((item) => /on the CPU between two XNNPACK partitions/.test(item.accessibilityInformation?.label ?? "")));
    const call = rows.find((row) => row.kind === "call" && row.item.lines.length > 0);
    assertSpoken((await parts.partitions.getChildren(call)).map((row) => parts.partitions.getTreeItem(row)));
  });

  it("Profiles: the dump, its record, the verdict", async () => {
    const [dump] = await parts.profiles.getChildren();
    assert.ok(dump);
    assert.strictEqual(labelOf(parts.profiles.getTreeItem(dump)), "model.etdp");
    assert.match(String(dump.row.description), /^current · .* · 209 kB$/);
    const rows = await parts.profiles.getChildren(dump);
    assertSpoken(rows.map((row) => parts.profiles.getTreeItem(row)));
    assert.ok(rows.some((row) => row.row.label === "Dump and record belong together"));
    assert.ok(rows.some((row) => row.row.label === "Method forward"));
    const executions = rows.find((row) => row.row.label === "Executions")?.row.description ?? "";
    assert.match(executions, /^typical of (?:\d+ of )?10 executions [▁▂▃▄▅▆▇█]{10}$/);
  });

  it("Heat: levels of the server on the lines of the text", async () => {
    const editor = await open("tiny_llama.py", 82);
    const uri = editor.document.uri.toString();
    const shown = await until("heat", () => parts.heat.shown.get(uri));
    const costs = await parts.server.request<protocol.LineCostsResult>(protocol.lineCosts, { textDocument: { uri } });
    const expected = costs.lines.filter((cost) => cost.heat > 0).map((cost) => [cost.line, cost.heat]);
    assert.deepStrictEqual([...shown], expected);
    const [hottest = -1] = await hotLines(parts);
    assert.strictEqual(shown.get(hottest), Math.max(...[...shown.values()].map(Number)));
  });

  it("Flame graph: the modules, each as wide as its part of the one above", async () => {
    const data = await parts.flameGraph.data();
    assert.match(data.title, /^forward: [\d.]+ [µm]s, typical of (?:\d+ of )?10 executions$/);
    const root = data.roots[0];
    assert.ok(root);
    assert.strictEqual(root.path, "");
    const widths = root.children.reduce((sum, child) => sum + child.ownShare, 0);
    assert.ok(widths > 0.9 && widths <= 1.0001, String(widths));
  });

  it("Memory chart: every planned tensor in its buffer and its group, the curve below what is planned", async () => {
    const data = await parts.memoryChart.data();
    assert.strictEqual(data.why, "");
    assert.match(data.title, /^model\.pte, forward: [\d.]+ [kM]?B in use at the peak$/);
    assert.deepStrictEqual(data.methods.map(({ current }) => current), [true]);
    const result = await parts.server.request<protocol.MemoryResult>(protocol.memory);
    assert.strictEqual(data.buffers.length, result.buffers.length);
    for (const [b, buffer] of data.buffers.entries()) {
      assert.strictEqual(buffer.live.length, data.instructions.length);
      assert.ok(Math.max(...buffer.live) <= buffer.size);
      assert.strictEqual(buffer.live[buffer.peakInstruction], Math.max(...buffer.live));
      assert.strictEqual(buffer.tensors.length, result.buffers[b]?.tensors.filter(({ viewOf }) => viewOf === undefined).length);
      for (const tensor of buffer.tensors) {
        assert.ok(tensor.offset + tensor.bytes <= buffer.size && tensor.last < data.instructions.length);
        assert.ok(data.groups[tensor.group], tensor.words);
        assert.ok(tensor.words.startsWith(tensor.label), tensor.words);
      }
    }
    const tensors = data.buffers.flatMap((buffer) => buffer.tensors);
    assert.ok(tensors.some(({ words, place }) => place !== undefined && /, tiny_llama\.py:\d+$/.test(words)));
    assert.ok(data.groups.length > 1);
  });

  it("Size map: groups are the sums of their parts, and open the line of the largest", async () => {
    const data = await parts.sizeMap.data();
    assert.strictEqual(data.why, "");
    const { root } = data;
    assert.ok(root);
    const check = (node: MapNode): void => {
      if (node.children.length === 0) return;
      assert.strictEqual(node.children.reduce((sum, { bytes }) => sum + bytes, 0), node.bytes, node.words);
      assert.strictEqual(node.children.find(({ place }) => place !== undefined)?.place, node.level === "file" ? node.children[0]?.place : node.place);
      node.children.forEach(check);
    };
    check(root);
    const keys = new Set<string>();
    const visit = (node: MapNode): void => {
      assert.ok(!keys.has(node.key), node.key);
      keys.add(node.key);
      assert.ok(node.words.startsWith(`${node.label} ${node.size}`), node.words);
      node.children.forEach(visit);
    };
    visit(root);
    assert.ok([...keys].some((key) => key.includes("layers.")));
  });
});
