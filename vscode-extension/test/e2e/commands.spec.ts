// SPDX-License-Identifier: Apache-2.0
// The menu, the quick pick of events, hot lines by keys, the column of numbers, the edge program.
import { expect, test } from "./workbench";

test("the menu, events by name, hot lines by keys, the column of numbers, the edge program", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  const rows = page.locator(".quick-input-widget .monaco-list-row");

  await test.step("the status item opens the menu", async () => {
    await workbench.status().click();
    await expect(rows.filter({ hasText: "Jump to Event" })).toBeVisible();
    await expect(rows.filter({ hasText: "Compare With" })).toBeVisible();
    await workbench.screenshot("menu");
    await page.keyboard.press("Escape");
  });

  await test.step("quick pick: from a name to the line", async () => {
    await workbench.command("Jump to Event");
    const input = page.locator(".quick-input-widget input").first();
    await expect(rows.first()).toContainText("expand_copy");
    await input.fill("softmax");
    await expect(rows.first()).toContainText("Softmax");
    await workbench.screenshot("quick-pick");
    await page.keyboard.press("Enter");
    await expect(workbench.cursor()).toContainText("Ln 42,");
  });

  await test.step("keys walk the hot lines", async () => {
    await workbench.goToLine(1);
    await page.keyboard.press("Control+Alt+h");
    await expect(workbench.cursor()).toContainText("Ln 43,");
    await page.keyboard.press("Control+Alt+h");
    await expect(workbench.cursor()).not.toContainText("Ln 43,");
    await page.keyboard.press("Control+Alt+Shift+h");
    await expect(workbench.cursor()).toContainText("Ln 43,");
  });

  await test.step("the column of numbers at the left comes and goes", async () => {
    const columns = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".editor-instance .view-line span")].map((span) => getComputedStyle(span, "::before").content).filter((text) => text.includes("%")),
      );
    await workbench.command("Toggle Column of Numbers");
    await expect.poll(async () => (await columns()).length).toBeGreaterThan(3);
    // The setting is the person's, and the next tests are of the same one.
    await workbench.command("Toggle Column of Numbers");
    await expect.poll(async () => (await columns()).length).toBe(0);
  });

  await test.step("the edge program at a line, and back", async () => {
    await workbench.command("Show Edge Program at This Line");
    // Two blocks run the line.
    await expect(rows.filter({ hasText: /^All 2 modules/ })).toBeVisible();
    await expect(rows.filter({ hasText: /^blocks\.1\.attn/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "forward.txt" }).waitFor();
    await expect(page.locator(".editor-instance").nth(1)).toContainText(/aten/);
    await expect(workbench.cursor()).toContainText(/selections/);
    await workbench.screenshot("edge-program");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await expect(workbench.cursor()).toContainText("Ln 43,");
  });
});
