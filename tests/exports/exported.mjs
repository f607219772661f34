// SPDX-License-Identifier: Apache-2.0
// Exports of the examples, made once, and a browser to open them in.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, "../..");
export const executable = process.env.ETLENS ?? path.join(root, "build/release/bin/etlens");
export const out = path.join(here, "out");

// Without its record and its program.
const alone = path.join(out, "alone/run.etdp");
fs.mkdirSync(path.dirname(alone), { recursive: true });
fs.copyFileSync(path.join(root, "tests/data/v0.5/mlp-xnnpack/run_10.etdp"), alone);

// Name, what is asked for, and what a report compares with.
export const examples = [
  ["storyteller", ["examples/storyteller"]],
  ["storyteller-after", ["examples/storyteller-after"], ["examples/storyteller", ...[2, 3, 4].map((n) => `examples/storyteller-runs/run${n}.etdp`)]],
  ["leafnet-fp32", ["--root", "examples/leafnet", "--etdump", "examples/leafnet/fp32/model.etdp"]],
  ["leafnet-int8", ["--root", "examples/leafnet", "--etdump", "examples/leafnet/int8/model.etdp"], ["examples/leafnet/fp32"]],
  ["pricer", ["examples/pricer"]],
  ["dump-alone", ["--etdump", alone]],
];

export function write(name, form, suffix, args) {
  fs.mkdirSync(out, { recursive: true });
  const file = path.join(out, `${name}${suffix}`);
  execFileSync(executable, ["export", `--to=${form}`, "-o", file, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  return file;
}

const places = [process.env.CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

// undefined where there is none.
export function findBrowser() {
  return places.find((place) => place !== undefined && fs.existsSync(place));
}

export async function openBrowser() {
  return chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
}

// Waits as long as a machine that has other things to do may take.
export async function openContext(browser, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(600_000);
  return context;
}
