// SPDX-License-Identifier: Apache-2.0
// Every command of the palette.
import * as assert from "node:assert";
import * as fs from "node:fs";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import { commandNames } from "../../src/commands";
import { unpackExample } from "../../src/commands/example";
import { forms, writeForm } from "../../src/commands/export";
import type { Parts } from "../../src/commands/parts";
import { extension, hotLines, open, ready, until, uriOf } from "./support";

const model = "tiny_llama.py";

function at(): string {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? "" : `${vscode.workspace.asRelativePath(editor.document.uri)}:${editor.selection.active.line}`;
}

async function setting<T>(name: string): Promise<T | undefined> {
  return Promise.resolve(vscode.workspace.getConfiguration("etlens").get<T>(name));
}

const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));

describe("commands", () => {
  let parts: Parts;
  before(async () => {
    parts = await ready();
  });
  beforeEach(async () => {
    await open(model, 0);
  });

  it("what is contributed is registered, and the other way round", async () => {
    const contributed = (extension().packageJSON as { contributes: { commands: { command: string }[] } }).contributes.commands;
    const registered = await vscode.commands.getCommands(true);
    for (const { command } of contributed) assert.ok(registered.includes(command), `${command} is not registered`);
    const names = contributed.map(({ command }) => command);
    for (const name of commandNames) {
      if (!name.startsWith("etlens.rows.")) assert.ok(names.includes(name), `${name} is not contributed`);
    }
  });

  it("an event's row opens its line", async () => {
    const { events, generation } = await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 50 });
    const placed = events.find((event) => event.current_line !== null);
    assert.ok(placed);
    await vscode.commands.executeCommand("etlens.rows.openEvent", { event: placed.id, generation });
    await until("the line", () => at() === `${model}:${(placed.current_line ?? 0) - 1}`);
  });

  it("a module's row opens its class, or where it is made", async () => {
    const source = fs.readFileSync(uriOf(model).fsPath, "utf8").split("\n");
    const text = () => source[vscode.window.activeTextEditor?.selection.active.line ?? -1] ?? "";
    await vscode.commands.executeCommand("etlens.rows.openModule", "layers.2.mlp");
    await until("the class", () => /^class SwiGLU\(/.test(text()));
    await vscode.commands.executeCommand("etlens.rows.openModule", "layers.2.mlp.up");
    await until("the attribute", () => /^\s+self\.up = /.test(text()));
  });

  it("rows of delegate calls open their lines", async () => {
    const { rows } = await parts.partitions.state();
    const row = rows.find(({ hasLine }) => hasLine);
    assert.ok(row);
    await vscode.commands.executeCommand("etlens.events.goToLine", JSON.parse(row.context));
    await until("the line", () => at() === `${model}:${Number(row.cells.line?.split(":")[1]) - 1}`);
  });

  it("next and previous hot line walk the ranking", async () => {
    const [first = -1, second = -1] = await hotLines(parts);
    await vscode.commands.executeCommand("etlens.goToNextHotLine");
    await until("the hottest line", () => at() === `${model}:${first}`);
    await vscode.commands.executeCommand("etlens.goToNextHotLine");
    await until("the second line", () => at() === `${model}:${second}`);
    await vscode.commands.executeCommand("etlens.goToPreviousHotLine");
    await until("the hottest line again", () => at() === `${model}:${first}`);
  });

  it("reveal in Events: from the line, and from a hint", async () => {
    await open(model, 82);
    await vscode.commands.executeCommand("etlens.revealInEvents");
    const { events, generation } = await parts.server.request<protocol.EventsResult>(protocol.events);
    const selected = () => events.find(({ id }) => id === parts.events.focused);
    await until("the event of the line", () => selected()?.current_line === 83);
    const fourth = events[3];
    assert.ok(fourth);
    await vscode.commands.executeCommand("etlens.revealInEvents", { event: fourth.id, generation });
    await until("the event of the hint", () => selected()?.id === fourth.id);
  });

  it("filter, clear the filter, group", async () => {
    await vscode.commands.executeCommand("etlens.events.filter", "softmax");
    assert.strictEqual(parts.events.filter, "softmax");
    await vscode.commands.executeCommand("etlens.events.clearFilter");
    assert.strictEqual(parts.events.filter, "");
    await vscode.commands.executeCommand("etlens.events.groupBy", "operator");
    assert.strictEqual(parts.events.grouping, "operator");
    await vscode.commands.executeCommand("etlens.events.groupBy", "none");
  });

  it("the menu of an event's row: to its line, copied, in the flame graph", async () => {
    await parts.events.setFilter("layers.2.mlp.up");
    const [row] = (await parts.events.state()).rows;
    await parts.events.setFilter("");
    const context = JSON.parse(row?.context ?? "") as object;
    await vscode.commands.executeCommand("etlens.events.goToLine", context);
    await until("the line", () => at() === `${model}:82`);
    await vscode.commands.executeCommand("etlens.events.copy", context);
    assert.match(await vscode.env.clipboard.readText(), /^[\d.]+ [nµ]s\t[\d.]+%\ttiny_llama\.py:83\taten\.linear\.default\tFully Connected .*\tlayers\.2\.mlp\.up\tXNNPACK\taligned$/);
    await vscode.commands.executeCommand("etlens.events.showInFlameGraph", context);
    await until("the flame graph", () => labels().includes("Flame Graph"));
  });

  it("toggle hints and heat", async () => {
    for (const [command, name] of [["etlens.toggleHints", "hints.enabled"], ["etlens.toggleHeat", "heat.enabled"]] as const) {
      assert.strictEqual(await setting(name), true);
      await vscode.commands.executeCommand(command);
      assert.strictEqual(await setting(name), false);
      if (name === "heat.enabled") {
        await until("no heat", () => parts.heat.shown.get(uriOf(model).toString())?.size === 0);
      } else {
        await until("no hints", async () => {
          const all = new vscode.Range(0, 0, 1000, 0);
          const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uriOf(model), all);
          return hints.length === 0;
        });
      }
      await vscode.commands.executeCommand(command);
      assert.strictEqual(await setting(name), true);
    }
  });

  it("copy hover", async () => {
    await open(model, 82);
    await vscode.commands.executeCommand("etlens.copyHover");
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^\*\*[\d.]+ µs\*\* self/);
    assert.match(text, /\| operator \| (event \| )?module \|/);
    assert.ok(!text.includes("data:image") && !text.includes("](file:"));
  });

  it("the lines of a delegate call, until the cursor leaves them or asks again", async () => {
    const shown = () => parts.delegateLines.shown.get(uriOf(model).toString()) ?? [];
    const editor = await open(model, 82);
    await vscode.commands.executeCommand("etlens.showDelegateLines");
    assert.ok(shown().includes(82));
    assert.ok(shown().length > 1, "the feed-forward network is one call");
    const other = shown().find((line) => line !== 82) ?? 0;
    editor.selection = new vscode.Selection(other, 0, other, 0);
    await until("the cursor", () => at() === `${model}:${other}`);
    assert.ok(shown().includes(82), "they stay on a line of theirs");
    await vscode.commands.executeCommand("etlens.showDelegateLines");
    assert.deepStrictEqual(shown(), []);

    await open(model, 82);
    await vscode.commands.executeCommand("etlens.showDelegateLines");
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await until("no lines", () => shown().length === 0);
    // A line that no delegate ran: a sentence, and nothing is drawn.
    await vscode.commands.executeCommand("etlens.showDelegateLines");
    assert.deepStrictEqual(shown(), []);
  });

  it("the edge program at a line, and back from its node", async () => {
    await open(model, 82);
    const opening = vscode.commands.executeCommand("etlens.openEdgeProgram");
    const editor = await until("the edge program", async () => {
      // Of all modules that run the line.
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return vscode.window.activeTextEditor?.document.uri.scheme === "etlens" ? vscode.window.activeTextEditor : undefined;
    });
    await opening;
    assert.ok(editor.selections.length > 1, "the nodes of the line are selected");
    await until("what delegates run", () => parts.edgeProgram.shown.length > 0 || undefined);
    await vscode.commands.executeCommand("etlens.openNodeSource");
    await until("the line", () => at() === `${model}:82`);
  });

  it("set as current, follow the newest", async () => {
    fs.copyFileSync(uriOf("model.etdp").fsPath, uriOf("second.etdp").fsPath);
    await until("the second dump", async () => {
      await vscode.commands.executeCommand("etlens.reloadArtifacts");
      return (await parts.profiles.getChildren()).length === 2;
    });
    await until("it is the newest, and shown", () => parts.profile.status?.profile?.etdump.endsWith("second.etdp"));
    const dumps = await parts.profiles.getChildren();
    const other = dumps.find((node) => node.dump?.current === false);
    assert.ok(other?.dump);
    const { etdump } = other.dump;
    await vscode.commands.executeCommand("etlens.useProfile", { dump: other.dump });
    await until("the other dump", () => parts.profile.status?.profile?.etdump === etdump);
    await vscode.commands.executeCommand("etlens.followNewest");
    await until("the newest dump", () => parts.profile.status?.profile?.etdump !== etdump);
    fs.rmSync(uriOf("second.etdp").fsPath);
    await vscode.commands.executeCommand("etlens.reloadArtifacts");
    await until("the first dump", () => parts.profile.status?.profile?.etdump.endsWith("model.etdp"));
  });

  it("compare with a dump, stop comparing", async () => {
    fs.copyFileSync(uriOf("model.etdp").fsPath, uriOf("before.etdp").fsPath);
    const old = new Date(Date.now() - 600_000);
    fs.utimesSync(uriOf("before.etdp").fsPath, old, old);
    const rowOf = async () => {
      await vscode.commands.executeCommand("etlens.reloadArtifacts");
      return (await parts.profiles.getChildren()).find((node) => node.dump?.etdump.endsWith("before.etdp"));
    };
    const row = await until("the dump of before", rowOf);
    await vscode.commands.executeCommand("etlens.compareWith", row);
    const comparison = await until("a comparison", () => parts.profile.status?.comparison);
    assert.strictEqual(comparison.problem, undefined);
    assert.strictEqual(comparison.dumps_before, 1);
    assert.strictEqual((await rowOf())?.row.context, "dump.baseline");
    const [first] = await parts.changes.getChildren();
    assert.strictEqual(first?.kind, "total");
    // The same run twice: nothing is marked, and nothing to go to.
    const { lines } = await parts.server.request<protocol.ChangesResult>(protocol.changes);
    assert.deepStrictEqual(lines, []);
    await assert.rejects(parts.server.execute(protocol.commands.nextChangedLine), /no line is slower, faster or new/);
    await vscode.commands.executeCommand("etlens.stopComparing");
    await until("no comparison", () => parts.profile.status?.comparison === undefined);
    fs.rmSync(uriOf("before.etdp").fsPath);
    await vscode.commands.executeCommand("etlens.reloadArtifacts");
  });

  it("read artifacts again", async () => {
    const before = parts.profile.generation;
    await vscode.commands.executeCommand("etlens.reloadArtifacts");
    await until("a new generation", () => parts.profile.generation > before);
  });

  it("what words and signs mean opens as a page", async () => {
    await vscode.commands.executeCommand("etlens.openTerms");
    await until("the tab", () => labels().some((label) => label.includes("terms.md")));
  });

  it("the flame graph opens as a tab", async () => {
    await vscode.commands.executeCommand("etlens.openFlameGraph");
    await until("the tab", () => labels().includes("Flame Graph"));
  });

  it("the report opens as a tab, has the numbers that are shown, and a link for each line", async () => {
    await vscode.commands.executeCommand("etlens.openReport");
    await until("the tab", () => labels().includes("Report"));
    const { title, body, why } = await parts.report.data();
    assert.equal(why, "");
    assert.ok(title.endsWith(`: ${parts.profile.status?.profile?.total_text ?? "?"}`));
    assert.ok(body.includes(`<h1>${title}</h1>`));
    const link = /data-path="([^"]+)" data-line="(\d+)"/.exec(body);
    assert.ok(link !== null && fs.existsSync(link[1] ?? ""));
    assert.ok(!body.includes("<script"));
  });

  for (const form of forms) {
    it(`${form.label} is written to the file that was chosen`, async () => {
      const file = vscode.Uri.joinPath(parts.context.globalStorageUri, `export${form.suffix}`);
      await vscode.workspace.fs.createDirectory(parts.context.globalStorageUri);
      await writeForm(parts, form, file);
      assert.ok(fs.statSync(file.fsPath).size > 100);
      fs.rmSync(file.fsPath);
    });
  }

  it("the example is unpacked once, and what was edited stays", async () => {
    const unpacked = await unpackExample(parts.context);
    const file = vscode.Uri.joinPath(unpacked, "layers.py");
    assert.ok(fs.existsSync(vscode.Uri.joinPath(unpacked, "model.etrecord").fsPath));
    fs.appendFileSync(file.fsPath, "# edited\n");
    await unpackExample(parts.context);
    assert.ok(fs.readFileSync(file.fsPath, "utf8").endsWith("# edited\n"));
    fs.rmSync(unpacked.fsPath, { recursive: true });
  });

  it("a refusal is a sentence, not an exception", async () => {
    await vscode.commands.executeCommand("etlens.rows.openEvent", { event: 5, generation: 999_999 });
    await vscode.commands.executeCommand("etlens.rows.openModule", "no.such.module");
    await vscode.commands.executeCommand("etlens.openNodeSource");
  });

  for (const command of ["etlens.openLog", "etlens.openWalkthrough"]) {
    it(`${command} runs`, async () => {
      await vscode.commands.executeCommand(command);
    });
  }

  for (const command of ["etlens.menu", "etlens.pickEvent", "etlens.pickProfile", "etlens.pickMethod", "etlens.pickExecutions",
    "etlens.pickStatistic", "etlens.events.filter", "etlens.events.groupBy"]) {
    it(`${command} asks, and can be left`, async () => {
      const asked = vscode.commands.executeCommand(command);
      await until("the question to close", async () => {
        await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
        return Promise.race([Promise.resolve(asked).then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50))]);
      });
    });
  }
});
