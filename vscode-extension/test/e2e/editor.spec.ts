// SPDX-License-Identifier: Apache-2.0
// The editor: hints, hover, lenses, heat; compared with what the command line says of the same files.
import * as fs from "node:fs";
import * as path from "node:path";
import type { Page } from "@playwright/test";
import { viewport } from "../../playwright.config";
import { cli, type CliLines, expect, hottest, shareText, test, timeText, type Workbench } from "./workbench";

const shownFrom = 0.005; // of the method's time

function linesOf(folder: string, file: string): CliLines["files"][number]["lines"] {
  const found = (cli("lines", folder) as CliLines).files.find(({ path: here }) => here.endsWith(file));
  expect(found, `the command line knows ${file}`).toBeDefined();
  return found?.lines ?? [];
}

// With all lines in sight: every hint says what the command line says of its line.
async function compareHints(workbench: Workbench, page: Page, folder: string, file: string): Promise<void> {
  await page.setViewportSize({ ...viewport, height: 3600 });
  await workbench.hint(/\d% /).waitFor();
  const lines = linesOf(folder, file);
  const measured = lines.filter((line) => line.share >= shownFrom);
  expect(measured.length).toBeGreaterThan(2);
  await expect.poll(async () => (await workbench.hints(path.join(folder, file))).size).toBeGreaterThanOrEqual(measured.length);
  const hints = await workbench.hints(path.join(folder, file));
  for (const line of measured) {
    const hint = (hints.get(line.current_line ?? 0) ?? "").replace(/^[≈↳]/, "");
    const self = `${timeText(line.self)} ${shareText(line.share)}`;
    const inclusive = `Σ ${timeText(line.inclusive)} `;
    expect(hint.startsWith(self) || hint.startsWith(inclusive), `line ${line.line}: “${hint}” says ${self}`).toBe(true);
    if (hint.startsWith(self) && line.delegates.length === 1) expect(hint).toContain("XNNPACK");
  }
  // And nothing that the command line does not know: attributes (Σ of modules), fused lines, fallbacks.
  const known = new Set(lines.map((line) => line.current_line));
  for (const [line, hint] of hints) expect(known.has(line) || hint.startsWith("Σ"), `line ${line}: ${hint}`).toBe(true);
  await page.setViewportSize(viewport);
}

test("hints of the convnet are the numbers of the command line", async ({ workbench, page }) => {
  const folder = await workbench.openExample("convnet", "convnet/blocks.py");
  await compareHints(workbench, page, folder, "convnet/blocks.py");
});

