// SPDX-License-Identifier: Apache-2.0
// What the extension sends to the page of the flame graph.

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
