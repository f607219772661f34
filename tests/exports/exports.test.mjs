// SPDX-License-Identifier: Apache-2.0
// speedscope's file against its published schema and in speedscope itself; pages in a browser, light, dark,
// narrow and on paper, with scripts switched off and under axe-core.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import Ajv from "ajv";
import { examples, executable, findBrowser, openBrowser, openContext, out, root, write } from "./exported.mjs";

const require = createRequire(import.meta.url);
const speedscope = path.join(path.dirname(require.resolve("speedscope/package.json")), "dist/release");
const skip = findBrowser() === undefined ? "no Chromium is installed: what it shows is not checked" : false;
// axe computes for seconds and waits for nothing: scripts/stress leaves it out of most rounds.
const axe = { skip: process.env.AXE === "0" ? "AXE=0 leaves it out" : false };

// Only with ETLENS_SCREENS=1: nothing checks them, and to draw a page without a graphics card takes long, or fails on a busy machine.
async function takePicture(page, name) {
  if (process.env.ETLENS_SCREENS !== "1") return;
  await page.waitForTimeout(500); // speedscope draws a little later
  await page.screenshot({ path: path.join(out, `${name}.png`), fullPage: true });
}

test("speedscope: the file is what its schema says", () => {
  const schema = JSON.parse(fs.readFileSync(path.join(speedscope, "file-format-schema.json"), "utf8"));
  const validate = new Ajv({ strict: false }).compile(schema);
  for (const [name, args] of examples) {
    const file = JSON.parse(fs.readFileSync(write(name, "speedscope", ".speedscope.json", args), "utf8"));
    assert.ok(validate(file), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

describe("in a browser", { skip }, () => {
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  // speedscope reads three of the forms; what it then shows of each. Of a trace it shows slices without a
  // length only where nothing else begins or ends: an example without such slices.
  for (const [form, suffix, of, shown, picture] of [
    ["speedscope", ".speedscope.json", "storyteller", "forward (model.py:", "Left Heavy"],
    ["pprof", ".pb.gz", "storyteller", "forward (model.py:", "Left Heavy"],
    ["chrome", ".trace.json", "pricer", "native_call_addmm.out", "Time Order"],
  ]) {
    test(`speedscope opens ${form}`, async () => {
      const [name, args] = examples.find(([example]) => example === of);
      const file = write(name, form, suffix, args);
      // As speedscope's own command does it: a script with the file, named behind the page's address.
      const script = `${file}.js`;
      const base64 = Buffer.from(fs.readFileSync(file)).toString("base64");
      fs.writeFileSync(script, `speedscope.loadFileFromBase64("${path.basename(file)}", "${base64}")`);
      const context = await openContext(browser, { viewport: { width: 1400, height: 800 } });
      const page = await context.newPage();
      const problems = [];
      page.on("pageerror", (error) => problems.push(error.message));
      // It says of slices that it cannot nest them, and no more.
      page.on("console", (message) => /Doing nothing|still open/.test(message.text()) && problems.push(message.text()));
      page.on("dialog", (dialog) => problems.push(dialog.message()) && dialog.dismiss());
      const address = pathToFileURL(path.join(speedscope, "index.html"));
      await page.goto(`${address}#localProfilePath=${pathToFileURL(script).pathname}`);
      await page.getByText(picture).click();
      await takePicture(page, `speedscope-${form}`);
      await page.getByText("Sandwich").click();
      await page.getByText(shown).first().waitFor();
      assert.deepEqual(problems.slice(0, 3), []);
      await context.close();
    });
  }

  // What axe finds with everything open that opens. Colours alone are others in the dark.
  async function violationsOf(file) {
    const context = await openContext(browser, { colorScheme: "light", bypassCSP: true, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(String(pathToFileURL(file)));
    await page.locator("details").evaluateAll((all) => all.forEach((details) => (details.open = true)));
    await page.addScriptTag({ path: require.resolve("axe-core") });
    const found = [];
    for (const [colorScheme, only] of [["light", {}], ["dark", { runOnly: ["color-contrast"] }]]) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await page.evaluate((options) => globalThis.axe.run(options), { resultTypes: ["violations"], ...only });
      for (const { id, nodes } of violations) found.push(`${colorScheme}: ${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
    }
    await context.close();
    return found;
  }

  test("page of the program graph, light and dark: no violation of accessibility", axe, async () => {
    const file = path.join(out, "storyteller-graph.html");
    execFileSync(executable, ["graph", "--format", "html", "-o", file, "examples/storyteller/model.pte"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    assert.deepEqual(await violationsOf(file), []);
  });

  for (const [name, args, base = []] of examples) {
    const wanted = base.length === 0 ? args : [...args, "--base", ...base];
    test(`report of ${name}, light and dark: no violation of accessibility`, axe, async () => {
      assert.deepEqual(await violationsOf(write(name, "html", ".html", wanted)), []);
    });

    test(`report of ${name}: readable without scripts and network, narrow and on paper`, async () => {
      const file = write(name, "html", ".html", wanted);
      const shots = [
        ["light", { colorScheme: "light", viewport: { width: 1280, height: 900 } }],
        ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 900 } }],
        ["narrow", { colorScheme: "light", viewport: { width: 400, height: 800 } }],
      ];
      for (const [shot, options] of shots) {
        const context = await openContext(browser, { ...options, javaScriptEnabled: false, offline: true });
        const page = await context.newPage();
        const requests = [];
        page.on("request", (request) => requests.push(request.url()));
        await page.goto(String(pathToFileURL(file)));
        assert.equal(await page.locator("h1").isVisible(), true);
        assert.equal(requests.length, 1, requests.join());
        await takePicture(page, `${name}-${shot}`);
        await context.close();
      }
      const context = await openContext(browser);
      const page = await context.newPage();
      await page.goto(String(pathToFileURL(file)));
      // Nothing but what scrolls for itself is wider than the screen.
      await page.setViewportSize({ width: 400, height: 800 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400);
      await page.pdf({ path: path.join(out, `${name}.pdf`), format: "A4" });
      await context.close();
    });

    for (const [picture, more] of [["flame", []], ["memory", ["--measure=memory"]]]) {
      // There is no program to a dump alone.
      if (picture === "memory" && name === "dump-alone") continue;
      test(`${picture} picture of ${name}: a browser draws it`, async () => {
        const file = write(name, "svg", `-${picture}.svg`, [...args, ...more]);
        for (const colorScheme of ["light", "dark"]) {
          const context = await openContext(browser, { colorScheme, viewport: { width: 1200, height: 500 } });
          const page = await context.newPage();
          await page.goto(String(pathToFileURL(file)));
          assert.ok((await page.locator("svg g rect").count()) > 1);
          // As an image of a page.
          const around = `${file}.html`;
          fs.writeFileSync(around, `<!DOCTYPE html><body style="margin:0"><img src="${path.basename(file)}" alt="">`);
          await page.goto(String(pathToFileURL(around)));
          assert.equal(await page.locator("img").evaluate((image) => image.naturalWidth), 1200);
          await takePicture(page, `${name}-${picture}-${colorScheme}`);
          await context.close();
        }
      });
    }
  }
});
