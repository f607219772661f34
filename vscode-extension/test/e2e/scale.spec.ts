// SPDX-License-Identifier: Apache-2.0
// Ten thousand events on the screen: the longest pause of the window while a person scrolls and filters.
import { largeFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

const limitMs = 100;
const attempts = 4;

test("ten thousand events scroll and filter without a pause", async ({ workbench, page }) => {
  await workbench.open(largeFolder(), "model.py");
  await workbench.only("Events");
  const rows = workbench.rows("Events");
  await rows.nth(5).waitFor();
  await page.evaluate(() => {
    const pauses: number[] = [];
    new PerformanceObserver((list) => pauses.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ["longtask"] });
    Object.assign(globalThis, { pauses });
  });
  const longest = () =>
    page.evaluate(() => {
      const { pauses } = globalThis as unknown as { pauses: number[] };
      return Math.max(0, ...pauses.splice(0));
    });

  // The best of several attempts: other programs make pauses too.
  let scrolling = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    await longest();
    await rows.first().hover();
    for (let step = 0; step < 30; ++step) await page.mouse.wheel(0, i % 2 === 0 ? 400 : -400);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    scrolling = Math.min(scrolling, await longest());
  }

  await page.mouse.wheel(0, -100_000);
  await workbench.command("Filter Events");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  let filtering = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    await longest();
    await input.fill("");
    await input.pressSequentially("softmax");
    await expect(page.locator(".sidebar .pane .message", { hasText: "“softmax”: " })).toBeVisible();
    filtering = Math.min(filtering, await longest());
  }
  console.log(`measured: longest pause while scrolling ${scrolling.toFixed(0)} ms, while filtering ${filtering.toFixed(0)} ms`);
  expect(scrolling).toBeLessThan(limitMs);
  expect(filtering).toBeLessThan(limitMs);
  await workbench.screenshot("ten-thousand");
});
