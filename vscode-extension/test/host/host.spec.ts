// SPDX-License-Identifier: Apache-2.0
// Starts the suites that run inside the extension host of a real VS Code.
import * as fs from "node:fs";
import * as path from "node:path";
import { expect, test } from "@playwright/test";
import { copyOfExample, largeFolder, paths, pythonServer, startCodeServer, temporaryFolder } from "../support/codeServer";

// A suite is many tests, and the machine may have other things to do.
const limitMs = 900_000;

test.setTimeout(limitMs + 60_000);

interface More {
  env?: Record<string, string>;
  development?: string; // the extension under development
  beside?: string[];
}

async function runSuite(page: import("@playwright/test").Page, suite: string, folder: string, more: More = {}): Promise<string> {
  const result = path.join(temporaryFolder("result"), "result.txt");
  const server = await startCodeServer({
    env: { ...more.env, ETLENS_RESULT: result, ETLENS_SUITE: suite },
    beside: more.beside ?? [],
    args: ["--disable-workspace-trust", "--vscode-option", "enable-smoke-test-driver"],
    // Of what the editor is asked for; the decorations have tests of their own.
    settings: { "etlens.hints.display": "inlay" },
  });
  try {
    const url = server.url(folder, [
      ["extensionDevelopmentPath", more.development ?? paths.extension],
      ["extensionTestsPath", path.join(paths.extension, "out/suite.js")],
    ]);
    await page.goto(url, { waitUntil: "domcontentloaded" });
    await expect.poll(() => fs.existsSync(result), { timeout: limitMs }).toBe(true);
    return fs.readFileSync(result, "utf8");
  } finally {
    await server.stop();
  }
}

function check(report: string): void {
  console.log(report);
  expect(report).toMatch(/^pass /m);
  expect(report).not.toMatch(/^FAIL /m);
  expect(report).toMatch(/^done, 0 failed$/m);
}

test("providers, views, commands, server", async ({ page }) => {
  check(await runSuite(page, "all", copyOfExample("transformer")));
});

test("a folder without artifacts", async ({ page }) => {
  check(await runSuite(page, "empty", temporaryFolder("empty")));
});

test("ten thousand events", async ({ page }) => {
  check(await runSuite(page, "scale", largeFolder()));
});

// Two windows on one folder: what Python's server says in the first, it says in the second.
test("a language server of Python beside etlens", async ({ page }) => {
  const python = path.join(paths.extension, "test/host/python");
  const folder = copyOfExample("storyteller");
  const env = { PYTHON_SERVER: pythonServer(), ETLENS_ALONE: path.join(temporaryFolder("alone"), "answers.json") };
  check(await runSuite(page, "beside", folder, { env, development: python }));
  check(await runSuite(page, "beside", folder, { env, beside: [python] }));
});
