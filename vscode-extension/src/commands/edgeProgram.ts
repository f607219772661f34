// SPDX-License-Identifier: Apache-2.0
// The edge program as a document, and both ways between its nodes and the source.
import * as vscode from "vscode";
import { count } from "../base/format";
import { instancesOf } from "../base/instances";
import * as protocol from "../base/protocol";
import { openSource } from "./jump";
import type { Parts } from "./parts";

interface InstanceChoice extends vscode.QuickPickItem {
  nodes: protocol.EdgeProgramNode[];
}

// Of a node without a time nobody says that the CPU ran it: it may not have run at all.
function nodeWords({ name, self, where }: protocol.EdgeProgramNode): string {
  if (where !== "") return `${name} ${self.text} ${where}`;
  return self.value === 0 ? name : `${name} ${self.text} CPU`;
}

// A line that many modules run has nodes in each: all of them, or those of one.
async function chooseInstance(nodes: protocol.EdgeProgramNode[]): Promise<protocol.EdgeProgramNode[] | undefined> {
  const instances = instancesOf(nodes);
  if (instances.length < 2) return nodes;
  const choices: InstanceChoice[] = [
    { label: `All ${instances.length} modules`, description: count(nodes.length, "node"), nodes },
    ...instances.map(({ module, nodes: own }) => ({
      label: module === "" ? "the model itself" : module,
      description: own.map(nodeWords).join(", "),
      nodes: own,
    })),
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: "The Line in Which Module?", matchOnDescription: true });
  return chosen?.nodes;
}

// Shows the program beside the source, at the nodes of the cursor's line.
export async function openEdgeProgram({ server }: Parts): Promise<void> {
  const from = vscode.window.activeTextEditor;
  const program = await server.request<protocol.EdgeProgramResult>(protocol.edgeProgram);
  const ofLine = program.nodes.filter(
    ({ source }) =>
      source?.uri !== undefined &&
      vscode.Uri.parse(source.uri).toString() === from?.document.uri.toString() &&
      source.current_line === from.selection.active.line + 1,
  );
  const nodes = await chooseInstance(ofLine);
  if (nodes === undefined) return;
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
