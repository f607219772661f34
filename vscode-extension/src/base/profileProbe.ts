// SPDX-License-Identifier: Apache-2.0
// What `etlens profile MODEL --probe --json` prints, as far as it is read here (docs/profile.md). Knows no editor.

export interface ProfileProblem {
  id: string;
  text: string; // a sentence
  remedy: string | null;
  command: string | null; // the line for a shell that mends it
  stops: boolean; // a run would end there
}

export interface ProfileInput {
  name: string; // of the argument of forward
  guess: string | null; // "1x3x224x224:float32"
  source: string | null; // where it comes from, "the layer stem (Conv2d)"
}

export interface ProfileProbe {
  class_name: string;
  script: string; // absolute paths
  script_exists: boolean;
  problems: ProfileProblem[];
  needs_inputs: boolean;
  inputs: ProfileInput[];
  dump: string; // that a run writes
}

const schema = "etlens/profile-probe@1";

// Throws a sentence for anything else.
export function parseProbe(text: string): ProfileProbe {
  let probe: { schema?: unknown };
  try {
    probe = JSON.parse(text) as { schema?: unknown };
  } catch {
    throw new Error("etlens printed something else than what it found of the model");
  }
  if (probe.schema !== schema) throw new Error(`etlens printed ${String(probe.schema)}, this extension reads ${schema}`);
  return probe as ProfileProbe;
}

// Why a text is no shape and type, or "": "1x3x224x224", "1x16:int64".
export function inputProblem(text: string): string {
  return /^\d+(x\d+)*(:\w+)?$/.test(text.trim()) ? "" : "A shape such as 1x3x224x224, or with its type: 1x16:int64";
}

// What is missing, and what to do about it.
export function problemText({ text, remedy }: ProfileProblem): string {
  return remedy === null ? text : `${text} ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}${/[.!?]$/.test(remedy) ? "" : "."}`;
}
