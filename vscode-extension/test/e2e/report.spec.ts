// SPDX-License-Identifier: Apache-2.0
// The live report: in every theme, at 200 % zoom, and with the keyboard alone.
import type { FrameLocator } from "@playwright/test";
import { viewport } from "../../playwright.config";
import { expect, test } from "./workbench";

const unfold = (report: FrameLocator) =>
  report.locator("body").evaluate((body) => {
    for (const details of body.querySelectorAll("details")) details.open = true;
  });

// What reaches out of the page at the right, and is in nothing that scrolls.
const cutOff = (report: FrameLocator) =>
  report.locator("body").evaluate((body) => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const scrolls = (element: Element | null): boolean =>
      element !== null && element !== body && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
    const wide = [...body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !scrolls(element.parentElement));
    return [...(scrollWidth > clientWidth ? [`the page: ${scrollWidth} of ${clientWidth}`] : []), ...wide.map((element) => `${element.tagName} ${element.outerHTML.slice(0, 120)}`)];
  });

test("the report: with the keyboard alone, in every theme, at 200 % zoom, and what axe says", async ({ workbench, page }) => {
  test.slow(); // axe reads all of it six times
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.command("Show Report");
  const report = workbench.webview();
  await report.getByRole("heading", { level: 1 }).waitFor();
  await report.locator("a[data-path]").first().waitFor();

  await test.step("each link and each section by its key, in order, with a frame; a line opens", async () => {
    // In the order of the page: all that a pointer can press and that is in sight.
    const wanted = await report.locator("body").evaluate((body) =>
      [...body.querySelectorAll<HTMLElement>("a[href], summary, button, input, select, [tabindex='0']")]
        .filter((part) => part.checkVisibility())
        .map((part) => part.textContent.trim()),
    );
    expect(wanted.length).toBeGreaterThan(10);
    const focused = () =>
      report.locator("body").evaluate(() => {
        const part = document.activeElement;
        if (part === null || part === document.body) return undefined;
        const { outlineStyle, outlineWidth } = getComputedStyle(part);
        const { top, bottom } = part.getBoundingClientRect();
        return { text: part.textContent.trim(), isFramed: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1, isInSight: bottom > 0 && top < window.innerHeight };
      });
    await report.getByRole("heading", { level: 1 }).click();
    const reached: string[] = [];
    for (let i = 0; i < wanted.length; ++i) {
      await page.keyboard.press("Tab");
      const part = await focused();
      expect(part, `after ${reached.length} of ${wanted.length}`).toBeDefined();
      expect(part?.isFramed, part?.text).toBe(true);
      expect(part?.isInSight, part?.text).toBe(true);
      reached.push(part?.text ?? "");
      if (i === 3) await workbench.screenshot("report-focus");
    }
    expect(reached).toEqual(wanted);
    // A section opens and closes by its key.
    const folded = report.locator("details > summary").first();
    await folded.focus();
    const isOpen = () => folded.evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open);
    const before = await isOpen();
    await page.keyboard.press("Enter");
    await expect.poll(isOpen).toBe(!before);
    await page.keyboard.press("Space");
    await expect.poll(isOpen).toBe(before);
    // A line is a key away.
    const line = report.locator("a[data-path$='layers.py'][data-line='43']").first();
    await line.focus();
    await page.keyboard.press("Enter");
    await expect(workbench.cursor()).toContainText("Ln 43,");
  });

  await page.mouse.move(700, 4);
  await workbench.screenshot("report");
  expect(await workbench.accessibilityProblems()).toEqual([]);
  // Unfolded, it has all colours of the folded one.
  await unfold(report);
  await test.step("in every theme", () =>
    workbench.inThemes(folder, async (name) => {
      await workbench.screenshot(`report-${name}`);
      expect(await workbench.accessibilityProblems()).toEqual([]);
    }));

  await test.step("at 200 % zoom nothing is cut off", async () => {
    await expect.poll(() => cutOff(report)).toEqual([]);
    // A window at twice the size has half the pixels.
    await page.setViewportSize({ width: viewport.width / 2, height: viewport.height / 2 });
    await expect.poll(async () => (await page.locator(".monaco-workbench").boundingBox())?.width).toBe(viewport.width / 2);
    await expect.poll(() => cutOff(report)).toEqual([]);
    await report.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
    await workbench.screenshot("report-zoomed");
    for (const [i, heading] of (await report.getByRole("heading", { level: 2 }).all()).entries()) {
      await heading.evaluate((shown) => shown.scrollIntoView({ block: "start" }));
      await workbench.screenshot(`report-zoomed-${i}`);
    }
    expect(await workbench.accessibilityProblems()).toEqual([]);
    await page.setViewportSize(viewport);
  });
});
