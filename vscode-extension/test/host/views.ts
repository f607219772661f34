// SPDX-License-Identifier: Apache-2.0
// The views, through their providers.
import * as assert from "node:assert";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import type { Parts } from "../../src/commands/parts";
import { pageSize } from "../../src/views/events";
import type { MapNode, TableRow } from "../../src/webview/data";
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
  beforeEach(async () => {
    await parts.events.setFilter("");
    await parts.events.setGrouping("none");
    while (parts.events.sort.column !== "cost" || parts.events.sort.isAscending) await parts.events.setSort("cost");
  });

  const rowOf = (rows: TableRow[], holds: (row: TableRow) => boolean): TableRow => {
    const row = rows.find(holds);
    assert.ok(row);
    return row;
  };

  it("Events: the ranking of the server, the most costly first; what delegate calls took beyond their operators in one row that opens", async () => {
    const { rows, rowCount, why, measure } = await parts.events.state();
    assert.strictEqual(why, "");
    assert.strictEqual(measure, "time");
    const { events } = await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 1000 });
    const overhead = events.filter(({ part }) => part === "delegate_overhead");
    assert.ok(overhead.length > 1);
    assert.strictEqual(rowCount, events.length - overhead.length + 1);
    const ids = events.filter(({ part }) => part !== "delegate_overhead").map(({ id }) => id);
    assert.deepStrictEqual(rows.flatMap(({ event }) => event ?? []), ids.slice(0, rows.length - 1));
    const folded = rowOf(rows, ({ key }) => key !== undefined);
    assert.strictEqual(folded.isOpen, false);
    assert.strictEqual(folded.label, `inside delegate calls, not measured · ${overhead.length} events`);
    await parts.events.toggle(folded.key ?? "");
    const opened = await parts.events.state();
    assert.strictEqual(opened.rowCount, events.length + 1);
    const inside = opened.rows.filter(({ level }) => level === 2);
    assert.deepStrictEqual(inside.map(({ event }) => event), overhead.map(({ id }) => id).slice(0, inside.length));
    await parts.events.toggle(folded.key ?? "");
  });

  it("Events: a row says in its columns and in words what is known of the event", async () => {
    const { rows } = await parts.events.state();
    assert.ok(rows.length <= pageSize);
    const linear = rowOf(rows, ({ cells }) => cells.module === "layers.2.mlp.up");
    assert.match(linear.cells.cost ?? "", /^[\d.]+ [nµ]s$/);
    assert.match(linear.cells.share ?? "", /^[\d.]+%$/);
    assert.match(linear.cells.event ?? "", /^Fully Connected/);
    const { line, operator, where, confidence } = linear.cells;
    assert.deepStrictEqual({ line, operator, where, confidence }, { line: "tiny_llama.py:83", operator: "linear", where: "XNNPACK", confidence: "aligned" });
    assert.match(linear.words, / [nµ]s typical, .*running sum [\d.]+%, on XNNPACK, delegate call \d+, in layers\.2\.mlp\.up, at tiny_llama\.py:83: /);
    assert.ok(rows.some(({ words }) => /, \S+ \S+–\S+ \S+ with 95% confidence, /.test(words)));
    assert.strictEqual(parts.events.description, "");
  });

  it("Events: a filter narrows the rows and says their sum; what is hidden is a term of it", async () => {
    const all = await parts.events.state();
    await parts.events.setFilter("softmax");
    const found = await parts.events.state();
    assert.ok(found.rowCount > 0 && found.rowCount < all.rowCount);
    for (const { cells } of found.rows) assert.match(`${cells.event ?? ""} ${cells.operator ?? ""}`, /softmax/i);
    assert.match(found.summary, /^“softmax”: \d+ events, [\d.]+ µs, [\d.]+%$/);
    await parts.events.setFilter("softmax layers.2.");
    const narrower = await parts.events.state();
    assert.ok(narrower.rowCount > 0 && narrower.rowCount < found.rowCount);
    await parts.events.setFilter("no-such-thing");
    assert.match((await parts.events.state()).summary, /^No event matches “no-such-thing”$/);
    await parts.events.setFilter("");
    const first = rowOf(all.rows, ({ event }) => event !== undefined);
    await vscode.commands.executeCommand("etlens.events.hide", JSON.parse(first.context));
    assert.strictEqual(parts.events.filter, `-"${first.cells.event ?? ""}"`);
    const rest = await parts.events.state();
    assert.ok(rest.rowCount > 0 && rest.rowCount < all.rowCount);
    assert.ok(rest.rows.every(({ cells }) => cells.event !== first.cells.event));
  });

  // Numbers in names as they are counted.
  const padded = (name: string) => name.replaceAll(/\d+/g, (digits) => digits.padStart(9, "0"));
  for (const [column, compare] of [
    ["operator", (a: string, b: string) => a <= b],
    ["line", (a: string, b: string) => Number(a.split(":")[1]) <= Number(b.split(":")[1])],
    ["module", (a: string, b: string) => padded(a) <= padded(b)],
  ] as const) {
    it(`Events: sorted by ${column}, and the other way round`, async () => {
      const valuesNow = async () => {
        const { rows } = await parts.events.state();
        return rows.filter(({ event, hasLine }) => event !== undefined && hasLine).map(({ cells }) => cells[column] ?? "");
      };
      await parts.events.setFilter("mlp");
      await parts.events.setSort(column);
      const up = await valuesNow();
      assert.ok(new Set(up).size > 1);
      up.forEach((value, i) => assert.ok(i === 0 || compare(up[i - 1] ?? "", value), `${up[i - 1] ?? ""} before ${value}`));
      await parts.events.setSort(column);
      const down = await valuesNow();
      down.forEach((value, i) => assert.ok(i === 0 || compare(value, down[i - 1] ?? ""), `${down[i - 1] ?? ""} before ${value}`));
    });
  }

  for (const grouping of ["line", "module", "operator", "delegate", "partition"] as const) {
    it(`Events: grouped by ${grouping}, every event is in one group`, async () => {
      const { count } = await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 0 });
      await parts.events.setGrouping(grouping);
      const { rows } = await parts.events.state();
      const ids = new Set<number>();
      for (const { key, words } of rows) {
        assert.ok(key !== undefined && words.length > 0);
        await parts.events.toggle(key);
        const opened = await parts.events.read({ limit: 10_000 });
        const group = opened.rows.find((row) => row.group?.key === key)?.group;
        const members = opened.rows.filter((row) => row.event !== undefined);
        assert.strictEqual(members.length, group?.count);
        for (const { event } of members) if (event !== undefined) ids.add(event.id);
        await parts.events.toggle(key);
      }
      assert.strictEqual(ids.size, count);
    });
  }

  it("Events: reveal focuses the event, in the ranking, in its group, behind a filter", async () => {
    await vscode.commands.executeCommand("etlens.events.focus");
    const { rows } = await parts.events.state();
    const id = rowOf(rows, ({ event }) => event !== undefined).event ?? -1;
    const revealed = async (event: number) => {
      parts.events.focused = undefined;
      assert.ok(await parts.events.reveal(event));
      await until("the row to have the focus", () => parts.events.focused === event);
    };
    await revealed(id);
    await parts.events.setGrouping("module");
    await revealed(id);
    await parts.events.setGrouping("none");
    await parts.events.setFilter("softmax");
    await revealed(id);
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
      const costs = node.children.map((child) => child.item.inclusive);
      assert.deepStrictEqual(costs, costs.toSorted((a, b) => b - a));
    }
    const root = parts.modules.getTreeItem(roots[0] as ModuleNode);
    assert.strictEqual(labelOf(root), "TinyLlama");
    assert.match(String(root.description), /^[\d.]+ µs [\d.]+% · self /);
  });

  it("Delegate Calls: equal calls of repeated layers in one row, and what fell back between them by line", async () => {
    const result = await parts.server.request<protocol.PartitionsResult>(protocol.partitions);
    assert.ok(result.groups.length < result.partitions.length);
    const { rows, summary, why } = await parts.partitions.state();
    assert.strictEqual(why, "");
    assert.strictEqual(rows.length, result.groups.length + result.fallback_lines.length);
    assert.match(summary, /^\d+ calls [\d.]+%, \d+ fallbacks to the CPU [\d.]+%$/);
    const shares = rows.map(({ share }) => share);
    assert.deepStrictEqual(shares, shares.toSorted((a, b) => b - a));
    for (const { words } of rows) assert.ok(words.length > 0);
    // Open, a row has its lines and each of its calls.
    const folded = rowOf(rows, ({ cells }) => / × XNNPACK$/.test(cells.call ?? ""));
    assert.match(folded.words, /^\d+ equal delegate calls of XNNPACK: .* explained by operators .* opaque .* not measured .*; in layers\.\d–\d/);
    const calls = Number(folded.cells.call?.split(" ")[0]);
    await parts.partitions.toggle(folded.key ?? "");
    const opened = (await parts.partitions.state()).rows.filter(({ level }) => level === 2);
    assert.strictEqual(opened.filter(({ cells }) => cells.call?.startsWith("#")).length, calls);
    assert.ok(opened.some(({ cells }) => /^tiny_llama\.py:\d+$/.test(cells.line ?? "")));
    await parts.partitions.toggle(folded.key ?? "");
    // In the order of execution; kept for the next time.
    await parts.partitions.setSort("call");
    const first = (await parts.partitions.state()).rows[0];
    assert.match(first?.words ?? "", /^Delegate call #1 |equal delegate calls/);
    assert.deepStrictEqual(parts.partitions.sort, { column: "call", isAscending: true });
    await parts.partitions.setSort("cost");
    assert.deepStrictEqual((await parts.partitions.state()).rows.map(({ share }) => share), shares);
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
    const expected = costs.lines.filter((cost) => cost.heat > 0).map((cost) => [(cost.current_line ?? 0) - 1, cost.heat]);
    assert.deepStrictEqual([...shown], expected);
    const [hottest = -1] = await hotLines(parts);
    assert.strictEqual(shown.get(hottest), Math.max(...[...shown.values()].map(Number)));
  });

  it("Flame graph: the whole, its modules, their lines and operations, and a bar per execution", async () => {
    const data = await parts.flameGraph.data();
    assert.match(data.title, /^forward: [\d.]+ [µm]s, typical of (?:\d+ of )?10 executions$/);
    const [whole] = data.frames;
    assert.ok(whole);
    assert.strictEqual(whole.kind, "whole");
    const below = data.frames.filter(({ parent }) => parent === 0);
    const widths = below.reduce((sum, { width }) => sum + width, 0);
    assert.ok(widths > 0.9 * whole.width && widths <= 1.0001 * whole.width, String(widths));
    assert.deepStrictEqual([...new Set(data.frames.map(({ kind }) => kind))].sort(), ["disturbance", "line", "module", "operation", "part", "whole"]);
    assert.ok(data.frames.every(({ kind, place }) => kind !== "line" || place !== undefined));
    assert.strictEqual(data.executions.length, 10);
    assert.ok(data.executions.some(({ height }) => height === 1));
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
      assert.strictEqual(buffer.tensors.length, result.buffers[b]?.tensors.filter(({ view_of }) => view_of === undefined).length);
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
