// SPDX-License-Identifier: Apache-2.0
// What somebody wants to know who changes a model and runs it again, every day (docs/usability.md): two steps each.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { gunzipSync } from "node:zlib";
import { copyOfExample, etlens, paths, temporaryFolder } from "../support/codeServer";
import { answer, begin, documented, fromMenu, hover, icon, type Way, words } from "./hand";
import { expect, test } from "./workbench";

const mostSteps = 2;
const heading = "Ten questions of every day";

function git(folder: string, ...args: string[]): void {
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "pipe" });
}

// The storyteller on a branch, after its optimisation. Stored: the run of main on the day before, and one of this morning.
function project(): string {
  const folder = copyOfExample("storyteller-after");
  const artifacts = ["model.etdp", "model.etrecord", "model.pte"];
  const keep = temporaryFolder("after");
  const put = (from: string, name: string, to = name) => fs.copyFileSync(path.join(from, name), path.join(folder, to));
  const store = (time: string) => {
    for (const name of artifacts) fs.utimesSync(path.join(folder, name), new Date(time), new Date(time));
    execFileSync(etlens, ["runs", "--store"], { cwd: folder, stdio: "pipe" });
  };
  for (const name of artifacts) fs.copyFileSync(path.join(folder, name), path.join(keep, name));
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "layers.py");
  git(folder, "commit", "-q", "-m", "model");
  for (const name of artifacts) put(path.join(paths.examples, "storyteller"), name);
  store("2026-11-20T12:00:00Z");
  git(folder, "checkout", "-q", "-b", "topic");
  put(path.join(paths.examples, "storyteller-runs"), "run2.etdp", "model.etdp");
  store("2026-11-21T11:00:00Z");
  for (const name of artifacts) put(keep, name);
  store("2026-11-21T12:00:00Z");
  fs.writeFileSync(path.join(folder, "etlens.toml"), '[budget]\ncpu_operators = ["aten_arange*", "aten_unsqueeze*", "aten_gt*", "scalar_tensor", "aten_where*", "aten_embedding*", "aten_split*"]\npeak_memory = "2 MB"\nfile_size = "1 MB"\n');
  return folder;
}

// A language model's prefill and decoding. Of the source, the line that the record has.
function languageModel(): string {
  const folder = temporaryFolder("groups");
  const data = path.join(paths.root, "tests/data/llm-cache");
  fs.writeFileSync(path.join(folder, "model.etdp"), gunzipSync(fs.readFileSync(path.join(data, "model.etdp.gz"))));
  fs.copyFileSync(path.join(data, "model.etrecord"), path.join(folder, "model.etrecord"));
  const above = ["class FeedForward(nn.Module):", ...Array<string>(13).fill(""), "    def forward(self, x):"];
  fs.writeFileSync(path.join(folder, "feed_forward.py"), [...above, "        return self.w2(F.silu(self.w1(x)) * self.w3(x))", ""].join("\n"));
  return folder;
}

const ways: Record<string, Way> = {
  "What changed since yesterday?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "What Changed Since 2026-11-20");
    return [workbench.rows("Since the Baseline").first()];
  },
  "What changed since main?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "What Changed Since main");
    return [workbench.rows("Since the Baseline").first()];
  },
  "Is this run slower than the best?": async (hand, workbench, page) => {
    const said = page.locator(".monaco-hover:visible", { hasText: "against the best run" }).first();
    await hand.rest(workbench.status(), said);
    return [said];
  },
  "Which line broke the budget?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Check Budgets");
    return [page.locator(".quick-input-widget")];
  },
  "What left the delegate?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Check Budgets");
    return [page.locator(".quick-input-widget")];
  },
  "Which operators run on the CPU, and why?": async (hand, workbench, page) => {
    await hand.click(icon(page));
    await hand.click(page.locator('.sidebar .pane-header[aria-label^="Not Delegated"]'));
    return [workbench.rows("Not Delegated").first()];
  },
  "How long does a cold start take?": async (hand, workbench, page) => {
    const said = page.locator(".monaco-hover:visible", { hasText: "cold start" }).first();
    await hand.rest(workbench.status(), said);
    return [said];
  },
  "Where do the bytes of the file go?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Size of the Program");
    return [workbench.webview().locator("main")];
  },
  "How much of the time is noise?": async (hand, workbench, page) => {
    const said = page.locator(".monaco-hover:visible", { hasText: "on lines" }).first();
    await hand.rest(workbench.status(), said);
    return [said];
  },
};

test("questions of every day, each answered in at most two steps; from a violated budget to its line and to the policy", async ({ workbench, page }) => {
  const tasks = documented(heading);
  expect([...tasks.keys()]).toEqual([...Object.keys(ways), "What does this line cost per group?"]);
  const folder = project();
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText("−42% since the last run");
  for (const [name, way] of Object.entries(ways)) {
    await test.step(name, async () => {
      await begin(workbench, page, "layers.py", 1);
      const isOfBudget = tasks.get(name)?.command[0] === "gate";
      await answer(name, tasks.get(name), way, mostSteps, { workbench, page, folder, statuses: [isOfBudget ? 3 : 0] });
      await workbench.screenshot(`daily-${name.replaceAll(/\W+/g, "-").toLowerCase()}`);
    });
  }

  await test.step("a violated budget leads to its line, and the policy is a row away; without a policy, one sentence", async () => {
    await begin(workbench, page, "layers.py", 1);
    const rows = page.locator(".quick-input-widget .monaco-list-row");
    await workbench.command("Check Budgets");
    await expect(rows.first()).toContainText("cpu_operators, violated");
    await rows.filter({ hasText: "layers.py:17" }).first().click();
    await expect(workbench.cursor()).toContainText("Ln 17,");
    await workbench.command("Check Budgets");
    await rows.filter({ hasText: "file_size, kept" }).click();
    await expect(page.locator(".tab.active")).toContainText("etlens.toml");
    await expect(workbench.cursor()).toContainText("Ln 4,");
    fs.rmSync(path.join(folder, "etlens.toml"));
    await workbench.command("Check Budgets");
    await workbench.message(/etlens\.toml/).waitFor();
    await workbench.screenshot("budgets-none");
  });
});

test("what a line costs per group, in one step", async ({ workbench, page }) => {
  const folder = languageModel();
  const name = "What does this line cost per group?";
  await workbench.open(folder, "feed_forward.py");
  await expect(workbench.status()).toContainText("375 µs typical");
  await begin(workbench, page, "feed_forward.py", 16);
  const way: Way = async (hand) => {
    await hand.rest(words(workbench, /return self\.w2/), hover(page));
    return [hover(page)];
  };
  await answer(name, documented(heading).get(name), way, mostSteps, { workbench, page, folder });
  await workbench.screenshot("daily-groups");
});
