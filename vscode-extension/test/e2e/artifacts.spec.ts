// SPDX-License-Identifier: Apache-2.0
// Files come, change, do not fit, are not there.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, paths, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

test("a new dump on disk shows its numbers without a click; a new export leaves them, and is no error", async ({ workbench, page }) => {
  const folder = await workbench.openExample("mlp", "mlp.py");
  const hint = workbench.hint(/\d% XNNPACK/);
  await hint.waitFor();

  await test.step("a new dump", async () => {
    const lens = page.locator(".codelens-decoration a", { hasText: "2 instances" }).first();
    await lens.waitFor();
    const [status, said] = await Promise.all([workbench.status(), lens].map((shown) => shown.innerText()));
    const hinted = await workbench.painted(hint);
    // As a runner does: written beside, then moved in place.
    fs.copyFileSync(path.join(paths.root, "tests/editors/another-run.etdp"), path.join(folder, "new"));
    fs.renameSync(path.join(folder, "new"), path.join(folder, "model.etdp"));
    await expect(workbench.status()).not.toHaveText(status ?? "");
    await expect(workbench.status()).toContainText("on lines");
    await expect.poll(() => workbench.painted(hint)).not.toBe(hinted);
    // The lenses, too, are those of the new dump.
    await expect(lens).not.toHaveText(said ?? "");
    await expect(lens).toHaveText(/^[\d.]+ .s · [\d.]+% of the run/);
    // Not in silence: what the numbers were stands beside what they are.
    await expect(page.locator(".statusbar-item", { hasText: /model\.etdp is new: [\d.]+ .s typical before, [\d.]+ .s in a single sample now/ })).toBeVisible();
    await workbench.screenshot("new-dump");
  });

  await test.step("an export that has not run yet", async () => {
    const hinted = await workbench.painted(hint);
    const now = Date.now() / 1000;
    fs.copyFileSync(path.join(paths.models, "transformer/model.etrecord"), path.join(folder, "new"));
    fs.utimesSync(path.join(folder, "new"), now + 5, now + 5);
    fs.renameSync(path.join(folder, "new"), path.join(folder, "model.etrecord"));
    await expect(workbench.status()).toContainText("exported again, not run yet");
    await expect(workbench.status().locator(".codicon-error")).toHaveCount(0);
    await expect.poll(() => workbench.painted(hint)).toBe(hinted);
    await workbench.only("Profiles");
    await expect(page.locator(".sidebar .pane .message:not(.hide)")).toContainText("run the model and save its ETDump, until then the numbers are of the run before");
    await expect(workbench.rows("Profiles").filter({ hasText: "Exported again, not run yet" })).toBeVisible();
    await expect(page.locator(".notifications-toasts .notification-list-item-message")).toHaveCount(0);
    await workbench.screenshot("exported-again");
  });
});

