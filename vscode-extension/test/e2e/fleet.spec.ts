// SPDX-License-Identifier: Apache-2.0
// Other runs of the storyteller, on two devices, as a fleet beside its dump: chosen by command, seen on the lines, in the hover
// and in the view Profiles, and gone again.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, paths } from "../support/codeServer";
import { expect, test } from "./workbench";

const hour = 3600;

function project(): string {
  const folder = copyOfExample("storyteller");
  const fleet = path.join(folder, "fleet");
  fs.mkdirSync(fleet);
  for (const [i, run] of ["run2", "run3", "run4"].entries()) {
    fs.copyFileSync(path.join(paths.examples, "storyteller-runs", `${run}.etdp`), path.join(fleet, `${run}.etdp`));
    fs.writeFileSync(path.join(fleet, `${run}.json`), JSON.stringify({ device: i < 2 ? "pixel-9" : "galaxy-s24" }));
    const then = Date.now() / 1000 - hour;
    fs.utimesSync(path.join(fleet, `${run}.etdp`), then, then);
  }
  return folder;
}

test("a fleet: quantiles on the lines, groups in the hover", async ({ workbench, page }) => {
  await workbench.open(project(), "layers.py");
  await expect(workbench.status()).toContainText("on lines");
  await workbench.command("Show a Fleet of Dumps…");
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: "3 dumps" }).click();
  await workbench.goToLine(42);
  const line = workbench.hint(/F\.softmax.*p50 \S+ ms · p99 \S+ ms/);
  await line.waitFor();
  const hover = page.locator(".monaco-hover:visible").first();
  // Hints that appear under the pointer take the hover away: the pointer moves again then.
  await expect(async () => {
    await page.mouse.move(5, 5);
    await line.locator("span", { hasText: "softmax" }).first().hover();
    await expect(hover).toContainText("self, in a fleet of 3 dumps", { timeout: 5_000 });
  }).toPass();
  await expect(hover.locator("table").first()).toContainText("pixel-9");
  await expect(hover.locator("table").first()).toContainText("galaxy-s24");
  await workbench.screenshot("fleet-hover");
  await page.keyboard.press("Escape");
  await workbench.only("Profiles");
  await expect(page.locator('.sidebar .monaco-list-row[aria-label^="Fleet: fleet of 3 dumps"]')).toBeVisible();
  await workbench.screenshot("fleet");

  await workbench.command("Show a Fleet of Dumps…");
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: "No fleet" }).first().click();
  await expect(workbench.hint(/p99/)).toHaveCount(0);
  await expect(page.locator('.sidebar .monaco-list-row[aria-label^="Fleet"]')).toHaveCount(0);
});
