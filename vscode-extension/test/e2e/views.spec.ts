// SPDX-License-Identifier: Apache-2.0
// The views: their rows, and the ways between events and lines.
import { cli, expect, hottest, test, timeText } from "./workbench";

interface CliModules {
  modules: { path: string; inclusive: number; share: number }[];
}

test("Events: ranked, filtered, grouped; to the line and back", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Events");
  const rows = workbench.rows("Events");
  await expect(rows.first()).toContainText(/^[\d.]+ ms [\d.]+% {2}native_call_expand_copy\.out/);
  for (const row of (await rows.all()).slice(0, 10)) {
    await expect(row).toHaveAttribute("aria-label", /^Rank \d+: .*running sum [\d.]+%/);
  }

  await rows.first().click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await workbench.hint(hottest).waitFor();
  await workbench.widenSideBar(160);
  await workbench.picture("overview");

  // Back: from a hint to its event.
  await workbench.goToLine(42);
  const softmax = workbench.hint(/F\.softmax.*\d% XNNPACK/);
  await softmax.waitFor();
  const hint = softmax.locator("span", { hasText: /^[\d.]+.ms/ }).last();
  // Also a hint that was pointed at before newer ones were fetched leads there.
  await hint.hover();
  await workbench.command("Read Artifacts Again");
  await page.mouse.move(900, 20);
  await softmax.waitFor();
  // A link is one only while the pointer rests on it with the key held, so the hand may have to try again.
  await expect(async () => {
    await workbench.followLink(hint);
    await expect(page.locator(".sidebar .monaco-list-row.focused")).toContainText("Softmax", { timeout: 5000 });
  }).toPass({ timeout: 60_000 });

  // And by the command, from the line of the cursor.
  await page.keyboard.press("Control+1");
  await workbench.goToLine(43);
  await workbench.command("Reveal in Events");
  await expect(page.locator(".sidebar .monaco-list-row.focused")).toContainText("expand_copy");

  await page.keyboard.press("Control+f");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill("softmax");
  await expect(page.locator(".sidebar .pane .message", { hasText: "“softmax”: " })).toBeVisible();
  await expect(rows.first()).toContainText("Softmax");
  await page.keyboard.press("Enter");
  await workbench.screenshot("events-filtered");
  await workbench.command("Clear Filter");
  await expect(rows.first()).toContainText("expand_copy");

  await workbench.command("Group Events by");
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Line" }).click();
  await expect(rows.first()).toContainText("%  layers.py:43");
  await rows.first().click();
  await expect(rows.nth(1)).toContainText("expand_copy");
  await expect(rows.nth(1)).toHaveAttribute("aria-level", "2");
  await workbench.screenshot("events-by-line");
});

test("Modules: the numbers of the command line", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Modules");
  const rows = workbench.rows("Modules");
  await expect(rows.first()).toContainText("Storyteller");
  const { modules } = cli("modules", folder) as CliModules;
  const blocks = modules.find((module) => module.path === "blocks");
  await expect(rows.nth(1)).toContainText(`blocks${timeText(blocks?.inclusive ?? 0)}`);
  await rows.nth(1).locator(".monaco-tl-twistie").click();
  await expect(rows.nth(2)).toContainText("blocks.0");
  await rows.nth(2).locator(".monaco-tl-twistie").click();
  await expect(rows.nth(3)).toContainText("attn");
  await expect(rows.nth(3)).toHaveAttribute("aria-label", /^blocks\.0\.attn: [\d.]+ ms inclusive, \d+%/);
  await workbench.screenshot("modules");
  await rows.nth(3).click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await page.locator('.sidebar .pane-header[aria-label^="Modules"]').hover();
});

test("Partitions: delegate calls and what fell back between them", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Partitions");
  const rows = workbench.rows("Partitions");
  await expect(rows.first()).toContainText("#1 XNNPACK");
  await expect(rows.nth(1)).toContainText("CPU: model.py:49");
  await expect(rows.nth(1)).toHaveAttribute("aria-label", /on the CPU between two XNNPACK partitions/);
  await rows.filter({ hasText: "#2 XNNPACK" }).locator(".monaco-tl-twistie").click();
  // Not the row of what fell back on the same line.
  const line = rows.and(page.locator('[aria-label*=", in delegate call 2: k = apply_rope"]'));
  await expect(line).toHaveAttribute("aria-level", "2");
  await workbench.screenshot("partitions");
  await line.click();
  await expect(workbench.cursor()).toContainText("Ln 47,");
});

test("What to Do First: findings with their lines", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.only("What to Do First");
  const rows = workbench.rows("What to Do First");
  await expect(rows.first()).toContainText("≤ ");
  await expect(rows.first()).toHaveAttribute("aria-label", /^Finding 1: .* on the CPU between XNNPACK calls.* = /);
  await rows.first().locator(".monaco-tl-twistie").click();
  const line = rows.and(page.locator('[aria-level="2"]')).first();
  await expect(line).toContainText("layers.py:");
  await workbench.screenshot("advice");
  await line.click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
});

test("Profiles: the dump, its record, the verdict", async ({ workbench }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Profiles");
  const rows = workbench.rows("Profiles");
  await expect(rows.first()).toContainText("model.etdp");
  await expect(rows.first()).toContainText("current");
  await expect(rows.filter({ hasText: "Dump and record belong together" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "Method forward" })).toHaveCount(1);
  for (const row of await rows.all()) await expect(row).toHaveAttribute("aria-label", /\w/);
  await workbench.screenshot("profiles");
});
