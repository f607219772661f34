// SPDX-License-Identifier: Apache-2.0
// A person with a question: docs/usability.md has its steps in the editor, the command line that prints the same, and the answer. The
// steps are counted, and the answer has to be on the screen and in what the command prints.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { etlens, paths } from "../support/codeServer";
import { expect, type Workbench } from "./workbench";

interface Task {
  steps: number;
  command: string[]; // behind `etlens`
  answers: string[];
}

// Rows "| question | steps in the editor | number | `etlens …` | `answer`, `answer` |" below this heading.
export function documented(heading: string): Map<string, Task> {
  const text = fs.readFileSync(path.join(paths.root, "docs/usability.md"), "utf8");
  const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const literals = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, literal = ""]) => literal);
  return new Map(
    [...section.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, task = "", steps, command = "", answers = ""]) => [
      task,
      { steps: Number(steps), command: (literals(command)[0] ?? "").split(" ").slice(1), answers: literals(answers) },
    ]),
  );
}

// One hand, which counts what it does.
export class Hand {
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
export type Way = (hand: Hand, workbench: Workbench, page: Page) => Promise<Locator[]>;

export const icon = (page: Page) => page.locator('.activitybar .action-item a[aria-label^="etlens"]');
export const entry = (page: Page, text: string | RegExp) => page.locator(".quick-input-widget .monaco-list-row", { hasText: text }).first();
export const words = (workbench: Workbench, source: RegExp) => workbench.hint(source).locator("span span", { hasText: /\w/ }).first();
export const hover = (page: Page) => page.locator(".monaco-hover:visible").filter({ has: page.locator("table") }).first();

export async function fromMenu(hand: Hand, workbench: Workbench, page: Page, text: string): Promise<void> {
  await hand.click(workbench.status());
  await hand.click(entry(page, text));
}


// What the editor has to be like before a question: its file open alone, beside the files of the folder, the line in sight.
export async function begin(workbench: Workbench, page: Page, file: string, line: number): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+e");
  await page.locator(".tab", { hasText: file }).first().click();
  await workbench.closeBeside();
  await workbench.goToLine(line);
}

// Goes the way, and compares what is there with the page. `statuses`: of the command, if the question is answered.
export async function answer(name: string, task: Task | undefined, way: Way, most: number, { workbench, page, folder, statuses = [0] }: { workbench: Workbench; page: Page; folder: string; statuses?: number[] }): Promise<void> {
  if (task === undefined) throw new Error(`${name} is not documented`);
  const hand = new Hand(page);
  const shown = await way(hand, workbench, page);
  const text = async (where: Locator) => `${await where.innerText()} ${await workbench.painted(where)}`;
  const onScreen = async () => (await Promise.all(shown.map((where) => text(where).catch(() => "")))).join(" ").replaceAll("\u00a0", " ");
  for (const answer of task.answers) await expect.poll(onScreen, { message: `${name}: ${answer}`, timeout: 20_000 }).toContain(answer);
  expect(hand.count, name).toBe(task.steps);
  expect(hand.count, name).toBeLessThanOrEqual(most);

  const printed = spawnSync(etlens, task.command, { cwd: folder, encoding: "utf8" });
  expect(statuses, printed.stderr).toContain(printed.status);
  const said = [printed.stdout, ...fs.readdirSync(folder)].join("\n");
  for (const answer of task.answers) expect(said, task.command.join(" ")).toContain(answer);
}
