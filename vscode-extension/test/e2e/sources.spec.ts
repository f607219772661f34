// SPDX-License-Identifier: Apache-2.0
// Which file is the one that was recorded: in Python's environments, elsewhere on the machine, below a link, among copies, formatted.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, temporaryFolder } from "../support/codeServer";
import { movePaths } from "../support/record";
import { expect, hottest, test, type Workbench } from "./workbench";

test.use({ beside: ["python", "formatter"].map((name) => path.join(__dirname, "beside", name)) });

const packages = "lib/python3.12/site-packages";
const recorded = `/opt/py/${packages}`;
// What costs most in the package, with its hint.
const hottestInstalled = /F\.relu\(self\.bn.*\d% XNNPACK/;

// A project whose model is a package that was installed where it was exported: `sources` is the package, which is not here yet.
function projectOfPackage(): { folder: string; sources: string } {
  const example = copyOfExample("convnet");
  movePaths(path.join(example, "model.etrecord"), "/home/user/edge-models", recorded);
  const sources = path.join(temporaryFolder("sources"), "convnet");
  fs.cpSync(path.join(example, "convnet"), sources, { recursive: true });
  fs.rmSync(path.join(example, "convnet"), { recursive: true });
  fs.writeFileSync(path.join(example, "run.py"), "from convnet import build, sample_inputs\n\nprint(build()(*sample_inputs()))\n");
  return { folder: example, sources };
}

// As `python -m venv` and pip leave it. Answers its interpreter.
function install(sources: string, environment: string): string {
  const interpreter = path.join(environment, "bin/python");
  fs.mkdirSync(path.dirname(interpreter), { recursive: true });
  fs.writeFileSync(interpreter, "");
  fs.writeFileSync(path.join(environment, "pyvenv.cfg"), "home = /usr/bin\nversion = 3.12.3\n");
  fs.cpSync(sources, path.join(environment, packages, "convnet"), { recursive: true });
  return interpreter;
}

const settingsFile = (folder: string) => path.join(folder, ".vscode/settings.json");

function settingsOf(folder: string): unknown {
  const file = settingsFile(folder);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
}

async function openHottestEvent(workbench: Workbench): Promise<void> {
  await workbench.only("Events");
  await workbench.eventRows().filter({ hasText: "blocks.py:16" }).first().click();
}

async function seeInstalled(workbench: Workbench, file: string): Promise<void> {
  await expect.poll(() => workbench.openPath()).toBe(file);
  await workbench.hint(hottestInstalled).waitFor();
}

test("an installed package is found in the environment below the workspace", async ({ workbench }) => {
  const { folder, sources } = projectOfPackage();
  install(sources, path.join(folder, ".venv"));
  await workbench.open(folder, "run.py");
  await openHottestEvent(workbench);
  await seeInstalled(workbench, `.venv/${packages}/convnet/blocks.py`);
  await workbench.screenshot("package-in-workspace");
});

test("an installed package is found in the environment that the Python extension names", async ({ workbench }) => {
  const { folder, sources } = projectOfPackage();
  const environment = temporaryFolder("environment");
  const interpreter = install(sources, environment);
  await workbench.open(folder, "run.py");
  await openHottestEvent(workbench);
  const missing = workbench.message("blocks.py was not found here");
  await missing.waitFor();
  await workbench.screenshot("package-not-found");
  // As soon as it is chosen.
  fs.mkdirSync(path.join(folder, ".vscode"));
  fs.writeFileSync(settingsFile(folder), JSON.stringify({ "python.defaultInterpreterPath": interpreter }));
  await expect(async () => {
    await openHottestEvent(workbench);
    await expect.poll(() => workbench.openPath(), { timeout: 3_000 }).toContain("blocks.py");
  }).toPass();
  await seeInstalled(workbench, `${environment.slice(1)}/${packages}/convnet/blocks.py`);
  await workbench.screenshot("package-in-environment");
});

test("Locate File… shows where a file is, and its neighbours", async ({ workbench, page }) => {
  const { folder, sources } = projectOfPackage();
  await workbench.open(folder, "run.py");
  await openHottestEvent(workbench);
  const missing = workbench.message(`${recorded}/convnet/blocks.py was not found here.`);
  await missing.getByRole("button", { name: "Locate File…" }).click();
  const dialog = page.locator(".quick-input-widget", { hasText: "Where Is blocks.py?" });
  await expect(dialog.locator(".monaco-list-row")).toContainText(["..", "run.py"]);
  await dialog.locator("input").first().fill(path.join(sources, "blocks.py"));
  await expect(dialog.locator(".monaco-list-row", { hasText: "head.py" })).toBeVisible();
  await workbench.screenshot("locate-file");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const mappings: unknown = { "etlens.pathMappings": [{ from: recorded, to: path.dirname(sources) }] };
  await expect.poll(() => settingsOf(folder)).toEqual(mappings);
  await seeInstalled(workbench, path.join(sources, "blocks.py").slice(1));
  await workbench.screenshot("located");
  // What lies beside it is found as well.
  await workbench.eventRows().filter({ hasText: "head.py:12" }).first().click();
  await workbench.hint(/x\.amax.*\d% CPU/).waitFor();
  expect(await workbench.openPath()).toBe(path.join(sources, "head.py").slice(1));
});

test("a workspace that is opened through a symbolic link has its hints, and so has a file that alone is", async ({ workbench }) => {
  const folder = copyOfExample("storyteller");
  // Exported right here: the recorded paths lead to the files, but not by the link.
  movePaths(path.join(folder, "model.etrecord"), "/home/user/storyteller", folder);
  const link = path.join(temporaryFolder("home"), "net");
  fs.symlinkSync(folder, link);
  await workbench.open(link, "layers.py");
  await workbench.goToLine(43);
  await workbench.hint(hottest).waitFor();
  await workbench.screenshot("symbolic-link");
  await workbench.open(folder, path.join(link, "layers.py"));
  await workbench.goToLine(43);
  await workbench.hint(hottest).waitFor();
  expect(await workbench.openPath()).toBe(path.join(link, "layers.py").slice(1));
});

test("of a source and its copy the one beside the other sources has the hints", async ({ workbench }) => {
  const folder = copyOfExample("storyteller");
  fs.mkdirSync(path.join(folder, "old"));
  fs.copyFileSync(path.join(folder, "layers.py"), path.join(folder, "old/layers.py"));
  await workbench.open(folder, "old/layers.py");
  await workbench.lens("no numbers: they are in layers.py, which this is a copy of").waitFor();
  expect(await workbench.hints(path.join(folder, "old/layers.py"))).toEqual(new Map());
  await workbench.screenshot("copy");
  await workbench.only("Events");
  await workbench.eventRows().first().click();
  await workbench.hint(hottest).waitFor();
  expect(await workbench.openPath()).toBe("layers.py");
});

test("hints stay when a formatter or another extension replaces the whole text", async ({ workbench, page }) => {
  // Everything in sight, also of what is written over more lines.
  await page.setViewportSize({ width: 1400, height: 2000 });
  const folder = await workbench.openExample("storyteller", "layers.py");
  const file = path.join(folder, "layers.py");
  const source = fs.readFileSync(file, "utf8");
  const replace = async (command: string): Promise<void> => {
    // The formatter may start later than the editor.
    await expect(async () => {
      await workbench.anyCommand(command);
      await workbench.hint(/q = apply_rope\((?!self)/).waitFor({ timeout: 15_000 });
    }).toPass();
    await page.keyboard.press("Control+s");
    await expect.poll(() => fs.readFileSync(file, "utf8")).not.toBe(source);
    await expect.poll(async () => [...(await workbench.hints(file)).values()].sort()).toEqual([...before.values()].sort());
  };
  await workbench.hint(hottest).waitFor();
  const before = await workbench.hints(file);
  expect(before.size).toBeGreaterThan(15);
  await replace("Format Document");
  // On the first of its lines, once the server has answered: until then hints move with the text.
  const line = fs.readFileSync(file, "utf8").split("\n").indexOf("    q = apply_rope(") + 1;
  await expect.poll(async () => (await workbench.hints(file)).get(line)).toBe(before.get(source.split("\n").findIndex((text) => text.includes("q = apply_rope(")) + 1));
  const after = await workbench.hints(file);
  await workbench.screenshot("formatted");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+s");
  await expect.poll(() => fs.readFileSync(file, "utf8")).toBe(source);
  await expect.poll(() => workbench.hints(file)).toEqual(before);
  await replace("Replace the Whole Text");
  await expect.poll(() => workbench.hints(file)).toEqual(after);
});
