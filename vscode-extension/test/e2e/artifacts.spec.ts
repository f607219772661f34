// SPDX-License-Identifier: Apache-2.0
// Files come, change, do not fit, are not there.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, paths, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

test("a new dump on disk shows its numbers without a click", async ({ workbench }) => {
  const folder = await workbench.openExample("mlp", "mlp.py");
  await expect(workbench.status()).toContainText("23.8 µs · 35% on lines");
  await workbench.hint(/3\.20 µs 13%/).waitFor();
  // As a runner does: written beside, then moved in place.
  fs.copyFileSync(path.join(paths.root, "tests/editors/another-run.etdp"), path.join(folder, "new"));
  fs.renameSync(path.join(folder, "new"), path.join(folder, "model.etdp"));
  await expect(workbench.status()).toContainText("63% on lines");
  await expect(workbench.hint(/3\.20 µs 13%/)).toHaveCount(0);
  await workbench.hint(/\d+ .s \d+% XNNPACK/).waitFor();
  await workbench.screenshot("new-dump");
});

test("a record of another export is refused with its reasons", async ({ workbench, page }) => {
  const folder = copyOfExample("convnet");
  fs.copyFileSync(path.join(paths.examples, "transformer/model.etrecord"), path.join(folder, "model.etrecord"));
  await workbench.open(folder, "convnet/blocks.py");
  await expect(workbench.status()).toHaveAttribute("aria-label", /do not belong together/);
  await workbench.only("Profiles");
  const message = page.locator(".sidebar .pane .message", { hasText: "do not belong together" });
  await expect(message).toContainText("10 instructions ran another operator than the record has");
  await expect(message).toContainText("41 instructions of the record did not run");
  await expect(message).toContainText("give the ETRecord of the export");
  await expect(page.locator(".editor-instance .view-line", { hasText: /\d%/ })).toHaveCount(0);
  await workbench.screenshot("mismatch");
});

test("an empty folder says what to do", async ({ workbench, page }) => {
  const folder = temporaryFolder("empty");
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("no ETDump");
  await workbench.only("Events");
  await expect(workbench.welcome("Events")).toContainText("No ETDump was found in this folder");
  await workbench.screenshot("empty");
  await workbench.welcome("Events").getByRole("button", { name: "Getting Started" }).click();
  await expect(page.locator(".getting-started-category, .gettingStartedContainer").first()).toContainText("What does each line cost?");
  await expect(page.locator(".gettingStartedContainer")).toContainText("Make an ETRecord");
  await workbench.screenshot("walkthrough");
});

test("the example opens in one click", async ({ workbench, page }) => {
  const folder = temporaryFolder("empty");
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await workbench.only("Events");
  const button = workbench.welcome("Events").getByRole("button", { name: "Open the Example Project" });
  await button.waitFor();
  const popup = page.context().waitForEvent("page");
  await button.click();
  const example = await popup;
  await example.locator('.explorer-viewlet .monaco-list-row[aria-label^="tiny_llama.py"]').dblclick({ timeout: 60_000 });
  await expect(example.locator(".statusbar-item[id^='etlens']")).toContainText("on lines", { timeout: 60_000 });
  await example.close();
});