test("a record of another export is refused with its reasons", async ({ workbench, page }) => {
  const folder = copyOfExample("convnet");
  fs.copyFileSync(path.join(paths.models, "transformer/model.etrecord"), path.join(folder, "model.etrecord"));
  // Older than the dump: a newer one would be that of the next export.
  fs.utimesSync(path.join(folder, "model.etrecord"), 1_000_000_000, 1_000_000_000);
  await workbench.open(folder, "convnet/blocks.py");
  await expect(workbench.status()).toHaveAttribute("aria-label", /do not belong together/);
  await workbench.only("Profiles");
  const message = page.locator(".sidebar .pane .message", { hasText: "do not belong together" });
  await expect(message).toContainText("10 instructions ran another operator than the record has");
  await expect(message).toContainText("41 instructions of the record did not run");
  await expect(message).toContainText("give the ETRecord of the export");
  await expect(workbench.hint(/\d%/)).toHaveCount(0);
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

test("before the first run: delegation on the lines; then times, of a dump that is copied slowly, without a click or a warning", async ({ workbench, page }) => {
  const example = copyOfExample("mlp");
  const folder = temporaryFolder("export");
  for (const name of fs.readdirSync(example).filter((file) => file.endsWith(".py"))) fs.copyFileSync(path.join(example, name), path.join(folder, name));
  await workbench.open(folder, "mlp.py");
  await expect(workbench.status()).toContainText("no ETDump");
  for (const name of ["model.etrecord", "model.pte"].filter((file) => fs.existsSync(path.join(example, file)))) fs.copyFileSync(path.join(example, name), path.join(folder, name));
  await workbench.hint(/XNNPACK( · |$)/).waitFor();
  await expect(workbench.status()).toContainText(/not run yet · \d+ of \d+ operators delegated/);
  await workbench.screenshot("before-first-run");
  await workbench.only("Profiles");
  await expect(workbench.rows("Profiles").filter({ hasText: "not run yet" })).toBeVisible();
  await workbench.only("Not Delegated");
  const left = workbench.rows("Not Delegated");
  await expect(left.first()).toContainText("XNNPACK");
  await left.first().click();
  const line = left.and(page.locator('[aria-level="2"]')).first();
  await expect(line).toHaveAttribute("aria-label", /on the CPU: /);
  await workbench.screenshot("not-delegated");
  await line.click();
  await expect(page.locator(".editor-group-container.active .tab.active")).toContainText("mlp.py");
  const dump = fs.readFileSync(path.join(example, "model.etdp"));
  for (let part = 1; part < 5; ++part) {
    fs.writeFileSync(path.join(folder, "model.etdp"), dump.subarray(0, (part * dump.length) / 5));
    await expect(workbench.status()).toContainText("receiving model.etdp");
    await expect(page.locator(".notifications-toasts .notification-list-item-message")).toHaveCount(0);
  }
  fs.writeFileSync(path.join(folder, "model.etdp"), dump);
  await workbench.hint(/\d% XNNPACK/).waitFor();
  await expect(workbench.status()).not.toContainText("not run yet");
  // The same rows, now with their times.
  await expect(left.first()).toContainText(/[nµm]s .*: .*XNNPACK/);
  await expect(page.locator(".notifications-toasts .notification-list-item-message")).toHaveCount(0);
});

test("an empty folder says what to do, and opens the example in one click", async ({ workbench, page }) => {
  const folder = temporaryFolder("empty");
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("no ETDump");
  await workbench.only("Events");
  await expect(workbench.events().getByRole("status")).toContainText("No ETDump was found in this folder");
  await workbench.screenshot("empty");
  // The palette has no command that needs a profile.
  await expect.poll(() => workbench.offered("Bundle for a Bug Report")).toBe(0);
  await workbench.events().getByRole("button", { name: "How to Make a Record" }).click();
  await expect(page.locator(".getting-started-category, .gettingStartedContainer").first()).toContainText("What does each line cost?");
  await expect(page.locator(".gettingStartedContainer")).toContainText("Make an ETRecord");
  // The page beside the steps is drawn in a frame of its own.
  const texts = () => Promise.all(page.frames().map((frame) => frame.evaluate(() => document.body.innerText).catch(() => "")));
  await expect.poll(async () => (await texts()).join("\n")).toContain("Two files, one answer");
  await workbench.screenshot("walkthrough");

  await test.step("the example opens, at its hottest line", async () => {
    const button = workbench.events().getByRole("button", { name: "Open the Example Project" });
    const popup = page.context().waitForEvent("page");
    await button.click();
    const example = await popup;
    await expect(example.locator(".statusbar-item[id^='etlens']")).toContainText("on lines");
    await expect(example.locator(".statusbar-item[id='status.editor.selection']")).toContainText("Ln 43,");
    await expect(example.locator('.sidebar .pane-header[aria-label^="What to Do First"]')).toHaveAttribute("aria-expanded", "true");
    await example.close();
  });
});
