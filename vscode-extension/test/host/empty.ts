// SPDX-License-Identifier: Apache-2.0
// A folder without artifacts: what activation costs, and what the views say.
import * as assert from "node:assert";
import * as vscode from "vscode";
import { extension, notes, promised, until } from "./support";

// Far below what a person notices.
const limitMs = 50;

describe("a folder without artifacts", () => {
  it("activation takes no noticeable time", async () => {
    const found = extension();
    assert.ok(!found.isActive, "nothing has asked for the extension yet");
    const clock = performance.now();
    const cpu = process.threadCpuUsage();
    const parts = await found.activate();
    const took = performance.now() - clock;
    const used = process.threadCpuUsage(cpu);
    const usedMs = (used.user + used.system) / 1000;
    notes.push(
      `measured: activation in a folder without artifacts: ${usedMs.toFixed(1)} ms of computing, ` +
        `${parts.activationMs.toFixed(1)} ms of it in the extension; ${took.toFixed(1)} ms until the editor says so`,
    );
    promised("activation in the extension", parts.activationMs, limitMs);
    assert.notStrictEqual(parts.server.state, "running", "nothing waits for the server");
  });

  it("the views say why they are empty", async () => {
    const parts = await extension().activate();
    await until("the answer", () => parts.profile.why === "none");
    assert.match(parts.profile.message, /^no ETDump below /);
    const events = await parts.events.state();
    assert.match(events.why, /^No ETDump was found in this folder\./);
    assert.deepStrictEqual(events.actions.map(({ command }) => command), ["etlens.profileModel", "etlens.openExample", "etlens.openWalkthrough"]);
    assert.deepStrictEqual(await parts.modules.getChildren(), []);
    assert.match((await parts.partitions.state()).why, /^The delegate calls, .* as soon as there is a dump\.$/);
    assert.deepStrictEqual(await parts.profiles.getChildren(), []);
    assert.match((await parts.flameGraph.data()).why, /^no ETDump/);
  });

  it("commands refuse with a sentence", async () => {
    for (const command of ["etlens.goToNextHotLine", "etlens.revealInEvents", "etlens.openEdgeProgram", "etlens.copyHover"]) {
      await vscode.commands.executeCommand(command);
    }
  });
});
