// SPDX-License-Identifier: Apache-2.0
// Groups of modules that a legend can name.
import { expect, test } from "@playwright/test";
import { groupModules, maxGroups, others, unplaced } from "../../src/base/moduleGroups";

test("the deepest level that is not too many", () => {
  const modules = ["layers.0.attn", "layers.0.mlp", "layers.1.attn", "layers.1.mlp", "head"];
  expect(groupModules(modules.map((module) => ({ module, bytes: 1 })))).toEqual(modules);
  const deep = Array.from({ length: 10 }, (_, i) => ["attn", "mlp"].map((part) => `layers.${i}.${part}`)).flat();
  const names = groupModules(deep.map((module) => ({ module, bytes: 1 })));
  expect(new Set(names)).toEqual(new Set(Array.from({ length: 10 }, (_, i) => `layers.${i}`)));
});

test("the root, and what has no module, are groups of their own", () => {
  expect(groupModules([{ module: "", bytes: 1 }, { bytes: 2 }, { module: "head", bytes: 3 }])).toEqual(["the model itself", unplaced, "head"]);
});

test("too many even on the first level: the largest, and the others", () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ module: `m${i}`, bytes: i }));
  const names = groupModules(rows);
  expect(new Set(names).size).toBe(maxGroups + 1);
  expect(names[39]).toBe("m39");
  expect(names[0]).toBe(others);
});
