// SPDX-License-Identifier: Apache-2.0
// What the tests in the browser share: one code-server with the packaged extension, and the editor's
// window as a person sees it.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page, selectors, test as base } from "@playwright/test";
import axe from "axe-core";
import { patience, viewport } from "../../playwright.config";
import { copyOfExample, etlens, paths, type Running, startCodeServer, vsix } from "../support/codeServer";

const screens = path.join(paths.extension, "out/screens");
const wantScreens = process.env["ETLENS_SCREENS"] === "1";

// As VS Code marks the frame of a page that is a view, and no tab.
const viewFrame = "iframe.webview[src*='purpose=webviewView']";

// The hottest line of the storyteller's layers.py, with its hint.
export const hottest = /weights @ v.*\d% XNNPACK/;

// By the file that VS Code names in the class of its window.
type Theme = readonly [name: string, file: string];
const dark: Theme = ["Dark Modern", "dark_modern"];
const light: Theme = ["Light Modern", "light_modern"];
const themes: readonly Theme[] = [dark, light, ["Default High Contrast", "hc_black"], ["Default High Contrast Light", "hc_light"]];

// Runs in the page: the text of an element with what style sheets put before and after its parts.
function paintedText(line: Element): string {
  const content = (element: Element, part: "::before" | "::after") => {
    const text = getComputedStyle(element, part).content;
    return text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\])/g, "$1") : "";
  };
  const read = (node: Node): string => {
    if (!(node instanceof Element)) return node.textContent ?? "";
    return content(node, "::before") + [...node.childNodes].map(read).join("") + content(node, "::after");
  };
  return read(line);
}

// `painted=PATTERN`: lines of editors whose painted text fits.
const painted = `(() => {
  const paintedText = ${paintedText.toString()};
  const queryAll = (root, pattern) => [...root.querySelectorAll(".editor-instance .view-line")].filter((line) => new RegExp(pattern).test(paintedText(line)));
  return { queryAll, query: (root, pattern) => queryAll(root, pattern)[0] };
})()`;
let isRegistered = false;

export class Workbench {
  constructor(
    readonly page: Page,
    private readonly server: Running,
  ) {}

  async open(folder: string, file?: string): Promise<void> {
    await this.page.goto(this.server.url(folder, file === undefined ? [] : [["openFile", path.resolve(folder, file)]]), {
      waitUntil: "domcontentloaded",
    });
    await this.page.locator(".monaco-workbench").waitFor();
    if (file !== undefined) await this.page.locator(".editor-instance .view-line").first().waitFor();
  }

  // Opens a copy of an example and waits until its numbers are there. Answers the folder.
  async openExample(name: string, file: string): Promise<string> {
    const folder = copyOfExample(name);
    await this.open(folder, file);
    await expect(this.status()).toContainText("on lines");
    return folder;
  }

  status(): Locator {
    return this.page.locator(".statusbar-item[id^='etlens']");
  }

  // A line of the editor whose text is this, together with what stands before and after it: hints are decorations,
  // which no text of the page has. Blanks on the screen are no-break spaces.
  hint(text: RegExp): Locator {
    return this.page.locator(`painted=${text.source.replaceAll(" ", "\\s")}`).first();
  }

  // The text of such a line as it is seen.
  async painted(line: Locator): Promise<string> {
    return (await line.evaluate(paintedText)).replaceAll("\u00a0", " ");
  }

  // Only with ETLENS_SCREENS=1: to draw a window without a graphics card takes as long as a step of a test.
  async screenshot(name: string): Promise<void> {
    if (!wantScreens) return;
    fs.mkdirSync(screens, { recursive: true });
    await this.page.screenshot({ path: path.join(screens, `${name}.png`) });
  }

  // For the README (vscode-extension/images): smaller, with a cursor that is nowhere in the way.
  async picture(name: string): Promise<void> {
    if (!wantScreens) return;
    const before = this.page.viewportSize() ?? viewport;
    await this.page.setViewportSize({ width: 1400, height: 640 });
    await expect.poll(async () => (await this.page.locator(".monaco-workbench").boundingBox())?.height).toBe(640);
    await this.screenshot(name);
    await this.page.setViewportSize(before);
  }

