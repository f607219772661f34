// SPDX-License-Identifier: Apache-2.0
// Numbers on lines as they are drawn by default: the column at the left with bars, and at the ends of lines what the column
// has not. In every theme, in narrow and in split editors.
import { expect, test, type Workbench } from "./workbench";

test.use({ settings: { "etlens.column.enabled": true } });

// What is drawn before and after the text of the line that has this text, with the colour and where it is on the screen.
async function drawn(workbench: Workbench, text: RegExp) {
  const line = workbench.hint(text);
  await line.waitFor();
  return line.evaluate((element) => {
    const parts = [...element.querySelectorAll("span")].flatMap((span) =>
      (["::before", "::after"] as const).flatMap((part) => {
        const { content, color, marginLeft } = getComputedStyle(span, part);
        if (!content.startsWith('"') || content === '""') return [];
        const { left, right } = span.getBoundingClientRect();
        return [{ part, text: content.slice(1, -1).replaceAll("\u00a0", " "), color, margin: Number.parseFloat(marginLeft), left, right }];
      }),
    );
    return { before: parts.filter(({ part }) => part === "::before"), after: parts.filter(({ part }) => part === "::after") };
  });
}

test("numbers at the left, where it ran at the end of the line, in every theme", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.goToLine(43);
  const colours = new Set<string>();
  await workbench.inThemes(folder, async (name) => {
    const { before, after } = await drawn(workbench, /7\.69 ms 39%.*weights @ v.*XNNPACK/);
    expect(before.map(({ text }) => text.trim())).toEqual(["7.69 ms 39%"]);
    // Not the numbers again.
    expect(after.map(({ text }) => text)).toEqual(["XNNPACK+CPU ×2"]);
    expect(after[0]?.margin).toBeGreaterThan(15);
    colours.add(after[0]?.color ?? "");
    await workbench.screenshot(`layout-${name}`);
  });
  expect(colours.size).toBe(4);
  await page.setViewportSize({ width: 620, height: 700 });
  await expect.poll(async () => (await drawn(workbench, /7\.69 ms 39%.*weights @ v/)).before[0]?.left).toBeLessThan(620);
  await workbench.screenshot("layout-narrow");
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.keyboard.press("Control+\\");
  await expect(page.locator(".editor-instance")).toHaveCount(2);
  await expect.poll(async () => (await page.locator("painted=7\\.69\\s.*weights\\s@\\sv").count())).toBe(2);
  await workbench.screenshot("layout-split");
  await workbench.goToLine(43);
  await page.keyboard.press("End");
  await page.keyboard.type("  # here");
  await expect(workbench.hint(/weights @ v.*# here.*XNNPACK/)).toBeVisible();
});
