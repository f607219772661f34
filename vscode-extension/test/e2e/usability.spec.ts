// SPDX-License-Identifier: Apache-2.0
// What a new user wants to know: docs/usability.md says how many steps it takes in the editor, and which
// command line says the same. Both are done here, and both have to show the answer that stands there.
import * as fs from "node:fs";
import * as path from "node:path";
import { copyOfExample, paths } from "../support/codeServer";
import { answer, begin, documented, entry, fromMenu, hover, icon, type Way, words } from "./hand";
import { expect, test } from "./workbench";

const mostSteps = 2;

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
  "Share a report": async (hand, _workbench, page) => {
    await hand.press("Control+Alt+s");
    await expect(page.locator(".quick-input-widget input").first()).toHaveValue(/model\.html$/);
    await hand.press("Enter");
    return [page.locator(".notifications-toasts .notification-list-item-message")];
  },
  "What changed against the runs before?": async (hand, workbench, page) => {
    await hand.press("Control+Alt+w");
    await hand.click(entry(page, /before.*4 dumps/));
    return [workbench.status()];
  },
};

test("ten questions of a new user, each answered in at most two steps", async ({ workbench, page }) => {
  const started = Date.now();
  const tasks = documented("Ten questions of a new user");
  expect([...tasks.keys()]).toEqual(Object.keys(ways));
  const folder = project();
  await workbench.open(folder, "layers.py");
  await expect(workbench.status()).toContainText("on lines");
  for (const [name, way] of Object.entries(ways)) {
    await test.step(name, async () => {
      await begin(workbench, page, "layers.py", name.includes("helper") ? 49 : 1);
      await answer(name, tasks.get(name), way, mostSteps, { workbench, page, folder });
    });
  }
  console.log(`measured: ten tasks in ${((Date.now() - started) / 1000).toFixed(0)} s`);
});
