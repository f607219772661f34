// SPDX-License-Identifier: Apache-2.0
// The status item while the shown run breaks a budget of the workspace's policy: red, with the budget and the line, a click away.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample } from "../support/codeServer";
import { expect, test, type Workbench } from "./workbench";

// Red as no other colour of the bar is.
const isRed = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/g)].map(([part]) => Number(part));
  return red > green + 80 && red > blue + 80;
};
const colour = (workbench: Workbench) => workbench.status().evaluate((item) => getComputedStyle(item).backgroundColor);

test("the status item is red while a budget is broken, names its line and leads there; a policy that is wrong hides nothing", async ({ workbench, page }) => {
  const folder = copyOfExample("storyteller-after");
  const policy = path.join(folder, "etlens.toml");
  fs.writeFileSync(policy, '[budget]\npeak_memory = "2 MB"\nfile_size = "1 MB"\n');
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText("peak_memory rope.py:14 · 11.3 ms typical");
  await expect(workbench.status()).not.toContainText("on lines"); // what is too long is cut
  await expect(workbench.status()).toHaveAttribute("aria-label", /broken budget: peak_memory rope\.py:14/);
  await expect.poll(async () => isRed(await colour(workbench))).toBe(true);
  await workbench.screenshot("budget-broken");
  const said = page.locator(".monaco-hover:visible", { hasText: "the peak is 2.42 MB; the policy allows 2.00 MB" }).first();
  await workbench.status().hover();
  await expect(said).toContainText("peak_memory, line 2 of etlens.toml");
  await page.mouse.move(5, 5);
  // A click and Enter: it is the first entry.
  await workbench.status().click();
  await expect(page.locator(".quick-input-widget .monaco-list-row").first()).toContainText("peak_memory: rope.py:14");
  await page.keyboard.press("Enter");
  await expect(page.locator(".tab.active")).toContainText("rope.py");
  await expect(workbench.cursor()).toContainText("Ln 14,");
  // The policy changes on the disk.
  fs.writeFileSync(policy, '[budget]\npeak_memory = "3 MB"\n');
  await expect(workbench.status()).not.toContainText("peak_memory");
  await expect.poll(async () => isRed(await colour(workbench))).toBe(false);
  fs.writeFileSync(policy, '[budget]\npeak_memory = "much"\n');
  await workbench.message(/Budgets are not checked: etlens\.toml:2/).waitFor();
  await expect(workbench.status()).toContainText("on lines");
  fs.writeFileSync(policy, "[budget]\ndelegate_calls = 1\n");
  await expect(workbench.status()).toContainText("delegate_calls ");
  await page.mouse.move(5, 5);
  await expect.poll(async () => isRed(await colour(workbench))).toBe(true);
  await workbench.command("Go to Broken Budget");
  await expect(page.locator(".tab.active")).toContainText("layers.py");
  // The setting names another policy.
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(path.join(folder, "strict.toml"), '[budget]\nfile_size = "1 kB"\n');
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), '{"etlens.policy": "strict.toml"}');
  await expect(workbench.status()).toContainText("file_size ");
  await workbench.command("Check Budgets");
  await expect(page.locator(".quick-input-widget")).toContainText("strict.toml: 1 of 1 budgets violated");
});
