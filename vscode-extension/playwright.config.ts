// SPDX-License-Identifier: Apache-2.0
// Three suites: files of the project against each other (unit), the API inside a real extension host
// (host), and what a person sees in a real VS Code in a real browser (e2e). scripts/test-extension
// prepares what they need.
import { defineConfig } from "@playwright/test";

export const viewport = { width: 1400, height: 900 };
// What takes as long is wrong on the slowest machine that has something else to do, too.
export const patience = 60_000;

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  // The editor is heavier than the tests: one at a time.
  workers: 1,
  fullyParallel: false,
  // What a busy machine drew too late is tried again, and listed as flaky.
  retries: 2,
  timeout: 300_000,
  expect: { timeout: patience },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    actionTimeout: patience,
    viewport,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["ETLENS_CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
      ],
    },
  },
  projects: [
    { name: "unit", testMatch: "unit/*.spec.ts" },
    { name: "host", testMatch: "host/*.spec.ts" },
    { name: "e2e", testMatch: "e2e/*.spec.ts" },
  ],
});
