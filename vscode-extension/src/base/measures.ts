// SPDX-License-Identifier: Apache-2.0
// What is on the lines: time, or another measure that the artifacts hold. Knows no editor.
import type { MeasureItem, StatusResult } from "./protocol";

const usual = "time";

// The measure on the lines; undefined if it is time, which needs no word.
export function unusualMeasure(status: Pick<StatusResult, "measures"> | undefined): MeasureItem | undefined {
  return status?.measures.find(({ id, current }) => current && id !== usual);
}

// "memory: 2.82 kB"
export function measureWords({ label, total }: MeasureItem): string {
  return `${label}: ${total.text}`;
}

// Whether anything ran: a Python profile alone has no executions, and nothing to say of time on a device.
export function isTimed(status: Pick<StatusResult, "measures"> | undefined): boolean {
  return status?.measures.some(({ id, total }) => id === usual && total.value > 0) ?? false;
}
