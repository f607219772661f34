// SPDX-License-Identifier: Apache-2.0
// What `etlens profile --probe --json` prints, and what a person may type for an input.
import { expect, test } from "@playwright/test";
import { inputProblem, parseProbe, problemText } from "../../src/base/profileProbe";

test("only the document that is meant is read", () => {
  const probe = { schema: "etlens/profile-probe@1", class_name: "Net", problems: [], inputs: [] };
  expect(parseProbe(JSON.stringify(probe))).toEqual(probe);
  expect(() => parseProbe(JSON.stringify({ schema: "etlens/profile-probe@2" }))).toThrow("etlens printed etlens/profile-probe@2, this extension reads etlens/profile-probe@1");
  expect(() => parseProbe("Traceback")).toThrow("something else");
});

test("an input is a shape, with a type or without", () => {
  for (const good of ["1", "1x3x224x224", "1x16:int64", " 2x2 "]) expect(inputProblem(good), good).toBe("");
  for (const bad of ["", "x", "1x", "1,3", "1x3:", "-1x3", "1x3; rm", "1x3 --yes"]) expect(inputProblem(bad), bad).toContain("1x3x224x224");
});

test("a problem and its remedy are sentences", () => {
  const problem = { id: "executorch", text: "ExecuTorch is not installed.", remedy: "install it with pip", command: null, stops: true };
  expect(problemText(problem)).toBe("ExecuTorch is not installed. Install it with pip.");
  expect(problemText({ ...problem, remedy: null })).toBe("ExecuTorch is not installed.");
});
