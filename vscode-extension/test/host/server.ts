// SPDX-License-Identifier: Apache-2.0
// The server dies, is stopped, is started again; the wrong executable is said plainly.
import * as assert from "node:assert";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import type { Parts } from "../../src/commands/parts";
import { ready, until } from "./support";

describe("server", () => {
  let parts: Parts;
  before(async () => {
    parts = await ready();
  });

  it("is started again when it dies, with the same numbers", async () => {
    const total = parts.profile.status?.profile?.total_text;
    const first = parts.server.processId;
    assert.ok(first);
    process.kill(first, "SIGKILL");
    await until("another process", () => parts.server.processId !== undefined && parts.server.processId !== first);
    await until("a profile", () => parts.server.state === "running" && parts.profile.status?.state === "ready");
    assert.strictEqual(parts.profile.status?.profile?.total_text, total);
  });

  it("is left alone when it dies again and again, says so, and is started again by command", async () => {
    const killed = new Set<number>();
    await until("the end of the patience", () => {
      const pid = parts.server.processId;
      if (parts.server.state === "running" && pid !== undefined && !killed.has(pid)) {
        killed.add(pid);
        process.kill(pid, "SIGKILL");
      }
      return parts.server.state === "failed";
    });
    assert.match(parts.server.problem, /^The etlens server ended \d times within 3 minutes and was not started again\. The log says more\.$/);
    await until("the views to know", () => parts.profile.why === "noServer");
    assert.strictEqual(parts.profile.message, parts.server.problem);
    assert.deepStrictEqual((await parts.events.state()).rows, []);
    await vscode.commands.executeCommand("etlens.restartServer");
    await until("a profile", () => parts.profile.status?.state === "ready");
    assert.strictEqual(parts.server.problem, "");
  });

  it("restarts by command", async () => {
    const first = parts.server.processId;
    await vscode.commands.executeCommand("etlens.restartServer");
    assert.notStrictEqual(parts.server.processId, first);
    await until("a profile", () => parts.profile.status?.state === "ready");
  });

  it("restarts of which one begins before the other is done leave one server, for whoever asks meanwhile", async () => {
    const first = parts.server.processId;
    const restarts = [parts.server.restart(), parts.server.restart()];
    const status = await parts.server.request<protocol.StatusResult>(protocol.status);
    assert.ok(status.state === "loading" || status.state === "ready", status.state);
    await Promise.all(restarts);
    assert.strictEqual(parts.server.state, "running");
    assert.notStrictEqual(parts.server.processId, first);
    await until("a profile", () => parts.profile.status?.state === "ready");
  });

  it("says which executable is missing, and recovers when the setting is right again", async () => {
    const configuration = vscode.workspace.getConfiguration("etlens");
    // Somebody always asks, also while the old server ends and no other one has started.
    const asking = setInterval(() => void parts.server.request(protocol.status).catch(() => undefined), 1);
    try {
      await configuration.update("server.path", "/no/such/etlens", vscode.ConfigurationTarget.Global);
      await until("the failure", () => parts.server.state === "failed");
    } finally {
      clearInterval(asking);
    }
    assert.match(parts.server.problem, /^etlens\.server\.path: there is no executable \/no\/such\/etlens;/);
    await until("the views to know", () => parts.profile.why === "noServer");
    assert.deepStrictEqual((await parts.events.state()).rows, []);
    await configuration.update("server.path", undefined, vscode.ConfigurationTarget.Global);
    await until("a profile", () => parts.profile.status?.state === "ready");
  });

  // A program of this system of which a name was changed, for which its loader looks then.
  function programAskingFor(name: string, instead: RegExp): string {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "etlens-")), "etlens");
    const program = fs.readFileSync("/bin/true", "latin1");
    assert.match(program, instead);
    fs.writeFileSync(file, program.replace(instead, name), "latin1");
    fs.chmodSync(file, 0o755);
    return file;
  }

  for (const [what, name, instead, said] of [
    ["a library is missing", "libx.so.6\0", /libc\.so\.6\0/, "error while loading shared libraries: libx.so.6: cannot open shared object file"],
    ["the C library is too old", "GLIBC_9.34\0", /GLIBC_2\.34\0/, "version `GLIBC_9.34' not found (required by "],
  ] as const) {
    it(`says what the loader says when ${what}, and does not try again`, async () => {
      const configuration = vscode.workspace.getConfiguration("etlens");
      const program = programAskingFor(name, instead);
      await configuration.update("server.path", program, vscode.ConfigurationTarget.Global);
      await until("the failure", () => parts.server.state === "failed");
      assert.ok(parts.server.problem.startsWith(`The etlens server did not start: ${program}: `), parts.server.problem);
      assert.ok(parts.server.problem.includes(said), parts.server.problem);
      await until("the views to know", () => parts.profile.why === "noServer");
      assert.strictEqual(parts.profile.message, parts.server.problem);
      await configuration.update("server.path", undefined, vscode.ConfigurationTarget.Global);
      await until("a profile", () => parts.profile.status?.state === "ready");
    });
  }
});
