// SPDX-License-Identifier: Apache-2.0
// Bundle for a Bug Report: from the palette to a ZIP file that has the numbers and not the names.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Page } from "@playwright/test";
import { temporaryFolder } from "../support/codeServer";
import { cli, type CliLines, expect, test } from "./workbench";

const title = "Bundle for a Bug Report…";

function unpacked(zip: string): string {
  const folder = temporaryFolder("bundle");
  execFileSync("python3", ["-m", "zipfile", "-e", zip, folder]);
  return folder;
}

const textOf = (folder: string) =>
  fs.readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile()).map(({ name }) => fs.readFileSync(path.join(folder, name), "latin1")).join("\n");
const totalOf = (folder: string) => (cli("lines", folder) as CliLines).total;

// The dialog reads the folder of what is typed, and takes no Enter until it has.
async function saveAs(page: Page, file: string): Promise<void> {
  const input = page.locator(".quick-input-widget input").first();
  await expect(input).toHaveValue(/model-bundle\.zip$/);
  await input.fill(file);
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(input).toBeHidden({ timeout: 5_000 });
  }).toPass();
}

test("bundles with names and without, one that is left, one that cannot be written", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await expect.poll(() => workbench.offered(title)).toBe(1);

  await test.step("one that cannot be written is one sentence with what to do", async () => {
    await workbench.command(title);
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Keep names and source texts" }).click();
    // A folder that is there and takes no files.
    await saveAs(page, "/proc/case.zip");
    await workbench.message(/^etlens: cannot write \/proc\/case\.zip: .*; check the path/).waitFor();
    await expect(workbench.message("is written")).toHaveCount(0);
  });

  await test.step("one that is left writes nothing", async () => {
    await workbench.command(title);
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Keep names and source texts" }).click();
    const input = page.locator(".quick-input-widget input").first();
    await expect(input).toHaveValue(/model-bundle\.zip$/);
    await page.keyboard.press("Escape");
    await expect(input).toBeHidden();
    expect(fs.readdirSync(folder).filter((name) => name.endsWith(".zip"))).toEqual([]);
  });

  await test.step("with names, in another file", async () => {
    await workbench.command(title);
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "Keep names and source texts" }).click();
    const elsewhere = path.join(temporaryFolder("elsewhere"), "case.zip");
    await saveAs(page, elsewhere);
    await workbench.message(/case\.zip is written\./).waitFor();
    expect(textOf(unpacked(elsewhere))).toContain("apply_rope");
  });

  await test.step("without names: its numbers, and where it is", async () => {
    await workbench.command(title);
    const rows = page.locator(".quick-input-widget .monaco-list-row");
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("Replace names and source texts");
    await workbench.screenshot("bundle-question");
    await page.keyboard.press("Enter");
    await expect(page.locator(".quick-input-widget input").first()).toHaveValue(/model-bundle\.zip$/);
    await page.keyboard.press("Enter");
    const message = workbench.message(/model-bundle\.zip is written\. \d+ words replaced/);
    await message.waitFor();
    await expect(message).toContainText("Look at it before you publish it.");
    await workbench.screenshot("bundle-written");

    const zip = path.join(folder, "model-bundle.zip");
    const bundle = unpacked(zip);
    expect(fs.readdirSync(bundle).sort()).toEqual(["check.txt", "model.etdp", "model.etrecord", "model.pte", "versions.txt"]);
    expect(totalOf(bundle)).toBe(totalOf(folder));
    expect(textOf(folder)).toContain("apply_rope");
    expect(textOf(bundle)).not.toContain("apply_rope");

    await message.getByRole("button", { name: "Show in Folder" }).click();
    const selected = page.locator(".explorer-folders-view .monaco-list-row.selected");
    await expect(selected).toContainText("model-bundle.zip");
  });
});
