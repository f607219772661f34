// SPDX-License-Identifier: Apache-2.0
// Compare With…: one list, in groups, of what the shown run can be compared with; a key and a row.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, etlens, paths, temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

const artifacts = ["model.etdp", "model.etrecord", "model.pte"];

function git(folder: string, ...args: string[]): void {
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "pipe" });
}

// The storyteller on the branch topic, after its optimisation; main has the artifacts from before it, of which a run is stored.
function project(): string {
  const folder = copyOfExample("storyteller-after");
  const keep = temporaryFolder("after");
  for (const name of artifacts) {
    fs.renameSync(path.join(folder, name), path.join(keep, name));
    fs.copyFileSync(path.join(paths.examples, "storyteller", name), path.join(folder, name));
  }
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "layers.py", ...artifacts);
  git(folder, "commit", "-q", "-m", "before the optimisation");
  execFileSync(etlens, ["runs", "--store"], { cwd: folder, stdio: "pipe" });
  git(folder, "checkout", "-q", "-b", "topic");
  git(folder, "rm", "-q", "--cached", ...artifacts);
  git(folder, "commit", "-q", "-m", "artifacts are not kept");
  const now = Date.now() / 1000;
  for (const name of artifacts) {
    fs.copyFileSync(path.join(keep, name), path.join(folder, name));
    fs.utimesSync(path.join(folder, name), now, now - 60);
  }
  return folder;
}

test("runs, branches and commits in one list; a key and a row compare with one", async ({ workbench, page }) => {
  await workbench.open(project(), "layers.py");
  await expect(workbench.status()).toContainText("on lines");
  const rows = page.locator(".quick-input-widget .monaco-list-row");
  const open = async () => {
    await workbench.goToLine(1);
    await page.keyboard.press("Control+Alt+w");
    await expect(rows.filter({ hasText: "run 1" })).toBeVisible();
  };
  // The extension of git may need a moment after the window has opened.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await open();
    await expect(rows.filter({ hasText: "before the optimisation" })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(rows.filter({ hasText: "stored runs" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "branches and commits" })).toHaveCount(1);
  // The one that is shown is not among them, nor is a branch without the dump.
  await expect(rows.filter({ hasText: "run 2" })).toHaveCount(0);
  await expect(rows.filter({ hasText: /^topic/ })).toHaveCount(0);
  await workbench.screenshot("compare-with");
  await rows.filter({ hasText: "before the optimisation" }).click();
  await expect(workbench.status()).toContainText(/−4\d%/);
  await workbench.command("Stop Comparing");
  await open();
  await rows.filter({ hasText: "run 1" }).click();
  await expect(workbench.status()).toContainText(/−4\d%\s▼\slikely/);
});

test("what left the delegate since the baseline is in the view, each line with its operators", async ({ workbench }) => {
  const folder = temporaryFolder("moved");
  const release = path.join(paths.data, "release-1.5");
  for (const [model, to] of [["mlp-portable-fp32", folder], ["mlp-xnnpack-int8", path.join(folder, "before")]] as const) {
    fs.mkdirSync(to, { recursive: true });
    for (const name of ["run10.etdp", "model.etrecord"]) fs.copyFileSync(path.join(release, model, name), path.join(to, name));
  }
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "etlens.baseline": "before" }));
  fs.writeFileSync(path.join(folder, "mlp.py"), "import torch\n");
  await workbench.open(folder, "mlp.py");
  await expect(workbench.status()).toContainText("▲ likely");
  await workbench.only("Since the Baseline");
  const rows = workbench.rows("Since the Baseline");
  await expect(rows.filter({ hasText: "Left XNNPACK" }).first()).toContainText("mlp.py:16");
  await expect(rows.filter({ hasText: "Left XNNPACK" }).first()).toContainText("2 × aten.gelu.default");
  await workbench.screenshot("left-the-delegate");
});
