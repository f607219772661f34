// SPDX-License-Identifier: Apache-2.0
// The program graph: nodes of the command line, groups, search, keys, to the line and from it, themes.
import { cli, expect, test } from "./workbench";

interface CliGraph {
  nodes: { id: number; kind: string; op: string | null; group: number | null; line: number | null; recorded_path: string | null; call: number | null }[];
}

test("program graph: nodes, groups, search, to the line and from it; in every theme, and what axe says", async ({ workbench, page }) => {
  const folder = await workbench.openExample("storyteller", "layers.py");
  await workbench.goToLine(1);
  await workbench.command("Program Graph");
  const graph = workbench.webview();
  const boxes = graph.getByRole("treeitem");
  await boxes.first().waitFor();
  const { nodes } = cli("graph", folder) as CliGraph;
  const outer = nodes.filter(({ group, kind }) => group === null && kind !== "constant").length;
  await expect(boxes).toHaveCount(outer);
  await expect(graph.getByRole("heading", { level: 1 })).toHaveText(/^model\.pte, forward: \d+ instructions, \d+ delegate calls with \d+ operators, \d+ edges$/);
  await expect(graph.locator("#links path")).not.toHaveCount(0);
  await page.mouse.move(700, 4);
  await workbench.pictures(folder, "program-graph");

  // A delegate call opens at a click, and closes with the key.
  const call = graph.getByRole("treeitem", { name: /^6: XNNPACK #1,/ });
  await expect(call).toHaveAttribute("aria-expanded", "false");
  await call.click({ position: { x: 8, y: 8 } });
  const inner = nodes.filter(({ group }) => group === nodes.find(({ call: number }) => number === 1)?.id).length;
  await expect(boxes).toHaveCount(outer + inner);
  await expect(call).toHaveAttribute("aria-expanded", "true");
  await workbench.screenshot("program-graph-open");
  const square = graph.getByRole("treeitem", { name: /^Square, .*layers\.py:17/ }).first();
  await expect(square).toHaveAttribute("aria-level", "2");
  await expect(call).toBeFocused();
  await page.keyboard.press(" ");
  await expect(boxes).toHaveCount(outer);

  // The search opens the groups that hold what it finds.
  const search = graph.getByRole("searchbox", { name: "Search" });
  await search.fill("softmax");
  await expect(graph.locator("#found")).toHaveText(/^\d+ found$/);
  await search.press("Enter");
  await expect(graph.locator("#found")).toHaveText(/^1 of \d+$/);
  await expect(graph.locator(".box[aria-selected='true']")).toHaveAttribute("aria-label", /softmax/i);
  await search.fill("nothing of this name");
  await expect(graph.locator("#found")).toHaveText("nothing found");
  await search.fill("");

  // Constants are boxes where they are asked for.
  await graph.getByRole("checkbox", { name: "Constants" }).check();
  await expect(graph.getByRole("treeitem", { name: /^constant embed\.weight/ })).toHaveCount(1);
  await graph.getByRole("checkbox", { name: "Constants" }).uncheck();

  // Keys: along the edges, and to the source.
  await graph.getByRole("button", { name: "Close Groups" }).click();
  await expect(boxes).toHaveCount(outer);
  const kernel = graph.getByRole("treeitem", { name: /^0: aten::arange\.start_out/ });
  await kernel.focus();
  await page.keyboard.press("ArrowDown");
  const focused = graph.locator(".box:focus");
  await expect(focused).not.toHaveAttribute("aria-label", /arange/);
  await page.keyboard.press("ArrowUp");
  await expect(focused).toHaveAttribute("aria-label", /arange/);
  await page.keyboard.press("Enter");
  await expect(workbench.cursor()).toContainText("Ln 48,");
  await expect(page.locator(".tab.active", { hasText: "model.py" })).toHaveCount(1);
  // The picture stays in sight beside it.
  await expect(graph.getByRole("heading", { level: 1 })).toBeVisible();

  // From a line: its nodes, in the delegate call that runs them.
  await workbench.goToLine(48);
  await workbench.command("Show This Line in the Program Graph");
  await expect(graph.locator(".box[aria-selected='true']")).toHaveAttribute("aria-label", /model\.py:48/);

  await page.locator(".tab", { hasText: "layers.py" }).click();
  await workbench.goToLine(17);
  await workbench.command("Show This Line in the Program Graph");
  await expect(graph.locator(".box[aria-selected='true']")).toHaveAttribute("aria-label", /layers\.py:17/);
  await expect(graph.locator(".box.group")).not.toHaveCount(0);
  await page.mouse.move(700, 4);
  await workbench.inThemes(folder, async (name) => {
    await workbench.screenshot(`program-graph-${name}`);
    expect(await workbench.accessibilityProblems()).toEqual([]);
  });
});
