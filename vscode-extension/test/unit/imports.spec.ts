// SPDX-License-Identifier: Apache-2.0
// Dependencies point one way: between files, and between folders.
import * as path from "node:path";
import { expect, test } from "@playwright/test";
import { circle, foldersOf, importsOf, relativeImports } from "../support/imports";

const source = path.resolve(__dirname, "../../src");

test("no file and no folder depends on itself by way of others", () => {
  const files = importsOf(source);
  expect(files.size).toBeGreaterThan(25);
  expect(files.get("extension.ts")).toContain("commands/index.ts");
  expect(files.get("server/server.ts")).toContain("server/client.ts");
  expect(circle(files)).toBeUndefined();
  const folders = foldersOf(files);
  expect([...folders.keys()].sort()).toEqual([".", "base", "commands", "server", "views", "webview"]);
  expect(circle(folders)).toBeUndefined();
});

test("every kind of import is read", () => {
  const text = `
    import * as vscode from "vscode";
    import { a } from "./values";
    import type { B } from "../types";
    import { c, type D } from "./mixed";
    import "./effects";
    export { e } from "./again";
    export * from "./all";
    // import { f } from "./comment";
    const g = 'import { h } from "./text"';
    async function later() { return import("./later.js"); }
    let i: import("./inType").I;`;
  const expected = ["./values", "../types", "./mixed", "./effects", "./again", "./all", "./later.js", "./inType"];
  expect(relativeImports(text).sort()).toEqual(expected.sort());
});

test("a planted circle is found", () => {
  const planted = new Map([
    ["extension.ts", ["commands/index.ts", "views/events.ts"]],
    ["commands/index.ts", ["commands/menu.ts"]],
    ["commands/menu.ts", ["views/events.ts"]],
    ["views/events.ts", ["base/format.ts"]],
    ["base/format.ts", []],
  ]);
  expect(circle(planted)).toBeUndefined();
  expect(circle(foldersOf(planted))).toBeUndefined();
  // Of folders only: no file of it reaches itself.
  planted.set("views/row.ts", ["commands/mark.ts"]).set("commands/mark.ts", []);
  expect(circle(planted)).toBeUndefined();
  expect(circle(foldersOf(planted))).toEqual(["commands", "views", "commands"]);
  planted.set("commands/menu.ts", ["base/format.ts", "extension.ts"]);
  expect(circle(planted)).toEqual(["extension.ts", "commands/index.ts", "commands/menu.ts", "extension.ts"]);
  expect(circle(new Map([["itself.ts", ["itself.ts"]]]))).toEqual(["itself.ts", "itself.ts"]);
});
