// SPDX-License-Identifier: Apache-2.0
// The views: their rows, and the ways between events and lines.
import * as fs from "node:fs";
import * as path from "node:path";
import { cli, type CliLines, expect, hottest, test, timeText } from "./workbench";

interface CliModules {
  modules: { path: string; inclusive: number; share: number }[];
}

test("Events: ranked, filtered, grouped; to the line and back", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Events");
  const rows = workbench.eventRows();
  // By line; a click goes there, the twistie opens.
  await expect(rows.first()).toContainText(/^[\d.]+ ms[\d.]+%.layers\.py:43 · /);
  await rows.first().click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await expect(rows.first()).toHaveAttribute("aria-expanded", "false");
  await rows.first().locator(".twistie").click();
  await expect(rows.nth(1)).toContainText("expand_copy");
  await expect(rows.nth(1)).toHaveAttribute("aria-level", "2");
  await workbench.screenshot("events-by-line");
  await workbench.ungroup();
  await expect(rows.first()).toContainText(/^[\d.]+ ms[\d.]+%layers\.py:43expand_copy/);
  for (const row of (await rows.all()).slice(0, 10)) await expect(row).toHaveAttribute("aria-label", /running sum [\d.]+%|\d+ events/);

  await rows.first().click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await workbench.hint(hottest).waitFor();
  await workbench.widenSideBar(160);
  await page.mouse.move(700, 4);
  await expect(page.locator(".monaco-hover:visible")).toHaveCount(0);
  await workbench.screenshot("events");

  // Back: from a hint to its event, where hints are the editor's.
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "etlens.hints.display": "inlay" }));
  await workbench.goToLine(42);
  const softmax = workbench.hint(/F\.softmax.*\d% XNNPACK/);
  await softmax.waitFor();
  const hint = softmax.locator("span", { hasText: /^[\d.]+.ms/ }).last();
  // Also a hint that was pointed at before newer ones were fetched leads there.
  await hint.hover();
  await workbench.command("Read Artifacts Again");
  await page.mouse.move(900, 20);
  await softmax.waitFor();
  const focused = workbench.events().locator(".row:focus");
  // A link is one only while the pointer rests on it with the key held, so the hand may have to try again.
  await expect(async () => {
    await workbench.followLink(hint);
    await expect(focused).toContainText("softmax", { timeout: 5000 });
  }).toPass({ timeout: 60_000 });

  // And by the command, from the line of the cursor.
  await page.keyboard.press("Control+1");
  await workbench.goToLine(43);
  await workbench.command("Reveal in Events");
  await expect(focused).toContainText("expand_copy");

  await workbench.command("Filter Events");
  const filter = workbench.events().getByRole("searchbox", { name: "Filter events" });
  await expect(filter).toBeFocused();
  await page.keyboard.type("softmax");
  await expect(workbench.events().getByRole("status")).toContainText("“softmax”: ");
  await expect(rows.first()).toContainText("softmax");
  await workbench.screenshot("events-filtered");
  await page.keyboard.press("Escape");
  await expect(rows.first()).toContainText("expand_copy");

  // How they are grouped is kept for the next time.
  // VS Code writes it some time later, so that a window that is opened again at once may not have it yet.
  await expect(async () => {
    await workbench.command("Group Events by");
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Module" }).click();
    await expect(rows.first()).toContainText("attn");
    await workbench.open(folder, "layers.py");
    await workbench.only("Events");
    await expect(rows.first()).toContainText("attn", { timeout: 5000 });
  }).toPass({ timeout: 120_000 });
});

