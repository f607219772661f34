// SPDX-License-Identifier: Apache-2.0
// The edge program as a document, and both ways between its nodes and the source.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import { openSource } from "./jump";
import type { Parts } from "./parts";

// Shows the program beside the source, at the nodes of the cursor's line.
export async function openEdgeProgram({ server }: Parts): Promise<void> {
  const from = vscode.window.activeTextEditor;
  const program = await server.request<protocol.EdgeProgramResult>(protocol.edgeProgram);
  const nodes = program.nodes.filter(
    ({ source }) =>
      source?.uri !== undefined &&
      vscode.Uri.parse(source.uri).toString() === from?.document.uri.toString() &&
      source.line === from.selection.active.line,
  );
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(program.uri), {
    viewColumn: vscode.ViewColumn.Beside,
    preview: false,
  });
  // Whole lines, so that they are seen; the cursor at their beginning, so that nothing scrolls aside.
  const selections = nodes.map(({ line }) => new vscode.Selection(editor.document.lineAt(line).range.end, new vscode.Position(line, 0)));
  const first = selections[0];
  if (first === undefined) return;
  editor.selections = selections;
  editor.revealRange(first, vscode.TextEditorRevealType.InCenter);
}

export async function openNodeSource({ server }: Parts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const program = await server.request<protocol.EdgeProgramResult>(protocol.edgeProgram);
  const node = program.nodes.find(({ line }) => line === editor?.selection.active.line);
  if (editor?.document.uri.scheme !== protocol.providedScheme || node === undefined) {
    throw new Error("put the cursor on a node of the edge program");
  }
  if (node.source === undefined) throw new Error(`${node.name} has no source line`);
  await openSource(node.source);
}
