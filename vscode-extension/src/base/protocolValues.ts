// SPDX-License-Identifier: Apache-2.0
// What many messages of protocol.ts hold: times, lines of sources, changes since a baseline.
export interface Time {
  value: number;
  unit: string;
  text: string;
}

export interface SourceLine {
  recordedPath: string;
  recordedLine: number;
  text: string;
  uri?: string;
  line?: number;
  anchor: string;
}

export interface ChangeItem {
  verdict: string;
  verdictText: string;
  likely: boolean;
  mark: string;
  text: string;
  before: Time;
  after: Time;
  interval: string;
  change?: number;
  low?: number;
  high?: number;
  reason?: string;
}

export interface ComparisonItem {
  baseline: string[];
  problem?: string;
  dumpsBefore: number;
  dumpsAfter: number;
  total?: ChangeItem;
  headline: string;
  counts: string;
  machine?: string;
  caveats: string[];
}
