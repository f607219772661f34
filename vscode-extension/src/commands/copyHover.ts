// SPDX-License-Identifier: Apache-2.0
// Copies what the hover says about the line of the cursor, as Markdown.
import * as vscode from "vscode";
import type { Hover, MarkupContent } from "vscode-languageclient";
import { portable } from "../base/portableMarkdown";
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
  const text = portable((hover.contents as MarkupContent).value);
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage("etlens: copied as Markdown", 3000);
  return text;
}
