// SPDX-License-Identifier: Apache-2.0
// A hover's Markdown for a chat or an issue: without pictures, which as data would be a page of letters there, and
// without links to files of this machine.

export function portable(markdown: string): string {
  return markdown
    .replace(/\n*!\[[^\]]*\]\(data:[^)]*\)/g, "")
    // A label may be code, which may hold brackets.
    .replace(/\[(`[^`]*`|[^[\]\\]*(?:\\.[^[\]\\]*)*)\]\(file:[^)\s]*\)/g, "$1");
}