  // Does something in each of the themes that VS Code comes with, one after the other in the open window. `look` gets a
  // name for a picture.
  async inThemes(folder: string, look: (name: string) => Promise<void>): Promise<void> {
    for (const theme of themes) {
      await this.setTheme(folder, theme);
      await base.step(theme[0], () => look(theme[0].toLowerCase().replaceAll(" ", "-")));
    }
  }

  // A picture of the documentation in both colours: NAME and NAME-dark. The window stays in light ones.
  async pictures(folder: string, name: string): Promise<void> {
    if (!wantScreens) return;
    await this.picture(name);
    await this.setTheme(folder, dark);
    await this.picture(`${name}-dark`);
    await this.setTheme(folder, light);
  }

  private async setTheme(folder: string, [theme, file]: Theme): Promise<void> {
    fs.mkdirSync(path.join(folder, ".vscode"), { recursive: true });
    fs.writeFileSync(path.join(folder, ".vscode/settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
    await expect(this.page.locator(".monaco-workbench")).toHaveClass(new RegExp(`\\b${file}-json\\b`));
  }

  async command(title: string): Promise<void> {
    await this.anyCommand(`etlens: ${title}`);
  }

  // Also one of the editor or of another extension.
  async anyCommand(title: string): Promise<void> {
    await this.pick("F1", `>${title}`, title);
  }

  // By its name, in the open window.
  async openFile(name: string): Promise<void> {
    await this.pick("Control+p", name, name);
    await expect(this.page.locator(".tab.active")).toContainText(name);
  }

  // How many commands with this title the palette has.
  async offered(title: string): Promise<number> {
    const rows = this.page.locator(".quick-input-widget .monaco-list-row");
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").first().fill(`>etlens: ${title}`);
    await rows.filter({ hasText: new RegExp(`No matching|similar commands|${title}`) }).first().waitFor();
    const count = await rows.filter({ hasText: title }).count();
    await this.page.keyboard.press("Escape");
    return count;
  }

  // Only what the editor shows at the left stays.
  async closeBeside(): Promise<void> {
    if ((await this.page.locator(`iframe.webview:not(${viewFrame})`).count()) === 0) return;
    await this.anyCommand("View: Close Editors in Other Groups");
  }

  async goToLine(line: number): Promise<void> {
    await this.pick("Control+g", `:${line}`, `line ${line}`);
    await expect(this.cursor()).toContainText(`Ln ${line},`);
  }

  // Asks for the hover at the start of a line, by its keys. A view that takes the focus closes it, and it is asked for again then.
  async hoverAt(line: number, text: string): Promise<Locator> {
    const hover = this.page.locator(".monaco-hover:visible", { hasText: text }).first();
    await expect(async () => {
      await this.goToLine(line);
      await this.page.keyboard.press("Control+k");
      await this.page.keyboard.press("Control+i");
      await hover.waitFor({ timeout: 5_000 });
    }).toPass();
    return hover;
  }

  // Opens the input at the top by its key, types, and takes the row. A view that takes the focus when it is
  // there at last closes the input, which has to be opened again then.
  private async pick(key: string, text: string, row: string): Promise<void> {
    const soon = { timeout: 5_000 };
    let isRetry = false;
    await expect(async () => {
      // A list that is open does not learn of commands that came since.
      if (isRetry) await this.page.keyboard.press("Escape");
      isRetry = true;
      await this.page.keyboard.press(key);
      const input = this.page.locator(".quick-input-widget input").first();
      await input.fill(text, soon);
      // Enter takes the focused row, and rows of the list before stand there until the new ones come.
      await this.page.locator(".quick-input-widget .monaco-list-row.focused", { hasText: row }).waitFor(soon);
    }).toPass();
    await this.page.keyboard.press("Enter");
  }

  // As a hand does: the pointer is there, then the key, then the link shows, then the click.
  async followLink(link: Locator): Promise<void> {
    const box = await link.boundingBox();
    if (box === null) throw new Error("the link is not in sight");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await this.page.mouse.move(x - 3, y);
    await this.page.keyboard.down("Control");
    await this.page.mouse.move(x, y, { steps: 3 });
    await this.page.mouse.down();
    await this.page.mouse.up();
    await this.page.keyboard.up("Control");
  }

  // Where the file in the editor is, as the editor says it: below the workspace, or below the root.
  async openPath(): Promise<string> {
    return (await this.page.locator(".breadcrumbs-control .monaco-breadcrumb-item").allInnerTexts()).join("/");
  }

  cursor(): Locator {
    return this.page.locator(".statusbar-item[id='status.editor.selection']");
  }

  async showViews(): Promise<void> {
    const pane = this.page.locator(".sidebar .pane-header", { hasText: "Delegate Calls" });
    if (!(await pane.isVisible())) await this.page.locator('.activitybar .action-item a[aria-label^="etlens"]').click();
    await pane.waitFor();
    // Where the pointer covers nothing with what it is told there.
    await this.page.mouse.move(700, 4);
  }

  lens(text: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration", { hasText: text }).first();
  }

  // Of the editor, at the bottom right.
  message(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  rows(view: string): Locator {
    return this.page.locator(`.sidebar .pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`);
  }

  welcome(view: string): Locator {
    return this.page.locator(`.sidebar .pane:has(.pane-header[aria-label^="${view}"]) .welcome-view-content`);
  }

  // An entry of the context menu that is open: a click that comes too soon is none.
  async choose(entry: string): Promise<void> {
    const item = this.page.locator(".monaco-menu .action-item", { hasText: entry });
    await item.hover();
    await expect(item).toHaveClass(/focused/);
    await this.page.keyboard.press("Enter");
  }

  // The page of the view that is a table and in sight (Events, Delegate Calls), and its rows.
  events(): FrameLocator {
    return this.frame(this.page.locator(`${viewFrame}:visible`));
  }

  eventRows(): Locator {
    return this.events().locator(".row[aria-label]");
  }

  // The ranking of events, instead of their lines.
  async ungroup(): Promise<void> {
    await this.events().getByLabel("Group by").selectOption("none");
    await expect(this.eventRows().first()).not.toHaveClass(/group/);
  }

  // Shows this view alone, as high as the side bar.
  async only(view: string): Promise<void> {
    await this.showViews();
    for (const name of ["Events", "Since the Baseline", "Modules", "Delegate Calls", "Not Delegated", "What to Do First", "Profiles"]) {
      const header = this.page.locator(`.sidebar .pane-header[aria-label^="${name}"]`);
      // Only where there is a baseline.
      if ((await header.count()) === 0) continue;
      const isOpen = (await header.getAttribute("aria-expanded")) === "true";
      if (isOpen !== (name === view)) await header.click();
      await expect(header).toHaveAttribute("aria-expanded", String(name === view));
    }
    // The panes slide: the last of the closed ones ends up at the bottom.
    const bottom = async (selector: string) => {
      const box = await this.page.locator(selector).last().boundingBox();
      return box === null ? 0 : Math.round(box.y + box.height);
    };
    if (view !== "Profiles") {
      await expect.poll(async () => (await bottom(".sidebar .content")) - (await bottom(".sidebar .pane-header"))).toBeLessThan(10);
    }
  }

  // Room for the rows' text.
  async widenSideBar(by: number): Promise<void> {
    const box = await this.page.locator(".part.sidebar").boundingBox();
    if (box === null) throw new Error("there is no side bar");
    const [x, y] = [box.x + box.width + 2, box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + by, y, { steps: 5 });
    await this.page.mouse.up();
    await this.page.mouse.move(x + by + 400, y);
    await expect.poll(async () => (await this.page.locator(".part.sidebar").boundingBox())?.width ?? 0).toBeGreaterThan(box.width + by / 2);
  }

  // The page of the picture in sight: all of them share a group of editors.
  webview(): FrameLocator {
    return this.frame(this.page.locator(`iframe.webview:not(${viewFrame}):visible`).first());
  }

  private frame(outer: Locator): FrameLocator {
    return outer.contentFrame().locator("iframe#active-frame").contentFrame();
  }

  // What axe-core finds wrong with such a page.
  async accessibilityProblems(webview = this.webview()): Promise<string[]> {
    const frame = await (await webview.locator("main").elementHandle()).ownerFrame();
    if (frame === null) throw new Error("there is no page");
    await frame.evaluate(axe.source);
    const { violations } = await frame.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ""}`).join("; ")}`);
  }

  // The hints of the lines in sight, by line: what stands behind the text of the file.
  async hints(file: string): Promise<Map<number, string>> {
    const source = fs.readFileSync(file, "utf8").split("\n");
    const read = (text: (line: Element) => string) => {
      const top = (element: Element) => (element as HTMLElement).style.top;
      const editor = document.querySelector(".editor-instance");
      const numbers = new Map<string, number>();
      for (const row of editor?.querySelectorAll(".margin-view-overlays > div") ?? []) {
        const number = row.querySelector(".line-numbers")?.textContent;
        if (number) numbers.set(top(row), Number(number));
      }
      return [...(editor?.querySelectorAll(".view-lines > .view-line") ?? [])].map((line) => ({
        line: numbers.get(top(line)),
        text: text(line).replaceAll("\u00a0", " "),
      }));
    };
    const rows = await this.page.evaluate<ReturnType<typeof read>>(`(${read.toString()})(${paintedText.toString()})`);
    const hints = new Map<number, string>();
    for (const { line, text } of rows) {
      const code = line === undefined ? undefined : source[line - 1];
      if (line === undefined || code === undefined || !text.startsWith(code)) continue;
      const hint = text.slice(code.length).trim();
      if (hint !== "") hints.set(line, hint);
    }
    return hints;
  }
}

export interface CliLine {
  line: number;
  current_line: number | null;
  text: string;
  self: number; // ms
  inclusive: number;
  share: number;
  delegates: string[];
}

export interface CliLines {
  total: number;
  files: { path: string; lines: CliLine[] }[];
}

export function cli(...args: string[]): unknown {
  return JSON.parse(execFileSync(etlens, [...args, "--format", "json"], { encoding: "utf8" }));
}

// Milliseconds as a hint says them: three significant digits.
export function timeText(ms: number): string {
  const ns = ms * 1e6;
  for (const [size, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]] as const) {
    if (ns >= size * 0.9995) return `${(ns / size).toPrecision(3)} ${name}`;
  }
  return `${ns.toPrecision(3)} ns`;
}

