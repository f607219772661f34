// SPDX-License-Identifier: Apache-2.0
// The memory chart, the size map and the flame graph: numbers of the command line, labels, keys, clicks, themes.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample } from "../support/codeServer";
import { cli, expect, test } from "./workbench";

interface CliMemory {
  buffers: { id: number; size: number; peak: number; peak_instruction: number }[];
  tensors: { view_of: number | null; line: [string, number] | null }[];
}

interface CliSize {
  file_bytes: number;
  parts: { kind: string; name: string; bytes: number; line: [string, number] | null }[];
}

test("the pricer: memory chart, size map in its place, in every theme", async ({ workbench, page }) => {
  const folder = await workbench.openExample("pricer", "model.py");

  await test.step("memory chart: tensors of the plan, keys, zoom, to the line", async () => {
    await workbench.goToLine(1);
    await workbench.command("Memory Chart");
    const chart = workbench.webview();
    const tensors = chart.getByRole("option");
    await tensors.first().waitFor();

    const { buffers, tensors: planned } = cli("memory", folder) as CliMemory;
    await expect(tensors).toHaveCount(planned.filter(({ view_of }) => view_of === null).length);
    await expect(chart.getByRole("img")).toHaveAccessibleName(new RegExp(`peak [\\d.]+ kB, instruction ${buffers[0]?.peak_instruction ?? -1} `));
    await expect(chart.getByRole("heading", { level: 1 })).toHaveText(/^model\.pte, forward: [\d.]+ kB in use at the peak$/);
    for (const label of await tensors.evaluateAll((all) => all.map((tensor) => tensor.getAttribute("aria-label")))) {
      expect(label).toMatch(/^\S+.* [\d.]+ k?B, (?:float32|int64|bool|int8|uint8|float16) .*, bytes \d+ to \d+, instructions? \d+/);
    }
    await expect(chart.getByRole("list", { name: "Colours" })).toContainText("blocks");
    await page.mouse.move(700, 4);
    await workbench.pictures(folder, "memory-chart");

    // Keys: to the peak, along the instructions, up and down the addresses; in sight at every step.
    await tensors.first().focus();
    await page.keyboard.press("p");
    const focused = chart.locator(".box:focus");
    await expect(focused).toHaveAttribute("aria-label", /% of the peak/);
    await expect(focused).toHaveAttribute("aria-selected", "true");
    const atPeak = await focused.getAttribute("aria-label");
    await expect(chart.getByRole("status")).toHaveText(atPeak ?? "");
    await page.keyboard.press("ArrowLeft");
    await expect(focused).not.toHaveAttribute("aria-label", atPeak ?? "");
    await page.keyboard.press("ArrowRight");
    await expect(focused).toHaveAttribute("aria-label", atPeak ?? "");
    await page.keyboard.press(" ");
    await expect.poll(() => tensors.count()).toBeLessThan(planned.length / 2);
    await workbench.screenshot("memory-chart-zoomed");
    await page.keyboard.press("Escape");
    await expect(tensors).toHaveCount(planned.filter(({ view_of }) => view_of === null).length);

    // Who waits is marked, and leads to the line that it waits for.
    const waiting = chart.getByRole("button", { name: /keep.* the peak up unused: .*, \w+\.py:\d+/ }).first();
    await waiting.focus();
    await expect.poll(() => chart.locator(".box.waits").count()).toBeGreaterThan(0);
    const [, file = "", line = ""] = /, (\w+\.py):(\d+)$/.exec((await waiting.textContent()) ?? "") ?? [];
    await page.keyboard.press("Enter");
    await expect(workbench.cursor()).toContainText(`Ln ${line},`);
    await expect(page.locator(".tab.active", { hasText: file })).toHaveCount(1);
    // The picture stays in sight beside it.
    await expect(chart.getByRole("heading", { level: 1 })).toBeVisible();

    // A tensor of line 24: by a click on its box.
    await chart.getByRole("option", { name: / 41\.0 kB, .*model\.py:24$/ }).first().click({ position: { x: 4, y: 4 } });
    await expect(workbench.cursor()).toContainText("Ln 24,");
  });

  await test.step("memory chart in every theme, and what axe says", async () => {
    await workbench.inThemes(folder, async (name) => {
      await workbench.screenshot(`memory-${name}`);
      expect(await workbench.accessibilityProblems()).toEqual([]);
      // A colour that the theme lacks would leave boxes without an edge.
      const edges = await workbench.webview().locator(".box").evaluateAll((all) => all.map((box) => getComputedStyle(box).borderTopStyle));
      expect(new Set(edges)).toEqual(new Set(["solid"]));
    });
  });

  await test.step("size map in every theme, and what axe says", async () => {
    // It takes the place of the chart, in the same group of editors.
    await workbench.command("Size of the Program");
    await workbench.webview().getByRole("treeitem").first().waitFor();
    await workbench.inThemes(folder, async (name) => {
      await workbench.screenshot(`size-${name}`);
      expect(await workbench.accessibilityProblems()).toEqual([]);
    });
  });
});

