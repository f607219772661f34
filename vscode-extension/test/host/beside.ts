// SPDX-License-Identifier: Apache-2.0
// A language server of Python with etlens and without: whatever Python's said, it still says, and in the same order; etlens adds
// hovers, hints, lenses and symbols of the folder. In a window without etlens the answers are written to the file ETLENS_ALONE;
// in one with it they are compared.
import * as assert from "node:assert";
import * as fs from "node:fs";
import * as vscode from "vscode";
import { type Answers, answersOf } from "./answers";
import { extensionId, notes, open, ready, until, uriOf } from "./support";

const model = "layers.py";
// Measured lines and others; what is asked about is behind the bar.
const places = [
  "from rope import |apply_rope",
  "class |Attention(",
  "key/value |head",
  "def |attend(self, q: Tensor, k: Tensor",
  "scores = |q @ k",
  "math.|sqrt(self.head_dim)",
  "return |weights @ v",
  "q = |apply_rope(self.split_heads",
  "k = apply_rope(|self.split_heads",
  "v = self.|split_heads(",
  "self.|repeat_kv(k)",
  "self.|down(F.silu",
];
// What the editor asks every extension for; of all else it takes the first answer, or shows all as one list.
const added = /^(hovers|inlay hints|lenses|symbols of the folder|actions)\b/;
// Python's server says something of each of these somewhere, or nothing was tried.
const expected = [
  "symbols", "hovers", "highlights", "definitions", "declarations", "type definitions", "references", "completions", "signatures",
  "renaming", "calls", "symbols of the folder",
];

interface Python {
  restart(): Promise<void>;
}

async function python(): Promise<Python> {
  const found = vscode.extensions.getExtension<Python>("test.python-server");
  assert.ok(found, "Python's server is not there");
  return found.activate();
}

const isEmpty = (answer: unknown) => answer === null || (Array.isArray(answer) && answer.length === 0);

// Until Python's server knows the other file of the folder.
async function untilPythonKnows(): Promise<void> {
  await until("Python's references", async () => {
    const text = (await vscode.workspace.openTextDocument(uriOf("rope.py"))).getText();
    const at = new vscode.Position(text.slice(0, text.indexOf("def apply_rope")).split("\n").length - 1, 4);
    const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", uriOf("rope.py"), at);
    return found.some(({ uri }) => uri.toString() === uriOf(model).toString());
  });
}

// The rows of `alone` that `together` has, in this order, and nothing more of them: what remains was added.
function addedTo(alone: unknown[], together: unknown[], what: string): unknown[] {
  const rest = alone.map((answer) => JSON.stringify(answer));
  const more = together.filter((answer) => {
    if (JSON.stringify(answer) !== rest[0]) return true;
    rest.shift();
    return false;
  });
  assert.deepStrictEqual(rest, [], `${what}: this of Python's server is missing, or in another order`);
  return more;
}

function compare(alone: Answers, together: Answers): Map<string, unknown[]> {
  assert.deepStrictEqual(Object.keys(together), Object.keys(alone));
  const more = new Map<string, unknown[]>();
  for (const [what, answer] of Object.entries(together)) {
    if (!added.test(what)) assert.deepStrictEqual(answer, alone[what], what);
    else more.set(what, addedTo((alone[what] ?? []) as unknown[], (answer ?? []) as unknown[], what));
  }
  return more;
}

const file = process.env["ETLENS_ALONE"] ?? "";

function withoutEtlens(): void {
  it("Python's server answers alone", async () => {
    await open(model);
    await python();
    await untilPythonKnows();
    const answers = await answersOf(uriOf(model), places);
    for (const what of expected) {
      assert.ok(Object.entries(answers).some(([key, answer]) => key.split(" at ")[0] === what && !isEmpty(answer)), `Python's server says no ${what}`);
    }
    notes.push(`measured: ${Object.keys(answers).length} answers`);
    fs.writeFileSync(file, JSON.stringify(answers));
  });
}

function withEtlens(): void {
  let alone: Answers;
  before(async () => {
    alone = JSON.parse(fs.readFileSync(file, "utf8")) as Answers;
    await open(model);
    await python();
  });

  // The editor asks the newest extension first.
  for (const last of ["etlens", "Python's server"]) {
    it(`its answers are what they were, and etlens adds to them; ${last} started last`, async () => {
      const parts = await ready();
      if (last === "etlens") await vscode.commands.executeCommand("etlens.restartServer");
      else await (await python()).restart();
      await until("a profile", () => parts.server.state === "running" && parts.profile.status?.state === "ready");
      await untilPythonKnows();
      const more = compare(alone, await answersOf(uriOf(model), places));
      assert.match(JSON.stringify(more.get("hovers at return |weights @ v")), /\| operator \|/);
      assert.deepStrictEqual(more.get("hovers at from rope import |apply_rope"), []);
      assert.ok((more.get("inlay hints") ?? []).length > 10);
      assert.ok((more.get("lenses") ?? []).length > 0);
    });
  }
}

describe("beside a language server of Python", vscode.extensions.getExtension(extensionId) === undefined ? withoutEtlens : withEtlens);
