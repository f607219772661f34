// SPDX-License-Identifier: Apache-2.0
// From a class to numbers: the lens, the inputs, the task, the hottest line. `etlens profile` is one of the test here: the
// real one needs ExecuTorch and a minute (tests/executorch).
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, etlens, temporaryFolder } from "../support/codeServer";
import { expect, hottest, test } from "./workbench";

// Answers `profile` from files of this folder; everything else is the real server's.
const answers = temporaryFolder("profile");
const calls = path.join(answers, "calls");
const fake = path.join(answers, "etlens");
fs.writeFileSync(
  fake,
  `#!/bin/sh
[ "$1" = profile ] || exec '${etlens}' "$@"
echo "$*" >> '${calls}'
case "$*" in *" --probe "*) exec cat '${answers}/probe.json';; esac
echo "etlens: exporting …"
[ -e '${answers}/slow' ] && { trap 'kill $!; sleep 3; exit 1' HUP TERM; sleep 600 & wait; }
[ -e '${answers}/fails' ] && { echo "etlens: lowering: no kernel for aten.foo"; exit 1; }
echo "etlens: running …"
folder=$(cat '${answers}/folder')
echo "# script" >> "$folder/profile_storyteller.py"
cp '${answers}'/model.* "$folder"
`,
  { mode: 0o755 },
);

const callsSince = (first: number) =>
  (fs.existsSync(calls) ? fs.readFileSync(calls, "utf8") : "").trim().split("\n").slice(first);
const countOfCalls = () => callsSince(0).filter((call) => call !== "").length;

// The sources of an example without its artifacts, which a run of the fake makes.
function modelFolder(probe: object): string {
  const folder = copyOfExample("storyteller");
  for (const name of ["model.etdp", "model.etrecord", "model.pte"]) fs.renameSync(path.join(folder, name), path.join(answers, name));
  fs.writeFileSync(path.join(answers, "folder"), folder);
  const answer = {
    schema: "etlens/profile-probe@1",
    model: path.join(folder, "model.py"),
    class_name: "Storyteller",
    script: path.join(folder, "profile_storyteller.py"),
    script_exists: false,
    problems: [],
    needs_inputs: true,
    inputs: [{ name: "tokens", guess: "1x64:int64", from: "layer", source: "the layer embed (Embedding)" }],
    dump: path.join(folder, "model.etdp"),
    ...probe,
  };
  fs.writeFileSync(path.join(answers, "probe.json"), JSON.stringify(answer));
  for (const name of ["slow", "fails"]) fs.rmSync(path.join(answers, name), { force: true });
  return folder;
}

// What terminals show is text of the page only without a graphics card.
test.use({ machine: { "etlens.server.path": fake }, settings: { "terminal.integrated.gpuAcceleration": "off" } });

test("a lens profiles the model: its inputs, a task, the hottest line; then again", async ({ workbench, page }) => {
  const folder = modelFolder({});
  const before = countOfCalls();
  await workbench.open(folder, "model.py");
  const lens = workbench.lens("Profile this model");
  await lens.waitFor();
  // Block is made by Storyteller: one lens.
  await expect(page.locator(".codelens-decoration", { hasText: "Profile this model" })).toHaveCount(1);
  await workbench.screenshot("profile-lens");
  await lens.locator("a", { hasText: "Profile this model" }).click();

  const input = page.locator(".quick-input-widget input").first();
  await expect(input).toHaveValue("1x64:int64");
  await expect(page.locator(".quick-input-widget")).toContainText("Input 1 of 1 of Storyteller: tokens");
  await expect(page.locator(".quick-input-widget")).toContainText("From the layer embed (Embedding)");
  await input.fill("64 tokens");
  await expect(page.locator(".quick-input-widget")).toContainText("A shape such as 1x3x224x224");
  await input.fill("1x128:int64");
  await workbench.pictures(folder, "profile");
  await input.press("Enter");
  await expect(workbench.status()).toContainText("on lines");
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await workbench.hint(hottest).waitFor();
  await expect(workbench.message("profile_storyteller.py ran the model")).toBeVisible();
  await workbench.screenshot("profile-shown");
  const model = `${path.join(folder, "model.py")}:Storyteller`;
  expect(callsSince(before)).toEqual([`profile ${model} --probe --json`, `profile ${model} --input 1x128:int64 --yes`]);
  await workbench.message("profile_storyteller.py ran the model").getByRole("button", { name: "Open Script" }).click();
  await expect(page.locator(".tab.active")).toContainText("profile_storyteller.py");

  // The root of the record has the lens that does it again, with the same inputs.
  await workbench.open(folder, "model.py");
  await expect(workbench.status()).toContainText("on lines");
  await workbench.goToLine(36);
  await workbench.lens("Run again").locator("a", { hasText: "Run again" }).click();
  await expect.poll(() => callsSince(before).length).toBe(3);
  expect(callsSince(before)[2]).toBe(`profile ${model} --input 1x128:int64 --yes`);
  await expect(workbench.cursor()).toContainText("Ln 43,");
  // A script that changed is looked at first.
  fs.appendFileSync(path.join(folder, "profile_storyteller.py"), "# other inputs\n");
  const probe = JSON.parse(fs.readFileSync(path.join(answers, "probe.json"), "utf8")) as object;
  fs.writeFileSync(path.join(answers, "probe.json"), JSON.stringify({ ...probe, script_exists: true, needs_inputs: false, inputs: [] }));
  await workbench.command("Run Again");
  await expect.poll(() => callsSince(before).slice(3)).toEqual([`profile ${model} --probe --json`, `profile ${model} --yes`]);
});

