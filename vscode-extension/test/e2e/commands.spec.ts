// SPDX-License-Identifier: Apache-2.0
// The menu, the quick pick of events, hot lines by keys, the edge program, the flame graph, themes.
import { cli, type CliLines, expect, hottest, test } from "./workbench";

test("the status item opens the menu", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.status().click();
  const rows = page.locator(".quick-input-widget .monaco-list-row");
  await expect(rows.filter({ hasText: "Jump to Event" })).toBeVisible();
  await expect(rows.filter({ hasText: "Compare With" })).toBeVisible();
  await workbench.screenshot("menu");
});

test("quick pick: from a name to the line", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.command("Jump to Event");
  const input = page.locator(".quick-input-widget input").first();
  await expect(page.locator(".quick-input-widget .monaco-list-row").first()).toContainText("expand_copy");
  await input.fill("softmax");
  await expect(page.locator(".quick-input-widget .monaco-list-row").first()).toContainText("Softmax");
  await workbench.screenshot("quick-pick");
  await page.keyboard.press("Enter");
  await expect(workbench.cursor()).toContainText("Ln 42,");
});

test("keys walk the hot lines", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await page.locator(".editor-instance .view-line").first().click();
  await page.keyboard.press("Control+Alt+h");
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await page.keyboard.press("Control+Alt+h");
  await expect(workbench.cursor()).not.toContainText("Ln 43,");
  await page.keyboard.press("Control+Alt+Shift+h");
  await expect(workbench.cursor()).toContainText("Ln 43,");
});

test("the column of numbers at the left comes and goes", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.goToLine(43);
  await workbench.command("Toggle Column of Numbers");
  const columns = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".editor-instance .view-line span")].map((span) => getComputedStyle(span, "::before").content).filter((text) => text.includes("%")),
    );
  await expect.poll(async () => (await columns()).length).toBeGreaterThan(3);
  // The setting is the person's, and the next tests are of the same one.
  await workbench.command("Toggle Column of Numbers");
  await expect.poll(async () => (await columns()).length).toBe(0);
});

test("the edge program at a line, and back", async ({ workbench, page }) => {
  await workbench.openExample("storyteller", "layers.py");
  await workbench.goToLine(43);
  await workbench.command("Show Edge Program at This Line");
  // Two blocks run the line.
  const instances = page.locator(".quick-input-widget .monaco-list-row");
  await expect(instances.filter({ hasText: /^All 2 modules/ })).toBeVisible();
  await expect(instances.filter({ hasText: /^blocks\.1\.attn/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.locator(".tab", { hasText: "forward.txt" }).waitFor();
  await expect(page.locator(".editor-instance").nth(1)).toContainText(/aten/);
  await expect(workbench.cursor()).toContainText(/selections/);
  await workbench.screenshot("edge-program");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect(workbench.cursor()).toContainText("Ln 43,");
});

test("flame graph: labels, keys, search, executions, click", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.goToLine(1);
  await workbench.command("Flame Graph");
  const graph = workbench.webview();
  const whole = graph.getByRole("treeitem", { name: /^forward [\d.]+ ms 100%/ });
  await whole.waitFor();
  const frames = graph.getByRole("treeitem");
  for (const label of await frames.evaluateAll((all) => all.map((frame) => frame.getAttribute("aria-label")))) {
    expect(label).toMatch(/ \S+ [µmn]s .*%/);
  }
  // As wide as their shares: none lies on another, or reaches out of the graph.
  const boxes = await frames.evaluateAll((all) => all.map((frame) => frame.getBoundingClientRect()).map(({ x, y, width }) => ({ x, y, width })));
  expect(boxes.length).toBeGreaterThan(20);
  const right = await graph.locator("#graph").evaluate((all) => all.getBoundingClientRect().right);
  for (const top of new Set(boxes.map((box) => box.y))) {
    const row = boxes.filter((box) => box.y === top).sort((a, b) => a.x - b.x);
    row.forEach((box, i) => {
      expect(box.x + box.width).toBeLessThan((row[i + 1]?.x ?? right) + 0.1);
    });
  }
  await workbench.pictures(folder, "flame-graph");
  expect(await workbench.accessibilityProblems()).toEqual([]);

  const detail = graph.locator("#detail");
  await whole.focus();
  await page.keyboard.press("ArrowDown");
  await expect(detail).toHaveText(/^blocks\.\d \(model\.Block\): /);
  await page.keyboard.press("ArrowRight");
  await expect(detail).toHaveText(/^blocks\.\d \(model\.Block\): /);
  const before = await frames.count();
  await page.keyboard.press(" ");
  await expect.poll(() => frames.count()).toBeLessThan(before);
  await workbench.screenshot("flame-graph-zoomed");
  await page.keyboard.press("Escape");
  await expect.poll(() => frames.count()).toBe(before);

  await graph.getByRole("searchbox").fill("softmax");
  await expect(graph.locator("#found")).toHaveText(/^“softmax”: [\d.]+ [mµ]s, [\d.]+%$/);
  await page.keyboard.press("Enter");
  await expect(detail).toHaveText(/softmax/i);
  await workbench.screenshot("flame-graph-search");
  await graph.getByRole("searchbox").fill("");
  await expect(graph.locator("#found")).toBeEmpty();

  const runs = graph.getByRole("listbox", { name: "Executions" }).getByRole("option");
  await runs.first().click();
  await expect(graph.getByRole("heading", { level: 1 })).toContainText("execution 1 of");
  await graph.getByRole("button", { name: "All executions" }).click();
  await expect(graph.getByRole("heading", { level: 1 })).not.toContainText("execution 1 of");

  await graph.getByRole("treeitem", { name: /^L43 / }).first().click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
});

test("heat in every theme", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.showViews();
  await workbench.goToLine(43);
  await workbench.hint(hottest).waitFor();
  const widths = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".editor-instance .view-overlays > div > .cdr")].map((element) =>
        Number.parseInt(getComputedStyle(element).borderLeftWidth, 10),
      ),
    );
  const share = (cli("lines", folder) as CliLines).files.flatMap(({ lines }) => lines).reduce((most, line) => Math.max(most, line.share), 0);
  await workbench.inThemes(folder, async (name) => {
    await expect.poll(async () => Math.max(...(await widths()))).toBe(2 * Math.round(share * 14));
    await workbench.screenshot(`theme-${name}`);
  });
});
