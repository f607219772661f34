// SPDX-License-Identifier: Apache-2.0
// What a new user wants to know: docs/usability.md says how many steps it takes in the editor, and which
// command line says the same. Both are done here, and both have to show the answer that stands there.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { copyOfExample, etlens, paths } from "../support/codeServer";
import { expect, test, type Workbench } from "./workbench";

const mostSteps = 3;

interface Task {
  steps: number;
  command: string[]; // behind `etlens`
  answers: string[];
}

// Rows "| task | steps in the editor | number | `etlens …` | `answer`, `answer` |".
function documented(): Map<string, Task> {
  const text = fs.readFileSync(path.join(paths.root, "docs/usability.md"), "utf8");
  const literals = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, literal = ""]) => literal);
  return new Map(
    [...text.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, task = "", steps, command = "", answers = ""]) => [
      task,
      { steps: Number(steps), command: (literals(command)[0] ?? "").split(" ").slice(1), answers: literals(answers) },
    ]),
  );
}

// The storyteller after its optimisation, and in "before" what was measured before.
function project(): string {
  const folder = copyOfExample("storyteller-after");
  const before = path.join(folder, "before");
  fs.mkdirSync(before);
  for (const [example, names] of [["storyteller", ["model.etdp", "model.etrecord", "model.pte"]], ["storyteller-runs", ["run2.etdp", "run3.etdp", "run4.etdp"]]] as const) {
    for (const name of names) fs.copyFileSync(path.join(paths.examples, example, name), path.join(before, name));
  }
  const then = Date.now() / 1000 - 600;
  for (const name of fs.readdirSync(before)) fs.utimesSync(path.join(before, name), then, then);
  return folder;
}

// One hand, which counts what it does.
class Hand {
  count = 0;
  constructor(private readonly page: Page) {}

  async press(key: string): Promise<void> {
    ++this.count;
    await this.page.keyboard.press(key);
  }
  async click(what: Locator): Promise<void> {
    ++this.count;
    await what.click();
  }
  // Until the pointer's words are there: a line that moves away from under it has to be found again.
  async rest(what: Locator, shown: Locator): Promise<void> {
    ++this.count;
    await expect(async () => {
      await this.page.mouse.move(5, 5);
      await what.hover();
      await shown.waitFor({ timeout: 5_000 });
    }).toPass();
  }
}

// Each leads to where the answer is on the screen.
type Way = (hand: Hand, workbench: Workbench, page: Page) => Promise<Locator[]>;

const icon = (page: Page) => page.locator('.activitybar .action-item a[aria-label^="etlens"]');
const entry = (page: Page, text: string | RegExp) => page.locator(".quick-input-widget .monaco-list-row", { hasText: text }).first();
const words = (workbench: Workbench, source: RegExp) => workbench.hint(source).locator("span span", { hasText: /\w/ }).first();
const hover = (page: Page) => page.locator(".monaco-hover:visible").filter({ has: page.locator("table") }).first();

async function fromMenu(hand: Hand, workbench: Workbench, page: Page, text: string): Promise<void> {
  await hand.click(workbench.status());
  await hand.click(entry(page, text));
}

const ways: Record<string, Way> = {
  "Find the hottest line": async (hand, workbench) => {
    await hand.press("Control+Alt+h");
    return [workbench.cursor(), workbench.hint(/torch\.bmm\(weights/)];
  },
  "Why is this line not delegated?": async (hand, workbench, page) => {
    await hand.rest(words(workbench, /variance = x/), hover(page));
    return [hover(page)];
  },
  "Which module costs most?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Flame Graph");
    // The widest frame of a module in the third row: below the model and its list of blocks.
    return [workbench.webview().locator('.frame.module[aria-level="3"]').first()];
  },
  "Which executions are odd?": async (hand, workbench, page) => {
    const said = page.locator(".monaco-hover:visible", { hasText: "on lines" }).first();
    await hand.rest(workbench.status(), said);
    return [said];
  },
  "How much memory at the peak, and which line holds it?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Memory Chart");
    return [workbench.webview().getByRole("heading", { level: 1 }), workbench.webview().getByRole("list", { name: "At the peak" }).getByRole("listitem").first()];
  },
  "Go from the most costly row of *Events* to its line": async (hand, workbench, page) => {
    await hand.click(icon(page));
    await hand.click(workbench.eventRows().first());
    return [workbench.eventRows().first(), workbench.cursor()];
  },
  "Which line inside a helper is the hottest?": async (hand, workbench, page) => {
    await hand.rest(words(workbench, /q = apply_rope/), hover(page));
    await hand.click(hover(page).getByRole("link", { name: "rope.py:15" }));
    return [page.locator(".tab.active"), workbench.cursor(), workbench.hint(/torch\.cat\(\[a/)];
  },
  "What should I do first?": async (hand, workbench, page) => {
    await hand.click(icon(page));
    return [workbench.rows("What to Do First").first()];
  },
  "Share a report": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Save Report…");
    await expect(page.locator(".quick-input-widget input").first()).toHaveValue(/model\.html$/);
    await hand.press("Enter");
    return [page.locator(".notifications-toasts .notification-list-item-message")];
  },
  "What changed against the runs before?": async (hand, workbench, page) => {
    await fromMenu(hand, workbench, page, "Compare With…");
    await hand.click(entry(page, /before.*4 dumps/));
    return [workbench.status()];
  },
};

test("ten questions of a new user, each answered in at most three steps", async ({ workbench, page }) => {
  const started = Date.now();
  const tasks = documented();
  expect([...tasks.keys()]).toEqual(Object.keys(ways));
  const folder = project();
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText("on lines");
  for (const [name, way] of Object.entries(ways)) {
    await test.step(name, async () => {
      const task = tasks.get(name);
      if (task === undefined) throw new Error("not documented");
      // The file is open alone, beside the files of the folder, with the line in sight that the question is about.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Shift+e");
      await page.locator(".tab", { hasText: "layers.py" }).first().click();
      await workbench.closeBeside();
      await workbench.goToLine(name.includes("helper") ? 49 : 1);
      const hand = new Hand(page);
      const shown = await way(hand, workbench, page);
      const text = async (where: Locator) => `${await where.innerText()} ${await workbench.painted(where)}`;
      const onScreen = async () => (await Promise.all(shown.map((where) => text(where).catch(() => "")))).join(" ").replaceAll("\u00a0", " ");
      for (const answer of task.answers) await expect.poll(onScreen, { message: `${name}: ${answer}`, timeout: 20_000 }).toContain(answer);
      expect(hand.count, name).toBe(task.steps);
      expect(hand.count, name).toBeLessThanOrEqual(mostSteps);

      const printed = spawnSync(etlens, task.command, { cwd: folder, encoding: "utf8" });
      expect(printed.status, printed.stderr).toBe(0);
      const said = [printed.stdout, ...fs.readdirSync(folder)].join("\n");
      for (const answer of task.answers) expect(said, task.command.join(" ")).toContain(answer);
    });
  }
  console.log(`measured: ten tasks in ${((Date.now() - started) / 1000).toFixed(0)} s`);
});
