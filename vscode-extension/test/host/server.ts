// SPDX-License-Identifier: Apache-2.0
// The server dies, is stopped, is started again; the wrong executable is said plainly.
import * as assert from "node:assert";
import * as vscode from "vscode";
import type { Parts } from "../../src/extension";
import { ready, until } from "./support";

describe("server", () => {
  let parts: Parts;
  before(async () => {
    parts = await ready();
  });

  it("is started again when it dies, with the same numbers", async () => {
    const total = parts.profile.status?.profile?.total.text;
    const first = parts.server.processId;
    assert.ok(first);
    process.kill(first, "SIGKILL");
    await until("another process", () => parts.server.processId !== undefined && parts.server.processId !== first);
    await until("a profile", () => parts.server.state === "running" && parts.profile.status?.state === "ready");
    assert.strictEqual(parts.profile.status?.profile?.total.text, total);
  });

  it("restarts by command", async () => {
    const first = parts.server.processId;
    await vscode.commands.executeCommand("etlens.restartServer");
    assert.notStrictEqual(parts.server.processId, first);
    await until("a profile", () => parts.profile.status?.state === "ready");
  });

  it("says which executable is missing, and recovers when the setting is right again", async () => {
    const configuration = vscode.workspace.getConfiguration("etlens");
    await configuration.update("server.path", "/no/such/etlens", vscode.ConfigurationTarget.Global);
    await until("the failure", () => parts.server.state === "failed");
    assert.match(parts.server.problem, /^etlens\.server\.path: there is no executable \/no\/such\/etlens;/);
    await until("the views to know", () => parts.profile.why === "noServer");
    assert.deepStrictEqual(await parts.events.getChildren(), []);
    await configuration.update("server.path", undefined, vscode.ConfigurationTarget.Global);
    await until("a profile", () => parts.profile.status?.state === "ready");
  });
});
