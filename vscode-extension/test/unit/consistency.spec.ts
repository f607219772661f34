// SPDX-License-Identifier: Apache-2.0
// Files that say the same thing in two places: the settings, the manifest.
import * as fs from "node:fs";
import * as path from "node:path";
import { expect, test } from "@playwright/test";
import { statistics } from "../../src/base/statistics";
import { displaySettings, ofUser } from "../../src/base/trust";
import { builtInThemes, bytes, contrast, over, type Theme } from "../support/themes";

const extension = path.resolve(__dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(extension, file), "utf8");

interface Manifest {
  dependencies: Record<string, string>;
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { type?: string | string[]; scope: string; default: unknown; enum?: string[]; enumDescriptions?: string[] }> };
    configurationDefaults: Record<string, Record<string, Record<string, string>>>;
    colors: { id: string; defaults: Record<Theme["kind"], string> }[];
    viewsWelcome: { view: string; contents: string; when: string }[];
    views: { etlens: { id: string; when?: string }[] };
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
    keybindings: { command: string }[];
    menus: Record<string, { command: string }[]>;
  };
}
const manifest = JSON.parse(read("package.json")) as Manifest;
const { contributes } = manifest;

test("what can be exported is what the executable writes, under the same names", () => {
  const table = [...read("../core/export/export.cc").matchAll(/\{"(\w+)", "[^"]*", "([.\w]+)", (?:true|false), /g)].map(([, name = "", suffix = ""]) => `${name} ${suffix}`);
  const offered = [...read("src/commands/export.ts").matchAll(/\{ name: "(\w+)", .*suffix: "([.\w]+)" \}/g)].map(([, name = "", suffix = ""]) => `${name} ${suffix}`);
  expect(table.length).toBeGreaterThan(5);
  // The pictures are two of one form.
  expect([...new Set(offered)].sort()).toEqual(table.sort());
});

test("every setting of the server is in the manifest, and the other way round", () => {
  const server = [...read("../server/config.cc").matchAll(/^ {6}\{"([\w.]+)",\s*(?:setting|read_|named)/gm)].map(([, name = ""]) => `etlens.${name}`);
  expect(server.length).toBeGreaterThan(10);
  const ours = ["etlens.column.enabled", "etlens.heat.enabled", "etlens.heat.overviewRuler", "etlens.hints.display", "etlens.runAgain.onSave", "etlens.server.path", "etlens.trace.server"];
  expect(Object.keys(contributes.configuration.properties).sort()).toEqual([...server, ...ours].sort());
});

test("the statistics of the setting are those that can be picked, in the same words", () => {
  const setting = contributes.configuration.properties["etlens.statistic"];
  expect(setting?.enum).toEqual(statistics.map(({ name }) => name));
  expect(setting?.enumDescriptions).toEqual(statistics.map(({ explanation }) => explanation));
  expect(setting?.default).toBe(statistics[0]?.name);
});

test("settings of an untrusted workspace reach nothing but display, and no workspace chooses the server", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  expect(supported).toBe("limited");
  const display = displaySettings.map((name) => `etlens.${name}`);
  expect([...restrictedConfigurations, ...display].sort()).toEqual(Object.keys(contributes.configuration.properties).sort());
  for (const name of ["server.path", "runAgain.onSave", "baseline", "fleet", "profile", "program", "record", "pythonProfile", "debugBuffer", "reference", "pathMappings", "pythonEnvironments", "artifactGlobs", "libraryFrames"])
    expect(restrictedConfigurations).toContain(`etlens.${name}`);
  // What is of display is a choice or a number, and names no file.
  for (const name of display) {
    const { type, enum: choices } = contributes.configuration.properties[name] ?? {};
    expect(type === "boolean" || type === "number" || choices !== undefined, name).toBe(true);
  }
  expect(contributes.configuration.properties["etlens.server.path"]?.scope).toBe("machine");
});

test("of an untrusted workspace the server is told the user's own settings, but those of display", () => {
  const told = {
    hints: { enabled: false, thresholdPercent: 9, format: "short" },
    heat: { enabled: false },
    profile: "/theirs.etdp",
    baseline: ["/theirs"],
    pathMappings: [{ from: "/", to: "/theirs" }],
    program: null,
    server: { path: "/theirs/etlens" },
    trace: { server: "verbose" },
    unknown: { setting: "/theirs" },
  };
  const own = (name: string) => `own ${name}`;
  expect(ofUser(told, own)).toEqual({
    hints: told.hints,
    heat: told.heat,
    profile: "own profile",
    baseline: "own baseline",
    pathMappings: "own pathMappings",
    program: "own program",
    server: { path: "own server.path" },
    trace: { server: "own trace.server" },
    unknown: { setting: "own unknown.setting" },
  });
  for (const value of [null, undefined, "text", 1, ["list"]]) expect(ofUser(value, own)).toEqual(value);
});

test("whatever names a command names one that exists", () => {
  const known = new Set(contributes.commands.map(({ command }) => command));
  for (const view of contributes.views.etlens) known.add(`${view.id}.focus`);
  const texts = [
    ...contributes.viewsWelcome.map(({ contents }) => contents),
    ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ description }) => description)),
  ].join("\n");
  for (const [, command = ""] of texts.matchAll(/\(command:([\w.]+)\)/g)) expect(known).toContain(command);
  for (const { command } of [...contributes.keybindings, ...Object.values(contributes.menus).flat()]) expect(known).toContain(command);
  for (const [, command = ""] of read("src/commands/menu.ts").matchAll(/command: "([\w.]+)"/g)) expect(known).toContain(command);
  const links = [...read("src/views/statusTooltip.ts").matchAll(/"(etlens\.\w+)"/g)];
  expect(links.length).toBeGreaterThan(0);
  for (const [, command = ""] of links) expect(known).toContain(command);
});

