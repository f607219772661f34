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
