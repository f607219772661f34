// SPDX-License-Identifier: Apache-2.0
// Other measures than time on the lines: hints, heat, hover, views and status follow, with the numbers of
// the command line.
import * as fs from "node:fs";
import * as path from "node:path";
import { barWidth } from "../../src/base/barWidth";
import { paths, temporaryFolder } from "../support/codeServer";
import { cli, type CliLines, expect, shareText, test, timeText } from "./workbench";

interface CliMeasure {
  files: { path: string; lines: { current_line: number | null; self: number; share: number }[] }[];
}

test("memory on the lines: hints, heat, hover, views, status; and back to time", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  const file = path.join(folder, "layers.py");
  await workbench.goToLine(43);
  await expect.poll(async () => (await workbench.hints(file)).get(43)).toMatch(/ms/);
  await workbench.command("Show on Lines");
  const rows = page.locator(".quick-input-widget .monaco-list-row");
  await expect(rows.filter({ hasText: "time" })).toBeVisible();
  await workbench.screenshot("measures");
  await rows.filter({ hasText: "memory" }).click();
  await expect(workbench.status()).toContainText(/lines show memory: [\d.]+ MB/);

  // Every hint with bytes says what the command line says of its line.
  const { files } = cli("lines", "--measure", "memory", "--etdump", path.join(folder, "model.etdp"), "--pte", path.join(folder, "model.pte")) as CliMeasure;
  const expected = new Map(files.flatMap(({ path: name, lines }) => (path.basename(name) === "layers.py" ? lines : [])).map((line) => [line.current_line, line]));
  await expect.poll(async () => [...(await workbench.hints(file)).values()].some((hint) => /^[\d.]+ [kM]?B/.test(hint))).toBe(true);
  let compared = 0;
  for (const [line, hint] of await workbench.hints(file)) {
    const own = /^([\d.]+) ([kM]?B) /.exec(hint);
    const row = expected.get(line);
    if (own === null || row === undefined) continue;
    const bytes = Number(own[1]) * (own[2] === "MB" ? 1e6 : own[2] === "kB" ? 1e3 : 1);
    expect(Math.abs(bytes - row.self) / row.self, `line ${line}: ${hint}, ${row.self}`).toBeLessThan(0.005);
    ++compared;
  }
  expect(compared).toBeGreaterThan(0);

  // Heat is of the same measure: the line with most of the peak has the longest bar.
  const hottest = [...expected.values()].reduce((most, line) => (line.self > most.self ? line : most));
  await workbench.goToLine(hottest.current_line ?? 1);
  await expect.poll(() =>
    page.evaluate(() => Math.max(...[...document.querySelectorAll(".editor-instance .view-overlays > div > .cdr")].map((element) => Number.parseInt(getComputedStyle(element).borderLeftWidth, 10)))),
  ).toBe(barWidth(hottest.share, false));
  const hover = await workbench.hoverAt(hottest.current_line ?? 1, "of the peak");
  await expect(hover).toContainText(/time: [\d.]+ [mµ]s/);
  await workbench.screenshot("memory-hover");
  await page.keyboard.press("Escape");

  await workbench.only("Events");
  await expect(workbench.eventRows().first()).toContainText(/^[\d.]+ [kM]?B\d+%/);
  await workbench.only("Modules");
  await expect(workbench.rows("Modules").first()).toContainText(/[\d.]+ MB/);
  await workbench.screenshot("memory-on-lines");

  await workbench.command("Show on Lines");
  await rows.filter({ hasText: "Use the setting" }).click();
  await expect(workbench.status()).not.toContainText("lines show");
  await expect.poll(async () => (await workbench.hints(file)).get(43)).toMatch(/ms/);
});

test("error on the lines: where it begins, and the values in the hover", async ({ workbench, page }) => {
  // A run with a weight that was disturbed on purpose, its values, and what they should be.
  const folder = temporaryFolder("values");
  for (const file of ["fault.etdp", "fault.bin", "model.etrecord", "aot.npz"]) fs.copyFileSync(path.join(paths.data, "values/mlp", file), path.join(folder, file));
  fs.copyFileSync(path.join(paths.data, "models/mlp.py"), path.join(folder, "mlp.py"));
  await workbench.open(folder, "mlp.py");
  await expect(workbench.status()).toContainText("on lines");
  await workbench.command("Show on Lines");
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: "error" }).click();
  await expect(workbench.status()).toContainText("lines show error");
  const { files } = cli("lines", "--measure", "error", "--etdump", path.join(folder, "fault.etdp")) as CliMeasure;
  const rows = files.flatMap(({ lines }) => lines);
  const first = rows.reduce((most, line) => (line.self > most.self ? line : most));
  await workbench.goToLine(first.current_line ?? 1);
  await expect.poll(async () => (await workbench.hints(path.join(folder, "mlp.py"))).get(first.current_line ?? 0)).toMatch(/SNR \d+ dB ▼ \d/);
  await workbench.hoverAt(first.current_line ?? 1, "SNR");
  await workbench.screenshot("error-on-lines");
});

test("compile time on the definitions: of a profile alone, with who called whom", async ({ workbench, page }) => {
  const folder = temporaryFolder("profile");
  const [source, profile] = [path.join(folder, "größe.py"), path.join(folder, "model.prof")];
  // As the screen has it: no carriage returns, no tabs.
  fs.writeFileSync(source, fs.readFileSync(path.join(paths.data, "models/größe.py"), "utf8").replaceAll("\r\n", "\n").replaceAll("\t", "    "));
  fs.copyFileSync(path.join(paths.data, "pstats/grosse.cprofile-eager.prof"), profile);
  await workbench.open(folder, "größe.py");
  await expect(workbench.status()).toContainText(/compile time/);
  const { files, total } = cli("lines", "--prof", profile, folder) as CliLines;
  const functions = files.flatMap(({ path: name, lines }) => (name === source ? lines : [])).filter(({ current_line: line }) => line !== null && line >= 34);
  expect(functions.length).toBe(5);
  await workbench.goToLine(49);
  // Every function's line has its own time, or what it takes with what it calls where that is the more.
  for (const { current_line: line, self, inclusive } of functions) {
    const [own, all] = [self, inclusive].map((ms) => `${timeText(ms)} ${shareText(ms / total)}`);
    await expect.poll(async () => [own, `Σ ${all}`].includes((await workbench.hints(source)).get(line ?? 0) ?? ""), `line ${line}: ${own}, Σ ${all}`).toBe(true);
  }
  const forward = functions.find(({ current_line: line }) => line === 49);
  await expect(page.locator(".codelens-decoration a", { hasText: `${timeText(forward?.inclusive ?? 0)} · 95% of all functions` })).toBeVisible();
  // Nothing ran: the bar has no times of executions.
  await expect(workbench.status()).toHaveText(/model\.prof · lines show compile time: 1\.39 ms$/);
  const hover = await workbench.hoverAt(49, "_call_impl");
  await expect(hover).toContainText(/^165 µs self · 12% of all functions.*called by _call_impl 1\.32 ms ×10/);
  await workbench.screenshot("compile-time");
});
