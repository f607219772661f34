// SPDX-License-Identifier: Apache-2.0
// All that the editor is told of a document of Python, as plain values that can be written to a file and compared.
import * as vscode from "vscode";

export type Answers = Record<string, unknown>; // by what was asked, and where

// What the editor asks about a document: NAME, [command, arguments behind the address of the document].
const ofDocument: Record<string, [string, unknown[]]> = {
  symbols: ["vscode.executeDocumentSymbolProvider", []],
  folding: ["vscode.executeFoldingRangeProvider", []],
  links: ["vscode.executeLinkProvider", []],
  colors: ["vscode.executeDocumentColorProvider", []],
  formatting: ["vscode.executeFormatDocumentProvider", [{ tabSize: 4, insertSpaces: true }]],
  "semantic tokens": ["vscode.provideDocumentSemanticTokens", []],
  "inlay hints": ["vscode.executeInlayHintProvider", [new vscode.Range(0, 0, 10_000, 0)]],
  lenses: ["vscode.executeCodeLensProvider", [1000]],
};

// The same of a place in it; the position is the first argument.
const ofPlace: Record<string, [string, unknown[]]> = {
  highlights: ["vscode.executeDocumentHighlights", []],
  hovers: ["vscode.executeHoverProvider", []],
  definitions: ["vscode.executeDefinitionProvider", []],
  declarations: ["vscode.executeDeclarationProvider", []],
  "type definitions": ["vscode.executeTypeDefinitionProvider", []],
  implementations: ["vscode.executeImplementationProvider", []],
  references: ["vscode.executeReferenceProvider", []],
  completions: ["vscode.executeCompletionItemProvider", []],
  signatures: ["vscode.executeSignatureHelpProvider", []],
  renaming: ["vscode.executeDocumentRenameProvider", ["another_name"]],
  "type hierarchy": ["vscode.prepareTypeHierarchy", []],
};

// Whole objects of the editor's API; ids of a session (`_itemId`) are left out.
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return typeof value === "function" ? null : value;
  if (value instanceof vscode.Uri) return value.toString();
  if (value instanceof vscode.Position) return `${value.line}:${value.character}`;
  if (value instanceof vscode.Range) return `${value.start.line}:${value.start.character}-${value.end.line}:${value.end.character}`;
  if (value instanceof vscode.MarkdownString) return value.value;
  if (value instanceof vscode.TextEdit) return { range: plain(value.range), newText: value.newText };
  if (value instanceof vscode.WorkspaceEdit) return plain(value.entries());
  if (value instanceof Uint32Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("_")).map(([key, part]) => [key, plain(part)]));
}

// What cannot be done at a place (a rename in a comment) is said by an error, which is an answer, too.
async function ask(command: string, ...args: unknown[]): Promise<unknown> {
  try {
    return await vscode.commands.executeCommand(command, ...args);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

async function calls(uri: vscode.Uri, at: vscode.Position): Promise<unknown> {
  const items = await ask("vscode.prepareCallHierarchy", uri, at);
  if (!Array.isArray(items)) return items;
  return Promise.all(
    items.map(async (item: vscode.CallHierarchyItem) => ({
      item,
      incoming: await ask("vscode.provideIncomingCalls", item),
      outgoing: await ask("vscode.provideOutgoingCalls", item),
    })),
  );
}

// Of the document, and of the first place of each text in it; where in the text, `|` says.
export async function answersOf(uri: vscode.Uri, texts: string[]): Promise<Answers> {
  const document = await vscode.workspace.openTextDocument(uri);
  const answers: Answers = {};
  for (const [name, [command, args]] of Object.entries(ofDocument)) answers[name] = plain(await ask(command, uri, ...args));
  answers["symbols of the folder"] = plain(await ask("vscode.executeWorkspaceSymbolProvider", "rope"));
  for (const text of texts) {
    const offset = document.getText().indexOf(text.replace("|", ""));
    if (offset < 0) throw new Error(`${uri.fsPath} has no ${text}`);
    const at = document.positionAt(offset + text.indexOf("|"));
    for (const [name, [command, args]] of Object.entries(ofPlace)) answers[`${name} at ${text}`] = plain(await ask(command, uri, at, ...args));
    answers[`calls at ${text}`] = plain(await calls(uri, at));
    answers[`selections at ${text}`] = plain(await ask("vscode.executeSelectionRangeProvider", uri, [at]));
    answers[`actions at ${text}`] = plain(await ask("vscode.executeCodeActionProvider", uri, new vscode.Range(at, at)));
  }
  return answers;
}
