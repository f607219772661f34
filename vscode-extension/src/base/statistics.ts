// SPDX-License-Identifier: Apache-2.0
// Words for what the numbers are: which statistic, of which executions, how sure, how noisy.
import { count } from "./format";
import type { StatusProfile } from "./protocol";

export interface Statistic {
  name: string; // of the protocol and the setting
  word: string; // behind a number
  explanation: string; // one line
}

export const statistics: readonly Statistic[] = [
  { name: "typical", word: "typical", explanation: "The mean without what disturbed single executions: interruptions, warm-up, cold caches" },
  { name: "mean", word: "mean", explanation: "The mean of all chosen executions, with everything that disturbed them" },
  { name: "median", word: "median", explanation: "Of each event, the execution in the middle" },
  { name: "min", word: "minimum", explanation: "Of each event, the shortest execution" },
  { name: "max", word: "maximum", explanation: "Of each event, the longest execution" },
];

type Sample = Pick<StatusProfile, "statistic" | "executions" | "executions_used" | "executions_shown">;

function word(name: string): string {
  return statistics.find((statistic) => statistic.name === name)?.word ?? name;
}

// What stands behind a number: "12 µs typical".
export function numberWord(sample: Sample): string {
  return sample.executions_used === 1 ? "in a single sample" : word(sample.statistic);
}

// "typical of 45 of 50 executions"
export function sampleWords(sample: Sample): string {
  const all = count(sample.executions, "execution");
  if (sample.executions_used === 1) {
    return sample.executions === 1 ? `a single sample, of ${all}` : `a single sample, execution ${sample.executions_shown} of ${sample.executions}`;
  }
  const used = sample.executions_used === sample.executions ? all : `${sample.executions_used} of ${all}`;
  return `${word(sample.statistic)} of ${used}`;
}

// "146 µs typical"
export function total(sample: Sample & Pick<StatusProfile, "total_text">): string {
  if (sample.executions_used === 0) return sample.total_text;
  return `${sample.total_text} ${sample.executions_used === 1 ? "single sample" : word(sample.statistic)}`;
}

// "146 µs typical · 1.17 ms mean"
export function totals(sample: Sample & Pick<StatusProfile, "total_text" | "mean_text">): string {
  const { total_text: total, mean_text: mean } = sample;
  if (sample.executions_used === 0) return total;
  if (sample.executions_used === 1) return `${total} single sample`;
  const first = `${total} ${word(sample.statistic)}`;
  return sample.statistic === "mean" ? first : `${first} · ${mean} mean`;
}

// What differs from the settings' defaults, and whoever reads a number should know: "" if nothing does.
export function unusual(sample: Sample & Pick<StatusProfile, "raw">): string {
  const facts = [
    sample.executions_used === 1 ? "single sample" : sample.statistic === "typical" ? "" : word(sample.statistic),
    sample.raw ? "clocks as logged" : "",
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

const maxOdd = 5;

// The executions that are far from the others, a line each.
export function oddWords({ odd }: Pick<StatusProfile, "odd">, most = maxOdd): string[] {
  const words = odd.slice(0, most).map(({ execution, total_text, text }) => `execution ${execution}: ${total_text}${text === "" ? "" : `, ${text}`}`);
  return odd.length > most ? [...words, `and ${odd.length - most} more far from the others`] : words;
}

// As etlens.executions takes it: "1-25,30".
export function isExecutionList(text: string): boolean {
  return /^\s*\d+(\s*-\s*\d+)?(\s*,\s*\d+(\s*-\s*\d+)?)*\s*$/.test(text);
}
