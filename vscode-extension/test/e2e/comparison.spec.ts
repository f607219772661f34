// SPDX-License-Identifier: Apache-2.0
// The storyteller beside its dumps from before an optimisation: chosen as baseline in the view Profiles,
// seen on the lines, in the hover and in the views, and followed when the dump on disk is replaced.
import * as fs from "node:fs";
import * as path from "node:path";
import type { Locator } from "@playwright/test";
import { copyOfExample, paths } from "../support/codeServer";
import { expect, test } from "./workbench";

const minute = 60;

// The project after the change; in "before" the record and dumps of the program before it, all older.
function project(): string {
  const folder = copyOfExample("storyteller-after");
  const before = path.join(folder, "before");
  fs.mkdirSync(before);
  for (const name of ["model.etdp", "model.etrecord", "model.pte"]) {
    fs.copyFileSync(path.join(paths.examples, "storyteller", name), path.join(before, name));
  }
  for (const name of ["run2.etdp", "run3.etdp", "run4.etdp"]) {
    fs.copyFileSync(path.join(paths.examples, "storyteller-runs", name), path.join(before, name));
  }
  const now = Date.now() / 1000;
  for (const name of fs.readdirSync(before)) fs.utimesSync(path.join(before, name), now, now - 10 * minute);
  for (const name of ["model.etdp", "model.etrecord", "model.pte"]) fs.utimesSync(path.join(folder, name), now, now - minute);
  return folder;
}

// The row's buttons are there while the pointer is over it, and a row that is drawn anew under the pointer has none.
async function press(row: Locator, name: string): Promise<void> {
  await expect(async () => {
    await row.hover();
    await row.getByRole("button", { name }).click({ timeout: 5_000 });
  }).toPass();
}

test("a baseline from the view Profiles: on the lines, in the hover, in the views", async ({ workbench, page }) => {
  const folder = project();
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText("on lines");
  await expect(workbench.status()).not.toContainText("▼");
  await workbench.only("Profiles");
  const dump = (name: string) => page.locator(`.sidebar .monaco-list-row[aria-label^="Dump ${name}"]`);
  const row = dump("before/model.etdp");
  await press(row, "Compare with This Dump");

  // One dump against one: the total. Four against one: lines, too.
  await expect(workbench.status()).toContainText(/−\d+%\s▼\slikely/);
  await expect(row).toContainText("baseline");
  await row.click({ button: "right" });
  await workbench.choose("Compare with All Dumps of Its Folder");
  await expect(dump("before/run4.etdp")).toContainText("baseline");
  await page.locator(".editor-instance .view-line").first().click();
  await workbench.goToLine(52);
  const line = workbench.hint(/torch\.bmm\(weights.*▼ likely/);
  await line.waitFor();
  // Blue, with a mark in the gutter.
  await expect(page.locator(".editor-instance .cgmr").first()).toBeVisible();
  await workbench.only("Since the Baseline");
  const changes = workbench.rows("Since the Baseline");
  await expect(changes.first()).toContainText(/^In all: −\d+% ▼ likely/);
  await expect(changes.filter({ hasText: /^gone/ }).first()).toBeVisible();
  await workbench.widenSideBar(160);
  await workbench.screenshot("comparison");
  await workbench.only("Events");
  await expect(workbench.events().getByRole("columnheader", { name: "Change" })).toBeVisible();
  await expect(workbench.eventRows().locator(".change", { hasText: "▼ likely" }).first()).toBeVisible();
  await workbench.screenshot("comparison-events");

  const hover = page.locator(".monaco-hover:visible").first();
  // Lines that move under the pointer take the hover away: the pointer moves again then.
  await expect(async () => {
    const soon = { timeout: 5_000 };
    await page.mouse.move(5, 5);
    await line.locator("span", { hasText: "weights" }).first().hover();
    await expect(hover).toContainText("since the baseline", soon);
    await expect(hover).toContainText("4 dumps against 1", soon);
    await expect(hover.locator("img").first()).toHaveAttribute("alt", /executions: before .* now /, soon);
  }).toPass();
  await workbench.screenshot("comparison-hover");
  await page.keyboard.press("Escape");

  // The next marked line is in another file, and marked for what it calls.
  await workbench.command("Go to Next Changed Line");
  await expect(workbench.cursor()).toContainText("Ln 31,");
  await expect(workbench.hint(/self\.attn\(self.*▼ likely/)).toBeVisible();

  await workbench.only("Modules");
  await expect(workbench.rows("Modules").filter({ hasText: "▼" }).first()).toBeVisible();

  // The same program as before: what is the same is not marked.
  fs.copyFileSync(path.join(paths.examples, "storyteller-after/model.etdp"), path.join(folder, "before/again.etdp"));
  for (const name of ["model.etrecord", "model.pte"]) {
    fs.copyFileSync(path.join(paths.examples, "storyteller-after", name), path.join(folder, "before", name));
  }
  for (const name of ["run2.etdp", "run3.etdp", "run4.etdp"]) fs.rmSync(path.join(folder, "before", name));
  fs.renameSync(path.join(folder, "before/again.etdp"), path.join(folder, "before/model.etdp"));
  await expect(workbench.status()).not.toContainText("▼");
  await expect(workbench.hint(/▼/)).toHaveCount(0);

  await workbench.only("Profiles");
  await press(row, "Stop Comparing");
  await expect(row).not.toContainText("baseline");
});

test("a baseline of the settings, with no view of ours open: its keys and commands are there", async ({ workbench, page }) => {
  const folder = project();
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "etlens.baseline": "before" }));
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText(/−\d+%\s▼\slikely/);
  await page.locator(".editor-instance .view-line").first().click();
  await workbench.goToLine(1);
  await expect(async () => {
    await page.keyboard.press("Control+Alt+d");
    await expect(workbench.cursor()).not.toContainText("Ln 1,", { timeout: 5_000 });
  }).toPass();
  // Where the key leads, a mark stands.
  await expect(page.locator(".statusbar-item", { hasText: /changed line \d+ of \d+/ })).toBeVisible();
  await workbench.command("Stop Comparing");
  await expect(workbench.status()).not.toContainText("▼");
});
