// SPDX-License-Identifier: Apache-2.0
// Copies what the hover says about the line of the cursor, as Markdown.
import * as vscode from "vscode";
import type { Hover, MarkupContent } from "vscode-languageclient";
import type { Parts } from "./parts";

export async function copyHover({ server }: Parts): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error("no editor is open");
  const { line, character } = editor.selection.active;
  const hover = await server.request<Hover | null>("textDocument/hover", {
    textDocument: { uri: editor.document.uri.toString() },
    position: { line, character },
  });
  if (hover === null) throw new Error("nothing was measured on this line");
  const text = withoutLinks(withoutPictures((hover.contents as MarkupContent).value));
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage("etlens: copied as Markdown", 3000);
  return text;
}

// A picture as data would be a page of letters in a chat or an issue.
function withoutPictures(markdown: string): string {
  return markdown.replace(/\n*!\[[^\]]*\]\(data:[^)]*\)/g, "");
}

// Files of this machine are nowhere else. The label may be code, which may hold brackets.
function withoutLinks(markdown: string): string {
  return markdown.replace(/\[(`[^`]*`|[^[\]\\]*(?:\\.[^[\]\\]*)*)\]\(file:[^)\s]*\)/g, "$1");
}