export function shareText(share: number): string {
  const value = share * 100;
  return `${value >= 9.95 ? value.toFixed(0) : value.toFixed(1)}%`;
}

interface Shared {
  beside: string[];
  settings: Record<string, unknown>;
  machine: Record<string, unknown>;
  server: Running;
  window: BrowserContext;
}

export const test = base.extend<{ workbench: Workbench }, Shared>({
  // Folders of other extensions (test.use): a code-server of its own has them, too.
  beside: [[], { option: true, scope: "worker" }],
  // Of the person (test.use): a code-server of its own has them, too.
  settings: [{}, { option: true, scope: "worker" }],
  machine: [{}, { option: true, scope: "worker" }],
  server: [
    async ({ beside, settings, machine }, use) => {
      const server = await startCodeServer({ install: [vsix], beside, settings, machine });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // One for all tests, so that the browser loads and compiles the editor once. What a test left in its
  // storage is gone before the next.
  window: [
    async ({ browser }, use) => {
      const window = await browser.newContext({ viewport });
      window.setDefaultTimeout(patience);
      window.setDefaultNavigationTimeout(2 * patience); // the first one loads all of the editor
      await use(window);
      await window.close();
    },
    { scope: "worker" },
  ],
  page: async ({ window, server }, use) => {
    if (!isRegistered) await selectors.register("painted", painted);
    isRegistered = true;
    const page = await window.newPage();
    const browser = await window.newCDPSession(page);
    const storageTypes = "cookies,indexeddb,local_storage,service_workers";
    await browser.send("Storage.clearDataForOrigin", { origin: `http://127.0.0.1:${server.port}`, storageTypes });
    await use(page);
    for (const open of window.pages()) await open.close();
  },
  workbench: async ({ page, server }, use) => {
    await use(new Workbench(page, server));
  },
});

export { expect } from "@playwright/test";