test("the storyteller: hints, lenses, hover, heat, marked words and lines, edited text", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  const hot = linesOf(folder, "layers.py").find((known) => known.line === 43);
  await test.step("hints are the numbers of the command line", () => compareHints(workbench, page, folder, "layers.py"));

  await test.step("a lens says the numbers of its class, and leads to the hottest line inside", async () => {
    await workbench.goToLine(43);
    await workbench.hint(hottest).waitFor();
    await workbench.screenshot("editor");

    const lens = page.locator(".codelens-decoration a", { hasText: "of the run · 2 instances" }).first();
    // Lenses move the lines: theirs may be out of sight then.
    await expect(async () => {
      await workbench.goToLine(24);
      await lens.waitFor({ timeout: 5_000 });
    }).toPass();
    await expect(lens).toHaveText(/^[\d.]+ .s · [\d.]+% of the run · 2 instances$/);
    await workbench.goToLine(21);
    // That of the class which most of the time is spent in.
    await page.locator(".codelens-decoration a", { hasText: /\d\d%\sof\sthe\srun\s·\s2\sinstances/ }).first().click();
    await expect(workbench.cursor()).toContainText("Ln 43,");
  });

  await test.step("hover", async () => {
    const line = workbench.hint(hottest);
    const hover = page.locator(".monaco-hover:not(.hidden)").filter({ has: page.locator("table") }).first();
    // A lens that comes in moves the lines away from under the pointer, which has to move again then.
    await expect(async () => {
      const soon = { timeout: 5_000 };
      await page.mouse.move(5, 5);
      await line.locator("span span", { hasText: /weights/ }).first().hover();
      await hover.waitFor({ timeout: 10_000 });
      await expect(hover.locator("th").first()).toHaveText("operator", soon);
      await expect(hover.locator("td").first()).toHaveText("expand_copy", soon);
      await expect(hover).toContainText(timeText(hot?.self ?? 0), soon);
      const picture = hover.locator("img").first();
      await expect(picture).toHaveAttribute("alt", /^50 executions, from .* to /, soon);
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth, undefined, soon)).toBeGreaterThan(100);
    }).toPass();
    await workbench.screenshot("hover-operators");
    await page.keyboard.press("Escape");
    await page.mouse.move(5, 5);
  });

  await test.step("heat", async () => {
    // The longer the bar before the line, the larger its share; the hottest line has the longest.
    const marks = await page.evaluate(() =>
      [...document.querySelectorAll(".editor-instance .view-overlays > div > .cdr")].flatMap((element) => {
        const style = getComputedStyle(element);
        const width = Number.parseInt(style.borderLeftWidth, 10);
        return style.borderLeftStyle === "solid" && width > 0 ? [{ width, colour: style.backgroundColor }] : [];
      }),
    );
    expect(marks.length).toBeGreaterThan(3);
    const widths = new Set(marks.map((mark) => mark.width));
    expect(widths.size).toBeGreaterThan(2);
    expect(Math.max(...widths)).toBe(2 * Math.round((hot?.share ?? 0) * 14));
    await expect(page.locator(".editor-instance .decorationsOverviewRuler")).toBeVisible();
  });

  await test.step("the word at the cursor is still highlighted, and the lines of a delegate call are when asked for", async () => {
    await workbench.goToLine(43);
    await workbench.hint(hottest).waitFor();
    // `weights` in `weights @ v`: it stands elsewhere, too.
    const column = (fs.readFileSync(path.join(folder, "layers.py"), "utf8").split("\n")[42] ?? "").indexOf("weights");
    await page.keyboard.press("Home");
    await page.keyboard.press("Home");
    for (let i = 0; i <= column; ++i) await page.keyboard.press("ArrowRight");
    const words = page.locator(".editor-instance .view-overlays [class*='wordHighlight']");
    await expect.poll(() => words.count()).toBeGreaterThan(1);

    const framed = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".editor-instance .view-overlays > div > .cdr")].filter((element) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          return outlineStyle === "solid" && outlineWidth === "1px";
        }).length,
      );
    expect(await framed()).toBe(0);
    await workbench.command("Show Lines of This Delegate Call");
    await expect.poll(framed).toBeGreaterThan(0);
    await expect(page.locator(".statusbar-item", { hasText: /ran \d+ lines/ })).toBeVisible();
    await workbench.screenshot("delegate-lines");
    await workbench.goToLine(1);
    await workbench.goToLine(43);
    await expect.poll(framed).toBe(0);
  });

  await test.step("numbers follow their lines while the text is edited", async () => {
    await workbench.goToLine(43);
    await workbench.hint(hottest).waitFor();
    await workbench.goToLine(40);
    await page.keyboard.press("Home");
    await page.keyboard.type("# one\n# two\n\n");
    // The file is saved nowhere: the numbers follow the text in the editor.
    const moved = workbench.hint(/weights @ v.*\d%/);
    await expect(moved).toBeVisible();
    await workbench.goToLine(46);
    await expect(moved).toBeVisible();
    expect(await workbench.painted(moved)).not.toContain("~");
    await page.keyboard.press("End");
    await page.keyboard.type("  # tuned");
    // What is typed at the end of the text stands before the hint.
    await expect(workbench.hint(/weights @ v.*# tuned.*\d%/)).toBeVisible();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.type(" 1.0 *");
    await expect(workbench.hint(/weights @ v.*(~.*\d%|\d%.*~)/)).toBeVisible();
    await workbench.screenshot("edited");
  });
});

test("lines that the export lost are found again, and a hover leads to them", async ({ workbench, page }) => {
  const folder = await workbench.openExample("int8net", "model.py");
  await workbench.only("Events");
  await workbench.eventRows().first().waitFor();
  await workbench.widenSideBar(160);
  await page.mouse.move(700, 4);
  await workbench.goToLine(25);
  const helper = linesOf(folder, "model.py").find(({ line }) => line === 19);
  await workbench.hint(new RegExp(`self\\.last.*↳${timeText(helper?.self ?? 0)} `)).waitFor();
  await expect(page.locator(".monaco-hover:visible")).toHaveCount(0);
  await workbench.pictures(folder, "overview");

  const hover = page.locator(".monaco-hover:visible").filter({ has: page.locator("table") }).first();
  await expect(async () => {
    await page.mouse.move(5, 5);
    await workbench.hint(/L\.residual.*Σ/).locator("span span", { hasText: "residual" }).first().hover();
    await hover.waitFor({ timeout: 10_000 });
  }).toPass();
  const [own, other] = [hover.getByRole("link", { name: "model.py:19,18,21" }), hover.getByRole("link", { name: "functional.py:28" })];
  await expect(own).toBeVisible();
  await workbench.screenshot("hover");
  await other.click();
  await expect(page.locator(".tab.active")).toContainText("functional.py");
  await expect(workbench.cursor()).toContainText("Ln 28,");
});
