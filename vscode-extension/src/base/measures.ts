// SPDX-License-Identifier: Apache-2.0
// What is on the lines: time, or another measure that the artifacts hold. Knows no editor.
import type { MeasureItem, StatusProfile, StatusResult } from "./protocol";

const usual = "time";
// What stands on the lines before the first run.
const usualOfExport = "operators";

// The measure on the lines; undefined if it is time, or of an export the operators, which need no word.
export function unusualMeasure(status: Pick<StatusResult, "measures"> | undefined): MeasureItem | undefined {
  return status?.measures.find(({ id, current }) => current && id !== usual && id !== usualOfExport);
}

// It has not run yet: there is no dump.
export function isOfExport({ etdump }: Pick<StatusProfile, "etdump">): boolean {
  return etdump === "";
}

// What the profile is known by: its dump, else its program, else its record.
export function shownPath({ etdump, pte, etrecord }: Pick<StatusProfile, "etdump" | "pte" | "etrecord">): string {
  return etdump === "" ? pte ?? etrecord ?? "" : etdump;
}

// "memory: 2.82 kB"
export function measureWords({ label, total }: MeasureItem): string {
  return `${label}: ${total.text}`;
}

// Whether anything ran: a Python profile alone has no executions, and nothing to say of time on a device.
export function isTimed(status: Pick<StatusResult, "measures"> | undefined): boolean {
  return status?.measures.some(({ id, total }) => id === usual && total.value > 0) ?? false;
}