test("each save runs the model again, with the setting", async ({ workbench, page }) => {
  const folder = modelFolder({ needs_inputs: false, inputs: [] });
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "etlens.runAgain.onSave": true }));
  await workbench.open(folder, "model.py");
  await workbench.lens("Profile this model").locator("a", { hasText: "Profile this model" }).click();
  await expect(workbench.cursor()).toContainText("Ln 43,");
  await workbench.hint(hottest).waitFor();
  const before = countOfCalls();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# x\n");
  await page.keyboard.press("Control+s");
  await expect.poll(() => callsSince(before)).toEqual([`profile ${path.join(folder, "model.py")}:Storyteller --yes`]);
});

test("before anything runs, a message names what is missing and the command that mends it", async ({ workbench, page }) => {
  const command = "python3 -m pip install executorch";
  const problem = { id: "executorch", text: "ExecuTorch is not installed.", remedy: "install it with pip", command, stops: true };
  const folder = modelFolder({ problems: [problem] });
  const before = countOfCalls();
  await workbench.open(folder, "model.py");
  await workbench.lens("Profile this model").waitFor();
  await workbench.command("Profile My Model");
  const message = workbench.message("ExecuTorch is not installed. Install it with pip.");
  await message.waitFor();
  await workbench.screenshot("profile-problem");
  await message.getByRole("button", { name: "Write Command to Terminal" }).click();
  await expect(page.locator(".xterm-rows").first()).toContainText("pip install executorch");
  expect(callsSince(before).length).toBe(1);
});

test("a run that fails says where to look, one that is cancelled says nothing", async ({ workbench, page }) => {
  const folder = modelFolder({ needs_inputs: false, inputs: [] });
  fs.writeFileSync(path.join(answers, "fails"), "");
  await workbench.open(folder, "model.py");
  await workbench.lens("Profile this model").waitFor();
  await workbench.command("Profile My Model");
  const failed = workbench.message("Storyteller was not profiled; the terminal shows why");
  await failed.waitFor();
  await workbench.screenshot("profile-failed");
  fs.rmSync(path.join(answers, "fails"));
  fs.writeFileSync(path.join(answers, "slow"), "");
  await workbench.anyCommand("Notifications: Clear All Notifications");
  await workbench.command("Run Again");
  const running = workbench.message("running Storyteller");
  await running.getByRole("button", { name: "Cancel" }).click();
  await expect(running).toHaveCount(0);
  await expect(failed).toHaveCount(0);
  // It can be run again at once, though its process takes a while to end.
  fs.rmSync(path.join(answers, "slow"));
  await workbench.command("Run Again");
  await expect(workbench.status()).toContainText("on lines");
  await expect(page.locator(".notifications-toasts .notification-list-item", { hasText: "is running" })).toHaveCount(0);
});