test("without a dump: the program's memory and size", async ({ workbench }) => {
  const folder = copyOfExample("pricer");
  fs.rmSync(path.join(folder, "model.etdp"));
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("not run yet");
  await workbench.command("Memory Chart");
  await expect(workbench.webview().getByRole("option", { name: /model\.py:24$/ }).first()).toBeVisible();
  await workbench.screenshot("memory-without-dump");
});

test("the storyteller: flame graph, size map", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");

  await test.step("flame graph: labels, keys, search, executions, click", async () => {
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

  await test.step("size map: every byte of the file, keys, zoom, to the line", async () => {
    await workbench.goToLine(1);
    await workbench.command("Size of the Program");
    const map = workbench.webview();
    const boxes = map.getByRole("treeitem");
    const root = map.getByRole("treeitem", { name: /^model\.pte [\d.]+ kB/ });
    await root.waitFor();
    const { file_bytes, parts } = cli("size", folder) as CliSize;
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(file_bytes);
    await expect(map.getByRole("heading", { level: 1 })).toHaveText(`model.pte: ${(file_bytes / 1000).toPrecision(3)} kB`);
    await expect(map.getByRole("treeitem", { name: /^constants of delegates [\d.]+ kB, \d+% of the file/ })).toHaveAttribute("aria-level", "2");

    // Boxes beside each other are in the order of what they stand for. (Headers take from what is further inside.)
    const kinds = await map.locator(".box.level-kind").evaluateAll((all) => all.map((box) => ({ label: box.getAttribute("aria-label") ?? "", area: box.clientWidth * box.clientHeight })));
    const sums = new Map<string, number>();
    for (const { kind, bytes } of parts) sums.set(kind, (sums.get(kind) ?? 0) + bytes);
    expect(kinds.length).toBeGreaterThan(3);
    kinds.forEach(({ area, label }, i) => {
      expect(area, label).toBeLessThanOrEqual((kinds[i - 1]?.area ?? Infinity) * 1.02);
    });
    expect(kinds[0]?.label).toContain(`${(Math.max(...sums.values()) / 1000).toPrecision(3)} kB`);
    const largest = parts.reduce((most, part) => (part.bytes > most.bytes ? part : most));
    await page.mouse.move(700, 4);
    await workbench.pictures(folder, "size-map");

    await root.focus();
    await page.keyboard.press("ArrowDown");
    const focused = map.locator(".box:focus");
    await expect(focused).toHaveAttribute("aria-level", "2");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    const all = await boxes.count();
    await page.keyboard.press(" ");
    await expect(focused).toHaveAttribute("aria-level", "1");
    await workbench.screenshot("size-map-zoomed");
    await page.keyboard.press("Escape");
    await expect(boxes).toHaveCount(all);

    await map.getByRole("treeitem", { name: new RegExp(`${largest.name.replaceAll(".", "\\.")}.*\\.py:\\d+`) }).first().click();
    await expect(workbench.cursor()).toContainText(`Ln ${largest.line?.[1] ?? -1},`);
    await expect(map.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
