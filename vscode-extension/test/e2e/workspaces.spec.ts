// SPDX-License-Identifier: Apache-2.0
// Workspaces of other kinds: more than one folder, and one that is not trusted.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, startCodeServer, temporaryFolder, vsix } from "../support/codeServer";
import { expect, hottest, test, Workbench } from "./workbench";

test("a workspace of two folders shows the one with artifacts", async ({ workbench }) => {
  const other = temporaryFolder("other");
  const model = copyOfExample("storyteller");
  const file = path.join(other, "both.code-workspace");
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: other }, { path: model }] }));
  await workbench.open(file, path.join(model, "layers.py"));
  await expect(workbench.status()).toContainText("on lines");
  await workbench.goToLine(43);
  await workbench.hint(hottest).waitFor();
});

test("a file of another model says which dump it was measured in, and a click shows that one", async ({ workbench }) => {
  const folder = temporaryFolder("models");
  for (const name of ["storyteller", "mlp"]) fs.cpSync(copyOfExample(name), path.join(folder, name), { recursive: true });
  // The newest is shown.
  fs.utimesSync(path.join(folder, "storyteller/model.etdp"), 1_000_000_000, 1_000_000_000);
  await workbench.open(folder, "storyteller/layers.py");
  await expect(workbench.status()).toContainText("mlp/model.etdp");
  const lens = workbench.lens("measured in storyteller/model.etdp");
  await lens.waitFor();
  expect(await workbench.hints(path.join(folder, "storyteller/layers.py"))).toEqual(new Map());
  await workbench.screenshot("another-model");
  await lens.locator("a", { hasText: "measured in" }).click();
  await expect(workbench.status()).toContainText("storyteller/model.etdp");
  await workbench.goToLine(43);
  await workbench.hint(hottest).waitFor();
  await workbench.screenshot("another-model-shown");
});

test("a workspace that is not trusted cannot choose the server, and nothing runs its models", async ({ page }) => {
  const folder = copyOfExample("storyteller");
  fs.mkdirSync(path.join(folder, ".vscode"));
  const marker = path.join(folder, "was-run");
  const impostor = path.join(folder, "impostor");
  fs.writeFileSync(impostor, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "etlens.server.path": impostor }));
  const server = await startCodeServer({
    install: [vsix],
    args: [],
    settings: { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" },
  });
  try {
    const workbench = new Workbench(page, server);
    await workbench.open(folder, "layers.py");
    await expect(page.locator(".statusbar-item", { hasText: "Restricted Mode" })).toBeVisible();
    await expect(workbench.status()).toContainText("on lines");
    expect(fs.existsSync(marker)).toBe(false);
    await workbench.goToLine(43);
    await workbench.hint(hottest).waitFor();
    await page.keyboard.press("F1");
    await page.keyboard.type("etlens: ");
    const commands = page.locator(".quick-input-widget .monaco-list-row");
    await expect(commands.filter({ hasText: "etlens: Getting Started" })).toHaveCount(1);
    await page.keyboard.type("Profile My");
    await expect(commands.filter({ hasText: "etlens: Profile My Model" })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await workbench.status().click();
    await expect(commands.filter({ hasText: "Export…" })).toBeVisible();
    await expect(commands.filter({ hasText: "Bundle for a Bug Report" })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await workbench.openFile("model.py");
    await workbench.lens(/of the run|ms/).waitFor();
    await expect(page.locator(".codelens-decoration", { hasText: /Run again|Profile this/ })).toHaveCount(0);
  } finally {
    await server.stop();
  }
});
