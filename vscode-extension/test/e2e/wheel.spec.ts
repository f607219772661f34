// SPDX-License-Identifier: Apache-2.0
// A new user's first ten minutes with the ExecuTorch that pip installs (the environment of tests/executorch): from a file of
// theirs to numbers on its lines, then a changed line and what that changed. Says how long each step took.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { temporaryFolder } from "../support/codeServer";
import { expect, test } from "./workbench";

const model = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = torch.cumsum(x, dim=-1)
        return self.head(x.mean(dim=(2, 3)))
`;
// Lowering takes a minute where something else runs, too.
const running = { timeout: 10 * 60_000 };

// The newest of its releases, as soon as it is there: another run may be making it. undefined where there is none.
function environment(): string | undefined {
  if (process.env["ETLENS_EXECUTORCH"] !== undefined) return process.env["ETLENS_EXECUTORCH"];
  const cache = process.env["ETLENS_CACHE"] ?? path.join(os.homedir(), ".cache/etlens");
  const lock = path.join(cache, "executorch.lock");
  if (!fs.existsSync(lock)) return undefined;
  execFileSync("flock", [lock, "true"]);
  return fs
    .readdirSync(cache)
    .filter((name) => name.startsWith("executorch-") && fs.existsSync(path.join(cache, name, "made")))
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))
    .map((name) => path.join(cache, name))
    .at(-1);
}

// What terminals show is text of the page only without a graphics card.
test.use({ settings: { "terminal.integrated.gpuAcceleration": "off" } });

test("with the real wheel: a click and an input from a model to its numbers, then a changed line and its change", async ({
  workbench,
  page,
}) => {
  const python = environment();
  test.skip(python === undefined, "tests/executorch has made no environment");
  test.setTimeout(30 * 60_000);
  const folder = temporaryFolder("model");
  fs.writeFileSync(path.join(folder, "net.py"), model);
  fs.symlinkSync(python ?? "", path.join(folder, ".venv"));

  const steps: string[] = [];
  let began = Date.now();
  const step = (name: string) => {
    steps.push(`${name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
    began = Date.now();
  };
  await workbench.open(folder, "net.py");
  const profile = workbench.lens("Profile this model").locator("a", { hasText: "Profile this model" });
  await profile.waitFor();
  step("the lens");
  await profile.click();
  const input = page.locator(".quick-input-widget input").first();
  await expect(input).toHaveValue("1x3x224x224:float32", running);
  step("the input");
  await input.press("Enter");
  await expect(workbench.status()).toContainText("on lines", running);
  await expect(workbench.cursor()).toContainText("Ln 13,");
  await workbench.hint(/cumsum.*\d+% CPU/).waitFor();
  step("numbers at the hottest line");
  await workbench.screenshot("wheel-numbers");

  // The line that costs most goes.
  await page.keyboard.press("Control+Shift+KeyK");
  await page.keyboard.press("Control+KeyS");
  began = Date.now();
  await workbench.goToLine(11);
  await workbench.lens("Run again").locator("a", { hasText: "Run again" }).click();
  await expect(workbench.status()).toContainText(/−\d+\s?% since the last run/, running);
  step("the change");
  await workbench.hint(/relu.*\d+% XNNPACK/).waitFor();
  await workbench.screenshot("wheel-changed");
  console.log(`with the real wheel: ${steps.join(", ")}`);
});
