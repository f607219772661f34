// SPDX-License-Identifier: Apache-2.0
// Files that say the same thing in two places: the settings, the manifest.
import * as fs from "node:fs";
import * as path from "node:path";
import { expect, test } from "@playwright/test";
import { statistics } from "../../src/base/statistics";
import { displaySettings, ofUser } from "../../src/base/trust";

const extension = path.resolve(__dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(extension, file), "utf8");

interface Manifest {
  dependencies: Record<string, string>;
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { type?: string | string[]; scope: string; default: unknown; enum?: string[]; enumDescriptions?: string[] }> };
    configurationDefaults: Record<string, Record<string, Record<string, string>>>;
    colors: { id: string; defaults: Record<"dark" | "light", string> }[];
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
  const ours = ["etlens.column.enabled", "etlens.heat.enabled", "etlens.heat.overviewRuler", "etlens.server.path", "etlens.trace.server"];
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
  for (const name of ["server.path", "baseline", "fleet", "profile", "program", "record", "pythonProfile", "debugBuffer", "reference", "pathMappings", "pythonEnvironments", "artifactGlobs", "libraryFrames"])
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
  const applies = (view: string, why: string) =>
    contributes.viewsWelcome.filter((welcome) => welcome.view === view && welcome.when.split(" || ").includes(`etlens.why == ${why}`)).length;
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

// Of WCAG 2: how much light a colour gives, and how far two of them are apart.
function luminance(colour: number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const bytes = (hex: string) => (hex.match(/[0-9a-f]{2}/g) ?? []).map((byte) => Number.parseInt(byte, 16));

// A colour with alpha over one without.
function over(hex: string, under: number[]): number[] {
  const [red = 0, green = 0, blue = 0, alpha = 255] = bytes(hex);
  return [red, green, blue].map((byte, i) => ((under[i] ?? 0) * (255 - alpha) + byte * alpha) / 255);
}

function contrast(a: number[], b: number[]): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

// Editors of VS Code's own themes, and what their hints have behind them: a tenth of a badge.
const themes = [
  { kind: "dark", selector: "[Dark *]", editors: ["1f1f1f", "1e1e1e"], badges: ["6161611a", "0078d41a"] },
  { kind: "light", selector: "[Light *]", editors: ["ffffff"], badges: ["cccccc1a", "005fb81a"] },
] as const;

test("hints, lenses and the column are readable, hints on the hottest lines, too", () => {
  const customized = contributes.configurationDefaults["workbench.colorCustomizations"];
  const heats = contributes.colors.filter(({ id }) => /(heat\d|slower|faster)Background/.test(id));
  expect(heats.length).toBe(6);
  for (const { kind, selector, editors, badges } of themes) {
    const colours = Object.entries(customized ?? {}).find(([name]) => name.startsWith(selector))?.[1] ?? {};
    const hint = bytes(colours["editorInlayHint.foreground"] ?? "");
    const lens = bytes(colours["editorCodeLens.foreground"] ?? "");
    const column = bytes(contributes.colors.find(({ id }) => id === "etlens.columnForeground")?.defaults[kind] ?? "");
    for (const editor of editors.map(bytes)) {
      expect(contrast(lens, editor), `lenses, ${kind}`).toBeGreaterThanOrEqual(4.5);
      for (const { id, defaults } of heats) {
        const tinted = over(defaults[kind], editor);
        for (const badge of badges) expect(contrast(hint, over(badge, tinted)), `hints, ${id}, ${kind}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(column, tinted), `the column, ${id}, ${kind}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

test("the walkthrough's pages are there", () => {
  const pages = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
  expect(pages.length).toBe(6);
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
