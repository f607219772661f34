// SPDX-License-Identifier: Apache-2.0
// Words for numbers that repeat.
import { expect, test } from "@playwright/test";
import { barWidth } from "../../src/base/barWidth";
import { brokenWords } from "../../src/base/budgets";
import { columnText, columnTexts } from "../../src/base/columnText";
import { executionBars } from "../../src/base/executionBars";
import { bar, percent } from "../../src/base/format";
import { changeWords, comparisonWords, shortChange, totalChange } from "../../src/base/comparison";
import { placeHints, restOf, widthOf } from "../../src/base/hintLayout";
import { instancesOf, moduleFolds } from "../../src/base/instances";
import { methodChoices } from "../../src/base/methods";
import { portable } from "../../src/base/portableMarkdown";
import { promptOf } from "../../src/base/promptText";
import type { AdviceItem, ChangeItem, ComparisonItem, Time } from "../../src/base/protocol";
import { shortSentence } from "../../src/base/sentences";
import { isExecutionList, numberWord, oddWords, sampleWords, totals, unusual } from "../../src/base/statistics";

const time = (value: number): Time => ({ value, unit: "ms", text: `${value} ms` });
const noTicks = {
  lines_ticks: 0, opaque_partition_ticks: 0, delegate_overhead_ticks: 0, dispatch_overhead_ticks: 0, framework_ticks: 0, sizes_ticks: 0,
  unattributed_ticks: 0, disturbance_ticks: 0,
};
const noGroup = { size: null, work: 1, tokens: null, tokens_per_second: null, typical: 1, total_ticks: 1, reconciliation: noTicks, shown: false };
const all = { statistic: "typical", raw: false, executions: 50, executions_used: 50, executions_shown: "all", total_text: "0.82 ms", mean_text: "1.17 ms" };
const some = { ...all, executions_used: 26, executions_shown: "1-25,30" };
const one = { ...all, executions_used: 1, executions_shown: "3" };

test("a hover that is copied has neither pictures nor files of this machine", () => {
  const hover =
    "**9.00 µs** self\n\n![2 executions](data:image/svg+xml;base64,PHN2Zy8+ \"2 executions\")\n\n| [`a](b)[.py:1,2`](file:///x/a%5D#L1) | `[8, 4] float32` |\n\n" +
    "calls [\\`\\[x\\]](file:///y#L2) 1 µs, between [XNNPACK #1](file:///z#L3) and [XNNPACK #2](file:///z#L4)";
  expect(portable(hover)).toBe(
    "**9.00 µs** self\n\n| `a](b)[.py:1,2` | `[8, 4] float32` |\n\ncalls \\`\\[x\\] 1 µs, between XNNPACK #1 and XNNPACK #2",
  );
});

test("what the numbers are of", () => {
  expect(sampleWords(all)).toBe("typical of 50 executions");
  expect(sampleWords({ ...some, statistic: "min" })).toBe("minimum of 26 of 50 executions");
  expect(sampleWords(one)).toBe("a single sample, execution 3 of 50");
  expect(sampleWords({ ...one, executions: 1, executions_shown: "all" })).toBe("a single sample, of 1 execution");
});

test("a number and what stands behind it", () => {
  expect(totals(all)).toBe("0.82 ms typical · 1.17 ms mean");
  expect(totals({ ...all, statistic: "mean", total_text: "1.17 ms" })).toBe("1.17 ms mean");
  expect(totals(one)).toBe("0.82 ms single sample");
  expect(totals({ ...all, executions: 0, executions_used: 0, total_text: "0 ms" })).toBe("0 ms");
  expect(numberWord(all)).toBe("typical");
  expect(numberWord(one)).toBe("in a single sample");
});

test("what is not as usual is said, and only that", () => {
  expect(unusual(all)).toBe("");
  expect(unusual(some)).toBe("");
  expect(unusual({ ...all, statistic: "median" })).toBe("median");
  expect(unusual({ ...one, statistic: "median" })).toBe("single sample");
  expect(unusual({ ...all, statistic: "max", raw: true })).toBe("maximum · clocks as logged");
});

