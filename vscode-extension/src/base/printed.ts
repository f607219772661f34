// SPDX-License-Identifier: Apache-2.0
// Documents that the executable prints as JSON. Knows no editor.

// A document of this schema ("etlens/gate@1"). Throws a sentence for anything else; `what` is what should have been printed.
export function parsePrinted(text: string, schema: string, what: string): unknown {
  let printed: { schema?: unknown };
  try {
    printed = JSON.parse(text) as { schema?: unknown };
  } catch {
    throw new Error(`etlens printed something else than ${what}`);
  }
  if (printed.schema !== schema) throw new Error(`etlens printed ${String(printed.schema)}, this extension reads ${schema}`);
  return printed;
}
