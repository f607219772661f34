// SPDX-License-Identifier: Apache-2.0
// What a folder that nobody trusts may choose: how numbers are shown. Which files are read, by what and how, is its
// user's alone. Knows no editor.

// All others are restricted (package.json: restrictedConfigurations; a test holds the two together).
export const displaySettings: readonly string[] = [
  "hints.enabled",
  "hints.display",
  "hints.thresholdPercent",
  "hints.format",
  "timeUnit",
  "heat.enabled",
  "heat.overviewRuler",
  "column.enabled",
  "codeLens.enabled",
  "hover.enabled",
  "diagnostics.values",
  "diagnostics.fallback",
];

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Nothing is written below a folder that is not trusted, whatever its user wants elsewhere.
const never: Readonly<Record<string, unknown>> = { "runs.enabled": false };

// Settings of a section as the server is told them, in which those that are no display are the user's own.
export function ofUser(values: unknown, own: (name: string) => unknown, group = ""): unknown {
  if (!isGroup(values)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const name = `${group}${key}`;
      if (name in never) return [key, never[name]];
      if (isGroup(value)) return [key, ofUser(value, own, `${name}.`)];
      return [key, displaySettings.includes(name) ? value : own(name)];
    }),
  );
}
