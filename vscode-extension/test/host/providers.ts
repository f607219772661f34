// SPDX-License-Identifier: Apache-2.0
// What the language server gives to the editor's own features, through the client.
import * as assert from "node:assert";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import { hintText, open, ready, uriOf } from "./support";

const model = "tiny_llama.py";
const hotLine = 82; // the feed-forward network: it is measured, whatever the statistic
const everything = new vscode.Range(0, 0, 1000, 0);

describe("providers", () => {
  before(async () => {
    await ready();
    await open(model);
  });

  it("hints stand on the measured lines", async () => {
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uriOf(model), everything);
    const hot = hints.find((hint) => hint.position.line === hotLine);
    assert.ok(hot);
    assert.match(hintText(hot), /^[\d.]+ µs [\d.]+% XNNPACK ×3$/);
    assert.ok(hints.length > 20);
    const [part] = hot.label as vscode.InlayHintLabelPart[];
    assert.strictEqual(part?.command?.command, "etlens.revealInEvents");
    assert.strictEqual(part.command.arguments, undefined);
  });

  it("the hover has a table", async () => {
    const at = new vscode.Position(hotLine, 20);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", uriOf(model), at);
    const text = hovers.flatMap((hover) => hover.contents.map((part) => (part as vscode.MarkdownString).value)).join();
    assert.match(text, /\| operator \| (event \| )?module \|/);
    assert.match(text, /`linear`/);
  });

  it("lenses stand on classes and functions", async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uriOf(model));
    const titles = lenses.map((lens) => lens.command?.title ?? "");
    assert.ok(titles.some((title) => / of the run · 3 instances$/.test(title)), titles.join());
    // The root of the record has one that runs it again as well.
    const again = lenses.filter((lens) => lens.command?.command === "etlens.runAgain");
    assert.deepStrictEqual(again.map(({ command }) => command?.title), ["$(run) Run again"]);
    assert.ok(lenses.every((lens) => again.includes(lens) || lens.command?.command === "etlens.nextHotLine"));
  });

  it("a line with a finding has a lightbulb, which copies it for an assistant", async () => {
    const parts = await ready();
    const { advice } = await parts.server.request<protocol.AdviceResult>(protocol.advice);
    const of = (line: number) => vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uriOf(model), new vscode.Range(line, 0, line, 0));
    const found = advice.flatMap((item) => item.lines.map((source) => ({ item, source })))
      .find(({ source }) => source.uri === uriOf(model).toString() && source.current_line !== null);
    assert.ok(found, "no finding is about a line of the model");
    const copies = (await of((found.source.current_line ?? 0) - 1)).filter(({ command }) => command?.command === "etlens.advice.copyPrompt");
    assert.ok(copies.some(({ title }) => title.includes(found.item.title)), copies.map(({ title }) => title).join());
    await vscode.commands.executeCommand("etlens.advice.copyPrompt", found.item);
    assert.ok((await vscode.env.clipboard.readText()).includes(found.item.title));
    assert.deepStrictEqual((await of(0)).filter(({ command }) => command?.command.startsWith("etlens.")), []);
  });

  it("workspace symbols lead to lines", async () => {
    const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", "layers.2.mlp.up");
    assert.strictEqual(symbols[0]?.location.range.start.line, hotLine);
  });

  // The editor asks one extension only for these: whatever we said, another one would be silent.
  it("calls and definitions in Python are left to others", async () => {
    const at = new vscode.Position(113, 8); // TinyLlama.forward
    const items = await vscode.commands.executeCommand<vscode.CallHierarchyItem[] | undefined>("vscode.prepareCallHierarchy", uriOf(model), at);
    assert.deepStrictEqual(items ?? [], []);
    const places = await vscode.commands.executeCommand<vscode.Location[] | undefined>("vscode.executeDefinitionProvider", uriOf(model), at);
    assert.deepStrictEqual(places ?? [], []);
  });

  it("the edge program is a document whose nodes lead to their source", async () => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse("etlens:/edge-program/forward.txt"));
    const line = document.getText().split("\n").findIndex((text) => text.includes("aten_linear") || text.includes("linear.default"));
    assert.ok(line > 0, document.getText().slice(0, 500));
    const places = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      "vscode.executeDefinitionProvider", document.uri, new vscode.Position(line, 2));
    const uri = places[0] instanceof vscode.Location ? places[0].uri : (places[0] as vscode.LocationLink).targetUri;
    assert.strictEqual(uri.toString(), uriOf(model).toString());
  });
});