test("a view that is empty says why, whatever the reason", () => {
  const reasons = /export type Why =([^;]*);/.exec(read("src/server/profile.ts"))?.[1]?.match(/\w+/g) ?? [];
  // Once, whether the folder is trusted or not.
  const applies = (view: string, why: string) => {
    const counts = ["isWorkspaceTrusted", "!isWorkspaceTrusted"].map((trust) => {
      const conditions = [`etlens.why == ${why}`, `etlens.why == ${why} && ${trust}`];
      return contributes.viewsWelcome.filter((welcome) => welcome.view === view && welcome.when.split(" || ").some((condition) => conditions.includes(condition))).length;
    });
    expect(new Set(counts).size, `${view}, ${why}`).toBe(1);
    return counts[0];
  };
  // A view that comes with what it shows is never empty.
  const always = contributes.views.etlens.filter(({ when }) => when === undefined);
  expect(always.length).toBeGreaterThan(4);
  for (const why of ["none", "failed", "noServer"]) {
    expect(reasons).toContain(why);
    for (const { id } of always) expect(applies(id, why), `${id}, ${why}`).toBe(1);
  }
  // These two are empty for reasons of their own while others have rows.
  for (const why of ["noRecord", "mismatch", "notRun"]) expect(applies("etlens.modules", why), why).toBe(1);
  for (const why of ["ready", "mismatch", "notRun", "noRecord"]) expect(applies("etlens.partitions", why), why).toBe(1);
});

// What text of ours can have under it: the editor or the current line, and there nothing, heat or a change.
function backgrounds({ kind, editor, currentLine }: Theme): { name: string; colour: number[] }[] {
  const tints = contributes.colors.filter(({ id }) => /(heat\d|slower|faster)Background/.test(id));
  expect(tints.length).toBe(6);
  return [["the editor", editor], ["the current line", currentLine]].flatMap(([where, base]) => [
    { name: String(where), colour: base as number[] },
    ...tints.map(({ id, defaults }) => ({ name: `${id} on ${String(where)}`, colour: over(defaults[kind], base as number[]) })),
  ]);
}

test("hints and the column are readable in every theme of VS Code, on the hottest lines and on the current one, too", () => {
  const themes = builtInThemes(path.join(extension, "../.cache/vscode"));
  test.skip(themes.length === 0, "there is no code-server, which has the themes");
  expect(themes.length).toBeGreaterThan(15);
  expect(new Set(themes.map(({ kind }) => kind)).size).toBe(4);
  const colour = (id: string, kind: Theme["kind"]) => contributes.colors.find((known) => known.id === id)?.defaults[kind] ?? "";
  for (const theme of themes) {
    const [hint, column] = [colour("etlens.hintForeground", theme.kind), colour("etlens.columnForeground", theme.kind)];
    const bar = colour("etlens.heatBarBackground", theme.kind);
    for (const { name, colour: under } of backgrounds(theme)) {
      expect(contrast(bytes(hint), under), `${theme.name}: hints, ${name}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(bytes(column), under), `${theme.name}: the column, ${name}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(bytes(column), over(bar, under)), `${theme.name}: the column on the bar, ${name}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test("lenses are readable in the editor's own themes", () => {
  for (const [selector, editors] of [["[Dark*]", ["1f1f1f", "1e1e1e", "121314"]], ["[Light*]", ["ffffff"]]] as const) {
    const customized = Object.entries(contributes.configurationDefaults["workbench.colorCustomizations"] ?? {});
    const lens = bytes(customized.find(([name]) => name.startsWith(selector))?.[1]["editorCodeLens.foreground"] ?? "");
    for (const editor of editors) expect(contrast(lens, bytes(editor)), `lenses, ${selector}`).toBeGreaterThanOrEqual(4.5);
  }
});

test("the walkthrough's pages are there", () => {
  const pages = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
  expect(pages.length).toBe(7);
  for (const page of pages) expect(read(page)).toMatch(/^# \w/);
});

test("one runtime dependency, and a lock file without addresses", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["vscode-languageclient"]);
  expect(read("package-lock.json")).not.toMatch(/"resolved"|https?:\/\/registry/);
});

test("our pages allow no network and no inline code", () => {
  const source = read("src/views/webviewPage.ts");
  expect(source).toContain("default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';");
  // One page starts a worker, from its own text.
  expect(source.match(/blob:/g)).toHaveLength(1);
  expect(source).not.toMatch(/unsafe-inline|unsafe-eval|connect-src/);
  // No other page, and none with code in its body.
  const views = fs.readdirSync(path.join(extension, "src/views")).map((file) => [file, read(`src/views/${file}`)] as const);
  expect(views.filter(([, text]) => text.includes("createWebviewPanel")).map(([file]) => file)).toEqual(["picture.ts"]);
  for (const [file, text] of views) expect(text, file).not.toMatch(/ on\w+=|style="/);
});

test("our pages have no colours but the theme's", () => {
  const styles = fs.readdirSync(path.join(extension, "src/webview")).filter((file) => file.endsWith(".css"));
  expect(styles).toContain("picture.css");
  for (const file of styles) {
    const text = read(`src/webview/${file}`).replace(/\/\*[\s\S]*?\*\//g, "").replaceAll(/var\([\w-]+/g, "var(");
    expect(text, file).not.toMatch(/#[0-9a-f]{3,8}[;\s,)]|rgba?\(|hsla?\(|[:\s](?:white|black|red|green|blue|orange|gr[ae]y)[;\s]/i);
  }
});
