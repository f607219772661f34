// SPDX-License-Identifier: Apache-2.0
// Runs the tests of this folder inside the extension host; the result goes to the file ETLENS_RESULT.
import * as fs from "node:fs";
import Mocha from "mocha";

export async function run(): Promise<void> {
  const result = process.env["ETLENS_RESULT"];
  if (result === undefined) throw new Error("ETLENS_RESULT names no file");
  const mocha = new Mocha({ ui: "bdd", timeout: 60_000 });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  await import("./tests");
  const lines: string[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => lines.push(`pass ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on("fail", (test, error) => lines.push(`FAIL ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  lines.push(`done, ${failures} failed`);
  fs.writeFileSync(`${result}.part`, lines.join("\n"));
  fs.renameSync(`${result}.part`, result);
}