test("a share below nothing", () => {
  expect(percent(-0.05)).toBe("−5.0%");
});

test("executions far from the others: the first of them", () => {
  const odd = [1, 2, 3, 4, 5, 6, 7].map((execution) => ({ execution, total_text: "3 ms", text: execution === 1 ? "line 83" : "" }));
  expect(oddWords({ odd: odd.slice(0, 2) })).toEqual(["execution 1: 3 ms, line 83", "execution 2: 3 ms"]);
  expect(oddWords({ odd })).toHaveLength(6);
  expect(oddWords({ odd }).at(-1)).toBe("and 2 more far from the others");
});

test("bars: nothing is nothing, something is something, all is full", () => {
  expect(bar(0)).toBe("");
  expect(bar(0.001)).toBe("▏");
  expect(bar(0.55)).toBe("█████▌");
  expect(bar(1)).toBe("█".repeat(10));
  expect(bar(2)).toBe("█".repeat(10));
});

test("lists of executions", () => {
  for (const list of ["3", "1-25,30", " 1 - 25 , 30 "]) expect(isExecutionList(list), list).toBe(true);
  for (const list of ["", "all", "1-", "1,,2", "-3", "1-2-3", "1.5"]) expect(isExecutionList(list), list).toBe(false);
});

const faster: ChangeItem = {
  verdict: "faster", verdict_text: "likely faster", likely: true, mark: "▼", text: "−43% ▼ likely",
  before: time(20), after: time(11), interval: "−58 … −23%", reason: "a side has one dump",
};
const open: ChangeItem = { ...faster, verdict: "cannot_tell", verdict_text: "cannot tell", likely: false, mark: "", text: "" };

test("what changed: in short only where there is a verdict, in words always", () => {
  expect(shortChange(undefined)).toEqual([]);
  expect(shortChange(open)).toEqual([]);
  expect(shortChange(faster)).toEqual(["−43% ▼ likely"]);
  expect(changeWords(undefined)).toEqual([]);
  expect(changeWords(faster)).toEqual(["since the baseline −43% likely faster (−58 … −23%), 20 ms before, 11 ms now", "a side has one dump"]);
  expect(changeWords(open)[0]).toBe("since the baseline cannot tell (−58 … −23%), 20 ms before, 11 ms now");
});

test("a comparison: its total, or why there is none", () => {
  const comparison: ComparisonItem = {
    baseline: ["before"], dumps_before: 4, dumps_after: 1, total: faster, headline: "20 ms → 11 ms", counts: "1 likely faster", caveats: ["one dump"],
  };
  expect(totalChange(comparison)).toBe("−43% ▼ likely");
  expect(totalChange({ ...comparison, total: open })).toBe("cannot tell");
  expect(comparisonWords(comparison)).toEqual(["20 ms → 11 ms", "1 likely faster", "a side has one dump", "one dump"]);
  const broken = { ...comparison, problem: "no such dump" };
  expect(totalChange(broken)).toBe("not compared");
  expect(comparisonWords(broken)).toEqual(["Not compared: no such dump"]);
});

test("a sentence for a notification: which file and what is wrong", () => {
  expect(shortSentence("a.etdp and b.etrecord do not belong together (score 0.00; 10 instructions; 7 more); give the ETRecord")).toBe("a.etdp and b.etrecord do not belong together.");
  expect(shortSentence("model (1).etdp is no ETDump; run it again")).toBe("model (1).etdp is no ETDump.");
  expect(shortSentence("nothing to add.")).toBe("nothing to add.");
});

