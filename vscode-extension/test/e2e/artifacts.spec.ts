// SPDX-License-Identifier: Apache-2.0
// Files come, change, do not fit, are not there.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, paths, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

test("a new dump on disk shows its numbers without a click", async ({ workbench, page }) => {
  const folder = await workbench.openExample("mlp", "mlp.py");
  const hint = workbench.hint(/\d% XNNPACK/);
  await hint.waitFor();
  const lens = page.locator(".codelens-decoration a", { hasText: "2 instances" }).first();
  await lens.waitFor();
  const [status, hinted, said] = await Promise.all([workbench.status(), hint, lens].map((shown) => shown.innerText()));
  // As a runner does: written beside, then moved in place.
  fs.copyFileSync(path.join(paths.root, "tests/editors/another-run.etdp"), path.join(folder, "new"));
  fs.renameSync(path.join(folder, "new"), path.join(folder, "model.etdp"));
  await expect(workbench.status()).not.toHaveText(status ?? "");
  await expect(workbench.status()).toContainText("on lines");
  await expect(hint).not.toHaveText(hinted ?? "");
  // The lenses, too, are those of the new dump.
  await expect(lens).not.toHaveText(said ?? "");
  await expect(lens).toHaveText(/^[\d.]+ .s · [\d.]+% of forward/);
  // Not in silence: what the numbers were stands beside what they are.
  await expect(page.locator(".statusbar-item", { hasText: /model\.etdp is new: [\d.]+ .s typical before, [\d.]+ .s in a single sample now/ })).toBeVisible();
  await workbench.screenshot("new-dump");
});

test("a record of another export is refused with its reasons", async ({ workbench, page }) => {
  const folder = copyOfExample("convnet");
  fs.copyFileSync(path.join(paths.models, "transformer/model.etrecord"), path.join(folder, "model.etrecord"));
  await workbench.open(folder, "convnet/blocks.py");
  await expect(workbench.status()).toHaveAttribute("aria-label", /do not belong together/);
  await workbench.only("Profiles");
  const message = page.locator(".sidebar .pane .message", { hasText: "do not belong together" });
  await expect(message).toContainText("10 instructions ran another operator than the record has");
  await expect(message).toContainText("41 instructions of the record did not run");
  await expect(message).toContainText("give the ETRecord of the export");
  await expect(page.locator(".editor-instance .view-line", { hasText: /\d%/ })).toHaveCount(0);
  await expect(page.locator(".notifications-toasts .notification-list-item-message")).toHaveText("model.etdp and model.etrecord do not belong together.");
  // What a missing record leaves: the events, and the total.
  await expect(workbench.status()).toContainText("nothing on lines");
  await workbench.screenshot("mismatch");
  await workbench.only("Modules");
  await expect(workbench.welcome("Modules")).toContainText("The ETRecord that was found does not fit this dump");

  // What the view asks for is done, and seen without a click.
  fs.rmSync(path.join(folder, "model.etrecord"));
  await expect(workbench.welcome("Modules")).toContainText("No ETRecord was found for this dump");
  await workbench.screenshot("no-record");
  fs.copyFileSync(path.join(paths.models, "convnet/model.etrecord"), path.join(folder, "model.etrecord"));
  await workbench.hint(/\d% XNNPACK/).waitFor();
  await expect(workbench.rows("Modules").first()).toBeVisible();
});

test("an empty folder says what to do", async ({ workbench, page }) => {
  const folder = temporaryFolder("empty");
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("no ETDump");
  await workbench.only("Events");
  await expect(workbench.events().getByRole("status")).toContainText("No ETDump was found in this folder");
  await workbench.screenshot("empty");
  await workbench.events().getByRole("button", { name: "Getting Started" }).click();
  await expect(page.locator(".getting-started-category, .gettingStartedContainer").first()).toContainText("What does each line cost?");
  await expect(page.locator(".gettingStartedContainer")).toContainText("Make an ETRecord");
  // The page beside the steps is drawn in a frame of its own.
  const texts = () => Promise.all(page.frames().map((frame) => frame.evaluate(() => document.body.innerText).catch(() => "")));
  await expect.poll(async () => (await texts()).join("\n")).toContain("Two files, one answer");
  await workbench.screenshot("walkthrough");
});

test("the example opens in one click", async ({ workbench, page }) => {
  const folder = temporaryFolder("empty");
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await workbench.only("Events");
  const button = workbench.events().getByRole("button", { name: "Open the Example Project" });
  await button.waitFor();
  const popup = page.context().waitForEvent("page");
  await button.click();
  const example = await popup;
  await example.locator('.explorer-viewlet .monaco-list-row[aria-label^="layers.py"]').dblclick();
  await expect(example.locator(".statusbar-item[id^='etlens']")).toContainText("on lines");
  await example.close();
});
