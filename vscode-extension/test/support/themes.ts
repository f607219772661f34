// SPDX-License-Identifier: Apache-2.0
// The themes that VS Code comes with, as code-server has them, and how far apart two colours are.
import * as fs from "node:fs";
import * as path from "node:path";

export type Kind = "dark" | "light" | "highContrast" | "highContrastLight";

export interface Theme {
  name: string;
  kind: Kind;
  editor: number[]; // red, green, blue
  currentLine: number[];
}

const kinds: Record<string, Kind> = { "vs": "light", "vs-dark": "dark", "hc-black": "highContrast", "hc-light": "highContrastLight" };
// Where a theme names none, VS Code has these.
const editors: Record<Kind, string> = { light: "#ffffff", dark: "#1e1e1e", highContrast: "#000000", highContrastLight: "#ffffff" };

interface ThemeFile {
  include?: string;
  colors?: Record<string, string>;
}

// JSON with comments and trailing commas.
function parse(text: string): unknown {
  const bare = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, literal: string | undefined) => literal ?? "");
  return JSON.parse(bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, literal: string | undefined) => literal ?? ""));
}

function colours(file: string): Record<string, string> {
  const { include, colors } = parse(fs.readFileSync(file, "utf8")) as ThemeFile;
  return { ...(include !== undefined && colours(path.join(path.dirname(file), include))), ...colors };
}

// None where there is no code-server.
export function builtInThemes(cache: string): Theme[] {
  const folder = path.join(cache, "code-server/node_modules/code-server/lib/vscode/extensions");
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).filter((name) => name.startsWith("theme-")).flatMap((name) => {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, name, "package.json"), "utf8")) as
      { contributes: { themes?: { id: string; uiTheme: string; path: string }[] } };
    return (manifest.contributes.themes ?? []).map(({ id, uiTheme, path: file }): Theme => {
      const kind = kinds[uiTheme] ?? "dark";
      const own = colours(path.join(folder, name, file));
      const editor = bytes(own["editor.background"] ?? editors[kind]).slice(0, 3);
      return { name: id, kind, editor, currentLine: over(own["editor.lineHighlightBackground"] ?? "#00000000", editor) };
    });
  });
}

export const bytes = (hex: string) => (hex.toLowerCase().match(/[0-9a-f]{2}/g) ?? []).map((byte) => Number.parseInt(byte, 16));

// A colour with alpha over one without.
export function over(hex: string, under: number[]): number[] {
  const [red = 0, green = 0, blue = 0, alpha = 255] = bytes(hex);
  return [red, green, blue].map((byte, i) => ((under[i] ?? 0) * (255 - alpha) + byte * alpha) / 255);
}

// Of WCAG 2: how much light a colour gives, and how far two of them are apart.
function luminance(colour: number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(a: number[], b: number[]): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