test("a method is offered with the blocks that ran it", () => {
  const methods = [{ name: "encode", current: true }, { name: "decode", current: false }, { name: "reset", current: false }];
  const blocks = [
    { name: "Execute", executions: 10, current: true, method: "encode" },
    { name: "Execute 2", executions: 1, current: false, method: "decode" },
  ];
  expect(methodChoices({ methods, blocks }).map(({ label, description }) => `${label} ${description}`)).toEqual([
    "$(circle-filled) encode block Execute, 10 executions",
    "$(circle-outline) decode block Execute 2, 1 execution",
    "$(circle-outline) reset did not run in this dump",
    "$(discard) The default ",
  ]);
  const [, decode] = methodChoices({ methods, blocks });
  expect(decode?.selection).toEqual({ method: "decode", block: "Execute 2" });
  // Of a block that fits two methods as well nobody says that one of them did not run.
  const unclear = methodChoices({ methods: methods.slice(0, 1), blocks: [{ name: "Execute", executions: 3, current: true }] });
  expect(unclear.map(({ description }) => description)).toEqual(["unknown which block ran it", "block Execute, 3 executions", ""]);
});

test("a bar per execution, or per as many as there is room for", () => {
  const execution = (number: number, value: number) => ({ number, total: time(value), used: number > 1, odd: value > 5 });
  const odd = [{ execution: 3, total_text: "8 ms", text: "line 83" }];
  expect(executionBars([execution(1, 2), execution(2, 4), execution(3, 8)], { odd, groups: [] })).toEqual([
    { executions: "1", words: "execution 1: 2 ms", height: 0.25, isUsed: false, isOdd: false },
    { executions: "2", words: "execution 2: 4 ms", height: 0.5, isUsed: true, isOdd: false },
    { executions: "3", words: "execution 3: 8 ms, line 83, far from the others", height: 1, isUsed: true, isOdd: true },
  ]);
  const many = executionBars(Array.from({ length: 1000 }, (_, i) => execution(i + 1, 1)), { odd: [], groups: [] });
  expect(many).toHaveLength(200);
  expect(many[1]).toMatchObject({ executions: "6-10", words: "executions 6-10: up to 1 ms" });
  const group = (name: string, executions: number[]) => ({ ...noGroup, name, executions });
  const grouped = executionBars([execution(1, 8), execution(2, 2)], { odd: [], groups: [group("decode", [2]), group("prefill", [1])] });
  expect(grouped.map(({ words, tone }) => [words, tone])).toEqual([
    ["execution 1: 8 ms, prefill", 1],
    ["execution 2: 2 ms, decode", 0],
  ]);
  expect(executionBars([execution(1, 8)], { odd: [], groups: [] })[0]).not.toHaveProperty("tone");
});

test("the column: time and share, right-aligned, blank between", () => {
  expect(columnText("Σ 12.4 ms 61% ×24")).toBe("Σ 12.4 ms 61%");
  expect(columnText("fused → L42")).toBe("fused → L42");
  expect(columnText("in XNNPACK #2 (5.0 ms, 14 lines)")).toBe("");
  const texts = columnTexts(new Map([[0, "9 µs 5.7% CPU"], [2, "1.20 ms 12%"]]), 4).map((text) => text.replaceAll("\u00a0", " "));
  expect(texts).toEqual(["  9 µs 5.7%", "           ", "1.20 ms 12%", "           "]);
  expect(columnTexts(new Map([[0, ""]]), 4)).toEqual([]);
});

test("the end of a line shows what the column does not", () => {
  expect(restOf("Σ 12.4 ms 61% ×24")).toBe("×24");
  expect(restOf("1.20 ms 12% XNNPACK −43% ▼ likely")).toBe("XNNPACK −43% ▼ likely");
  expect(restOf("fused → L42")).toBe("");
  expect(restOf("in XNNPACK #2 (5.0 ms, 14 lines)")).toBe("in XNNPACK #2 (5.0 ms, 14 lines)");
  expect(restOf("3.10 ms")).toBe("");
});

