// SPDX-License-Identifier: Apache-2.0
// What `etlens profile MODEL --probe --json` prints (docs/profile.md), read. Knows no editor.

import { parsePrinted } from "./printed";
import type { ProfileProbeView, ProfileProblemView } from "./protocol";

// Throws a sentence for anything else.
export function parseProbe(text: string): ProfileProbeView {
  return parsePrinted(text, "etlens/profile-probe@1", "what it found of the model") as ProfileProbeView;
}

// Why a text is no shape and type, or "": "1x3x224x224", "1x16:int64".
export function inputProblem(text: string): string {
  return /^\d+(x\d+)*(:\w+)?$/.test(text.trim()) ? "" : "A shape such as 1x3x224x224, or with its type: 1x16:int64";
}

// What is missing, and what to do about it.
export function problemText({ text, remedy }: ProfileProblemView): string {
  return remedy === null ? text : `${text} ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}${/[.!?]$/.test(remedy) ? "" : "."}`;
}
