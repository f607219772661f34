// SPDX-License-Identifier: Apache-2.0
// Executions that did different work: a language model's prefill and its decoding.
import * as fs from "node:fs";
import * as path from "node:path";
import { gunzipSync } from "node:zlib";
import { paths, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

test("groups of executions: one is chosen, and the bars of the executions have their colours", async ({ workbench, page }) => {
  const folder = temporaryFolder("groups");
  const data = path.join(paths.root, "tests/data/llm-cache");
  fs.writeFileSync(path.join(folder, "model.etdp"), gunzipSync(fs.readFileSync(path.join(data, "model.etdp.gz"))));
  fs.copyFileSync(path.join(data, "model.etrecord"), path.join(folder, "model.etrecord"));
  await workbench.open(folder);
  await expect(workbench.status()).toContainText("375 µs typical");
  await workbench.command("Select Group of Executions…");
  const rows = page.locator(".quick-input-widget .monaco-list-row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/decode ×30: 375 µs, \d+ tokens\/s/);
  await expect(rows.nth(1)).toContainText(/prefill ×1: 2\.63 ms \(at least \d+ tokens\)/);
  await workbench.screenshot("groups");
  await rows.nth(1).click();
  await expect(workbench.status()).toContainText("2.63 ms single sample");

  await workbench.command("Flame Graph");
  const bars = workbench.webview().locator(".bar");
  await expect(bars).toHaveCount(31);
  await expect(bars.nth(0)).toHaveClass(/used.* group group1/);
  await expect(bars.nth(0)).toHaveAttribute("aria-label", /^execution 1: 2\.63 ms, prefill$/);
  await expect(bars.nth(1)).toHaveClass(/group group0/);
  await workbench.screenshot("groups-bars");
});
