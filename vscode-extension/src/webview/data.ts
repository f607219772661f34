// SPDX-License-Identifier: Apache-2.0
// What the extension sends to the pages of its pictures.

export interface FlameNode {
  path: string;
  name: string;
  time: string;
  self: string;
  share: number; // inclusive, of the method
  shareText: string;
  ownShare: number; // of the frame above, 0 to 1: its width
  heat: number; // of the self time, 0 to 4
  hasSource: boolean;
  children: FlameNode[];
}

export interface FlameData {
  title: string;
  why: string; // why there is nothing, or ""
  roots: FlameNode[];
}

export interface ChartTensor {
  value: number; // in the plan's table
  first: number; // instructions, both included
  last: number;
  offset: number; // bytes
  bytes: number;
  label: string; // short
  words: string; // all that is known of it
  group: number; // into ChartData.groups
  place?: number; // of the source line, if there is one
}

export interface ChartBuffer {
  id: number;
  text: string;
  size: number;
  sizeText: string;
  peakInstruction: number;
  peakText: string;
  live: number[]; // bytes in use, by instruction
  tensors: ChartTensor[]; // without views, whose bytes are their base's
}

export interface ChartWaiting {
  text: string;
  values: number[];
  place?: number;
}

export interface ChartData {
  title: string;
  why: string; // why there is nothing, or ""
  methods: { name: string; text: string; current: boolean }[];
  instructions: string[];
  groups: { name: string; tone: number }[]; // tone: 0 is neutral, 1 to 12 are colours
  buffers: ChartBuffer[];
  waiting: ChartWaiting[];
  notes: string[];
}

export interface MapNode {
  key: string; // the same after the next reading
  level: "file" | "kind" | "module" | "part";
  label: string; // short
  size: string;
  words: string;
  bytes: number;
  tone: number;
  place?: number; // of the source line, if there is one; of a group that of its largest part
  children: MapNode[];
}

export interface MapData {
  title: string;
  why: string; // why there is nothing, or ""
  kinds: { name: string; tone: number }[];
  root?: MapNode;
  notes: string[];
}