test("Events: in every theme; sorted and walked with keys, hidden and found by the menu", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.only("Events");
  const events = workbench.events();
  const rows = workbench.eventRows();
  await rows.first().click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await workbench.hint(hottest).waitFor();

  // The longer the bar before a line, the larger its share.
  const longestBar = () =>
    page.evaluate(() =>
      Math.max(...[...document.querySelectorAll(".editor-instance .view-overlays > div > .cdr")].map((element) => Number.parseInt(getComputedStyle(element).borderLeftWidth, 10))),
    );
  const largestShare = (cli("lines", folder) as CliLines).files.flatMap(({ lines }) => lines).reduce((most, line) => Math.max(most, line.share), 0);
  const inThemes = (width: string) =>
    workbench.inThemes(folder, async (name) => {
      await expect.poll(longestBar).toBe(2 * Math.round(largestShare * 14));
      await workbench.screenshot(`events${width}-${name}`);
      expect(await workbench.accessibilityProblems(events)).toEqual([]);
    });
  await test.step("in every theme, with the heat of lines, and what axe says", () => inThemes(""));

  await test.step("sorted; as many columns as there is room for", async () => {
    await workbench.ungroup();
    await expect(events.getByRole("columnheader").first()).toHaveAttribute("aria-sort", "descending");
    const hottestRow = await rows.first().getAttribute("aria-label");

    // Columns: the most important ones where there is little room.
    const columns = async () => events.getByRole("columnheader").allTextContents();
    expect(await columns()).toEqual(["Time ▾", "Share", "Line", "Operator"]);
    await workbench.widenSideBar(500);
    await expect.poll(columns).toEqual(["Time ▾", "Share", "Line", "Operator", "Event", "Module", "Where", "Confidence"]);
    await events.getByRole("button", { name: "Sort by Module" }).click();
    await expect(events.getByRole("columnheader", { name: "Sort by Module" })).toHaveAttribute("aria-sort", "ascending");
    await expect(rows.first()).not.toHaveAttribute("aria-label", hottestRow ?? "");
    await workbench.screenshot("events-wide");
  });

  const focused = events.locator(".row:focus");
  await test.step("walked with keys", async () => {
    // One stop of the Tab key for the columns, one for the rows.
    await page.keyboard.press("Tab");
    await expect(focused).toHaveAttribute("aria-rowindex", "2");
    await page.keyboard.press("ArrowDown");
    await expect(focused).toHaveAttribute("aria-rowindex", "3");
    await page.keyboard.press("End");
    await expect(focused).toHaveAttribute("aria-rowindex", (await events.getByRole("treegrid").getAttribute("aria-rowcount")) ?? "");
    await page.keyboard.press("Home");
    await expect(focused).toHaveAttribute("aria-rowindex", "2");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowLeft");
    await expect(events.getByRole("button", { name: "Sort by Event" })).toBeFocused();
  });

  await test.step("in every theme, wide", () => inThemes("-wide"));

  await test.step("what delegate calls took beyond their operators: one row that opens", async () => {
    await events.getByRole("button", { name: "Sort by Time" }).click();
    await expect(events.getByRole("columnheader").first()).toHaveAttribute("aria-sort", "descending");
    const folded = rows.filter({ hasText: "inside delegate calls, not measured" });
    await expect(folded).toHaveCount(1);
    await folded.click(); // it has no line: a click opens it
    await expect(folded.first()).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowRight");
    await expect(focused).toContainText("DELEGATE_CALL");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(focused).toHaveAttribute("aria-expanded", "false");
  });

  await test.step("hidden, and found in the flame graph, by the menu", async () => {
    // The menu of the row with the focus, by its key.
    await page.keyboard.press("Shift+F10");
    await workbench.choose("Hide");
    await expect(events.getByRole("searchbox")).toHaveValue('-"delegate_overhead"');
    await expect(rows.filter({ hasText: "inside delegate calls" })).toHaveCount(0);
    await rows.filter({ hasText: "softmax" }).first().click({ button: "right" });
    await workbench.choose("Show in Flame Graph");
    await expect(workbench.webview().locator(".frame:focus")).toHaveAttribute("aria-label", /attn/);
  });
});

test("Modules, What to Do First, Profiles, Delegate Calls", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");

  await test.step("Modules: the numbers of the command line", async () => {
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
    // To the class; a module of a library's class is where it is made.
    await rows.nth(3).click();
    await expect(workbench.cursor()).toContainText("Ln 21,");
    await page.locator('.sidebar .pane-header[aria-label^="Modules"]').hover();
  });

  await test.step("What to Do First: findings with their lines", async () => {
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

  await test.step("Profiles: the dump, its record, the verdict", async () => {
    await workbench.only("Profiles");
    const rows = workbench.rows("Profiles");
    await expect(rows.first()).toContainText("model.etdp");
    await expect(rows.first()).toContainText("current");
    await expect(rows.filter({ hasText: "Dump and record belong together" })).toHaveCount(1);
    await expect(rows.filter({ hasText: "Method forward" })).toHaveCount(1);
    for (const row of await rows.all()) await expect(row).toHaveAttribute("aria-label", /\w/);
    await workbench.screenshot("profiles");
  });

  await test.step("Delegate Calls: a table with what fell back between them, rows that open", async () => {
    await workbench.only("Delegate Calls");
    await workbench.goToLine(1);
    const rows = workbench.eventRows();
    // The most costly first: what fell back on line 43.
    await expect(rows.first()).toContainText("CPU ×2: return weights @ v");
    await expect(rows.nth(1)).toContainText("#5 XNNPACK");
    await expect(workbench.events().getByRole("status")).toHaveText(/^14 calls [\d.]+%, \d+ fallbacks to the CPU [\d.]+%$/);
    const shares = async () => (await rows.locator(".share").allInnerTexts()).map((text) => Number(/^([\d.]+)%/.exec(text)?.[1] ?? "0"));
    expect((await shares()).length).toBeGreaterThan(10);
    expect(await shares()).toEqual((await shares()).sort((a, b) => b - a));
    // Each line that fell back once, however often it did.
    const fallback = rows.filter({ hasText: "CPU" }).filter({ hasText: "layers.py:43" });
    await expect(fallback).toHaveCount(1);
    await expect(fallback).toHaveAttribute("aria-label", /^Fallback at layers\.py:43: .*between/);
    await fallback.locator(".twistie").click();
    await expect(rows.filter({ hasText: "between #" }).first()).toHaveAttribute("aria-label", /on the CPU between two XNNPACK partitions/);
    await rows.filter({ hasText: "#6 XNNPACK" }).locator(".twistie").click();
    const line = rows.and(workbench.events().locator('[aria-label*=", in delegate call 6: return weights"]'));
    await expect(line).toHaveAttribute("aria-level", "2");
    await workbench.screenshot("delegate-calls");
    await line.click();
    await expect(workbench.cursor()).toContainText("Ln 43,");
    await workbench.widenSideBar(500);
    await expect.poll(() => workbench.events().getByRole("columnheader").allTextContents()).toEqual(["Time ▾", "Share", "Call", "Lines", "Module", "Explained", "Opaque", "Not measured"]);
    await workbench.screenshot("delegate-calls-wide");
    expect(await workbench.accessibilityProblems(workbench.events())).toEqual([]);
  });
});
