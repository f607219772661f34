// SPDX-License-Identifier: Apache-2.0
// Runs the tests of this folder inside the extension host; the result goes to the file ETLENS_RESULT.
import * as fs from "node:fs";
import Mocha from "mocha";
import { notes } from "./support";

export async function run(): Promise<void> {
  const result = process.env["ETLENS_RESULT"];
  if (result === undefined) throw new Error("ETLENS_RESULT names no file");
  const mocha = new Mocha({ ui: "bdd", timeout: 60_000 });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  switch (process.env["ETLENS_SUITE"]) {
    case "empty":
      await import("./empty");
      break;
    case "beside":
      await import("./beside");
      break;
    case "scale":
      await import("./scale");
      break;
    default:
      await import("./providers");
      await import("./views");
      await import("./commands");
      await import("./sample");
      await import("./server");
  }
  const lines: string[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => lines.push(`pass ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on("fail", (test, error: Error) => lines.push(`FAIL ${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  lines.push(...notes, `done, ${failures} failed`);
  fs.writeFileSync(`${result}.part`, lines.join("\n"));
  fs.renameSync(`${result}.part`, result);
}
