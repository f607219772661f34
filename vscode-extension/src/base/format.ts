// SPDX-License-Identifier: Apache-2.0
// Words for what the server counts. Times come as text from the server; shares are worded as it does.
// Knows no editor.
import * as path from "node:path";
import type { EventItem, SourceLine } from "./protocol";

export function percent(fraction: number): string {
  const value = fraction * 100;
  if (value === 0) return "0%";
  if (value < 0) return `−${percent(-fraction)}`;
  if (value < 0.1) return "<0.1%";
  // Almost everything is not everything.
  if (value >= 99.5 && value < 100) return `${Math.min(value, 99.9).toFixed(1)}%`;
  return value >= 9.95 ? `${value.toFixed(0)}%` : `${value.toFixed(1)}%`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

// Before what can be chosen: is it what is shown?
export const mark = (current: boolean) => (current ? "$(circle-filled)" : "$(circle-outline)");

// "tiny_llama.py:83"; of the text as it is now, where it is known.
export function place({ recorded_path, line, current_line }: Pick<SourceLine, "recorded_path" | "line" | "current_line">): string {
  return `${path.posix.basename(recorded_path)}:${current_line ?? line}`;
}

// The same of what may have no line: `without` then.
export function placeOr(without: string, { recorded_path, line, current_line }: Pick<EventItem, "recorded_path" | "line" | "current_line">): string {
  return recorded_path === null || line === null ? without : place({ recorded_path, line, current_line });
}

export function age(milliseconds: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - milliseconds) / 1000));
  if (seconds < 60) return "just now";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${count(minutes, "minute")} ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${count(hours, "hour")} ago`;
  return `${count(Math.round(hours / 24), "day")} ago`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

// A bar of text, as long as the fraction of `width` characters.
export function bar(fraction: number, width = 10): string {
  // Something is never drawn as nothing.
  const eighths = fraction > 0 ? Math.max(1, Math.round(Math.min(fraction, 1) * width * 8)) : 0;
  return "█".repeat(Math.floor(eighths / 8)) + (["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8] ?? "");
}

// Text of an artifact inside Markdown.
// As paragraphs that wrap: appendText of a MarkdownString has blanks that do not break, and cuts what is long.
export function markdownText(text: string): string {
  return escapeMarkdown(text).replaceAll("\n", "\n\n");
}

export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, "\\$&");
}
