// SPDX-License-Identifier: Apache-2.0
// Large artifacts on the screen. Ten thousand events: the longest pause of the window while a person scrolls and filters. A language
// model of 32 layers: how long its picture takes.
import * as fs from "node:fs";
import * as path from "node:path";
import { largeFolder, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

const limitMs = 100;
const attempts = 4;

test("ten thousand events scroll and filter without a pause", async ({ workbench, page }) => {
  await workbench.open(largeFolder(), "model.py");
  await workbench.only("Events");
  await workbench.ungroup();
  const rows = workbench.eventRows();
  await rows.nth(5).waitFor();
  // The window and the page in the view are on one thread, or not: either may pause.
  const frame = await (await workbench.events().locator("main").elementHandle()).ownerFrame();
  if (frame === null) throw new Error("there is no page");
  const observe = () => {
    const pauses: number[] = [];
    const note = (entries: PerformanceEntry[]) => pauses.push(...entries.map((entry) => entry.duration));
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ entryTypes: ["longtask"] });
    const takePauses = () => {
      note(observer.takeRecords());
      return pauses.splice(0);
    };
    Object.assign(globalThis, { takePauses });
  };
  for (const place of [page, frame]) await place.evaluate(observe);
  // Since the last time, once what was begun is drawn.
  const longestIn = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() =>
        requestAnimationFrame(() => resolve(Math.max(0, ...(globalThis as unknown as { takePauses(): number[] }).takePauses()))),
      );
    });
  const longest = async () => Math.max(await page.evaluate(longestIn), await frame.evaluate(longestIn));
  // A pause of our own is seen.
  for (const place of [page, frame]) {
    await place.evaluate((ms) => {
      setTimeout(() => {
        for (const start = performance.now(); performance.now() - start < ms; );
      });
    }, limitMs);
    await expect.poll(longest).toBeGreaterThanOrEqual(limitMs);
  }

  // The best of several attempts: other programs make pauses too.
  let scrolling = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    await longest();
    await rows.first().hover();
    for (let step = 0; step < 30; ++step) await page.mouse.wheel(0, i % 2 === 0 ? 400 : -400);
    scrolling = Math.min(scrolling, await longest());
  }

  await page.mouse.wheel(0, -1_000_000);
  const input = workbench.events().getByRole("searchbox");
  const message = workbench.events().getByRole("status");
  let filtering = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    await input.fill("");
    await expect(message).toHaveText("");
    await longest();
    await input.pressSequentially("softmax");
    await expect(message).toContainText("“softmax”: ");
    filtering = Math.min(filtering, await longest());
  }
  console.log(`measured: longest pause while scrolling ${scrolling.toFixed(0)} ms, while filtering ${filtering.toFixed(0)} ms`);
  // Held, ten times over, only where these tests have the machine for themselves.
  if (process.env["ETLENS_TIMED"]) {
    expect(scrolling).toBeLessThan(10 * limitMs);
    expect(filtering).toBeLessThan(10 * limitMs);
  }
  await workbench.screenshot("ten-thousand");
});

test("the program graph of 32 layers opens folded", async ({ workbench }) => {
  const corpus = process.env["ETLENS_CORPUS"];
  test.skip(corpus === undefined, "ETLENS_CORPUS names no corpus");
  const folder = temporaryFolder("layers");
  for (const file of ["model.etrecord", "model.pte", "run1.etdp"]) {
    fs.copyFileSync(path.join(corpus ?? "", "release-1.5/scale-llama32-xnnpack", file), path.join(folder, file));
  }
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("on lines");
  const boxes = workbench.webview().getByRole("treeitem");
  let opening = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    const before = performance.now();
    await workbench.command("Program Graph");
    await boxes.first().waitFor();
    opening = Math.min(opening, performance.now() - before);
    // Repeated layers are one box.
    expect(await boxes.count()).toBeLessThan(100);
    if (i === 0) await workbench.screenshot("program-graph-layers");
    await workbench.anyCommand("View: Close All Editors");
    await expect(boxes).toHaveCount(0);
  }
  console.log(`measured: program graph of 32 layers, from the command to its boxes ${opening.toFixed(0)} ms`);
  if (process.env["ETLENS_TIMED"]) expect(opening).toBeLessThan(10 * 1000);
});