test("hints of lines that are near each other begin in one column, and none begins at the text", () => {
  const text = ["  a = b", "  long_name = call(x)", "", "", "", "", "", `  y = f(${"x".repeat(80)})`, "  z = 1"];
  const hint = (line: number) => ({ line: line + 1, text: `hint ${line}` });
  const placed = placeHints([hint(0), hint(1), hint(7), hint(8)], (line) => text[line] ?? "", 4);
  const begins = placed.map(({ line, margin }) => (text[line] ?? "").length + margin);
  expect(begins[0]).toBe(begins[1]);
  expect(begins[0]).toBe(24);
  // One that is too long for a column has its hint at its end, and the others do not follow it there.
  expect(placed[2]?.margin).toBe(3);
  expect(begins[3]).toBe(10);
  expect(placeHints([], () => "", 4)).toEqual([]);
});

test("how wide a line is: tabs, letters of East Asia", () => {
  expect(widthOf("\tx = 1", 4)).toBe(9);
  expect(widthOf("ab\tc", 4)).toBe(5);
  expect(widthOf("# 注釈", 4)).toBe(6);
});

test("bars: as long as the share", () => {
  expect([0, 0.001, 0.14, 0.21, 0.39, 0.77, 1, 2].map((share) => barWidth(share, true))).toEqual([2, 2, 16, 26, 46, 92, 120, 120]);
  expect([0.14, 0.39, 1].map((share) => barWidth(share, false))).toEqual([4, 10, 28]);
});

test("a finding as a prompt: what was measured, what can be done, and the lines, whatever is in them", () => {
  const source = (line: number, text: string) => ({ recorded_path: "/x/layers.py", line, current_line: line + 1, anchor: "exact", text });
  const item: AdviceItem = {
    kind: "fallback", title: "expand_copy on the CPU between XNNPACK calls", won: "up to 3.91 ms 20%", share: 0.2, arithmetic: "1.99 ms + 1.92 ms",
    action: "Leave out expand", page: "", lines: [source(42, "  return weights @ v"), source(7, "x = `a` + ``b``")],
  };
  const text = promptOf(item, "19.7 ms typical");
  expect(text).toContain("19.7 ms typical\n\nFinding: expand_copy on the CPU between XNNPACK calls (up to 3.91 ms 20% = 1.99 ms + 1.92 ms).");
  expect(text).toContain("Advice: Leave out expand.");
  expect(text).toContain("- layers.py:43: `return weights @ v`\n- layers.py:8: ``` x = `a` + ``b`` ```\n");
  expect(promptOf({ ...item, won: "", arithmetic: "", lines: [] }, "")).not.toMatch(/\(|Lines|\n\n\n/);
});

test("nodes of one line by module, and modules as parts that fold", () => {
  const node = (line: number, module?: string) => ({ line, name: `n${line}`, self: time(1), heat: 0, where: "", ...(module !== undefined && { module }) });
  const nodes = [node(1), node(2, "layers.0.attn"), node(3, "layers.0.attn"), node(4, "layers.0.mlp"), node(5, "layers.1.attn"), node(6, "head")];
  expect(instancesOf([nodes[1], nodes[4], nodes[2]].flatMap((own) => own ?? [])).map(({ module, nodes: own }) => [module, own.length])).toEqual([["layers.0.attn", 2], ["layers.1.attn", 1]]);
  expect(moduleFolds(nodes)).toEqual([{ first: 2, last: 5 }, { first: 2, last: 4 }, { first: 2, last: 3 }]);
  expect(moduleFolds([])).toEqual([]);
});

test("a broken budget: the line of its cause, or that of the policy, and how many more there are", () => {
  const memory = { budget: "peak_memory", text: "the peak is 2.42 MB; the policy allows 2.00 MB", policy_line: 2, path: "/w/rope.py", line: 14 };
  const size = { budget: "file_size", text: "", policy_line: 3 };
  const budgets = { policy: "/w/etlens.toml", kept: 0, violated: 2, not_checked: 0, broken: [memory, size] };
  expect(brokenWords(budgets)).toBe("peak_memory rope.py:14, +1");
  expect(brokenWords({ ...budgets, broken: [size] })).toBe("file_size etlens.toml:3");
  expect(brokenWords({ ...budgets, broken: [] })).toBe("");
});
