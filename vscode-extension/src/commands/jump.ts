// SPDX-License-Identifier: Apache-2.0
// Ways to a source line: from an event, a module, a row of a view, the next hot line.
import * as vscode from "vscode";
import { place } from "../base/format";
import * as protocol from "../base/protocol";
import type { Parts } from "./parts";

// `column`: of the editor; without one the one that is active.
export async function openSource(source: protocol.SourceLine, column?: vscode.ViewColumn): Promise<vscode.TextEditor> {
  if (source.uri === undefined) {
    throw new Error(`${source.recorded_path} was not found here; map its folder with the setting etlens.pathMappings`);
  }
  if (source.current_line === null) throw new Error(`${place(source)} (${source.text.trim()}) is not in the text any more`);
  const position = new vscode.Position(source.current_line - 1, 0);
  const selection = new vscode.Range(position, position);
  return vscode.window.showTextDocument(vscode.Uri.parse(source.uri), { selection, ...(column !== undefined && { viewColumn: column }) });
}

// Where it is in the text of now: it may have moved since the row was made.
export async function sourceNow({ server }: Parts, source: protocol.SourceLine): Promise<protocol.SourceLine> {
  if (source.uri === undefined) return source;
  const { lines, unplaced } = await server.request<protocol.LineCostsResult>(protocol.lineCosts, { textDocument: { uri: source.uri } });
  const found = [...lines, ...unplaced].find(({ recorded_path, line }) => recorded_path === source.recorded_path && line === source.line);
  return found === undefined ? source : { ...source, current_line: found.current_line };
}

// The server shows the line itself: it knows where it is now.
export function openEvent({ server }: Parts, event: protocol.JumpToEventArguments): Promise<protocol.JumpTarget> {
  return server.execute(protocol.commands.jumpToEvent, event);
}

// From a picture: where it was found, and a column beside the picture.
export async function openPlace(_: Parts, { source, column }: { source?: protocol.SourceLine; column?: vscode.ViewColumn }): Promise<void> {
  if (source === undefined) throw new Error("etlens has read another program since then");
  await openSource(source, column);
}

export async function openModule({ server }: Parts, module: string | { path: string; column: vscode.ViewColumn }): Promise<void> {
  const { path, column } = typeof module === "string" ? { path: module, column: undefined } : module;
  const { location } = await server.request<protocol.ModuleSourceResult>(protocol.moduleSource, { path } satisfies protocol.ModuleSourceParams);
  if (location === undefined) throw new Error(`${path === "" ? "the model" : path} was not found in the sources here`);
  const { start } = location.range;
  const position = new vscode.Position(start.line, start.character);
  const selection = new vscode.Range(position, position);
  await vscode.window.showTextDocument(vscode.Uri.parse(location.uri), { selection, ...(column !== undefined && { viewColumn: column }) });
}

// By its recorded place; where it is now may have changed since the row was made.
export type RecordedPlace = [path: string, line: number];

export async function openAdviceLine({ server }: Parts, at: RecordedPlace): Promise<void> {
  const { advice } = await server.request<protocol.AdviceResult>(protocol.advice);
  await openOneOf(
    advice.flatMap((item) => item.lines),
    at,
  );
}

export async function openNotDelegatedLine({ server }: Parts, at: RecordedPlace): Promise<void> {
  const { operators } = await server.request<protocol.DelegationResult>(protocol.delegation);
  await openOneOf(
    operators.flatMap((item) => item.lines),
    at,
  );
}

async function openOneOf(sources: protocol.SourceLine[], [path, line]: RecordedPlace): Promise<void> {
  const source = sources.find((candidate) => candidate.recorded_path === path && candidate.line === line);
  if (source === undefined) throw new Error("etlens has loaded another profile since then");
  await openSource(source);
}

export function stepHotLine(parts: Parts, command: string): Promise<protocol.JumpTarget> {
  return step(parts, command, "hot line");
}

export function stepChangedLine(parts: Parts, command: string): Promise<protocol.JumpTarget> {
  return step(parts, command, "changed line");
}

async function step({ server }: Parts, command: string, what: string): Promise<protocol.JumpTarget> {
  const editor = vscode.window.activeTextEditor;
  const position = editor?.selection.active;
  const argument: protocol.HotLineArguments =
    editor === undefined || position === undefined
      ? {}
      : { uri: editor.document.uri.toString(), position: { line: position.line, character: position.character } };
  const target = await server.execute<protocol.JumpTarget>(command, argument);
  const elsewhere = target.elsewhere === undefined ? "" : `; ${target.elsewhere} more ${target.elsewhere === 1 ? "is" : "are"} not in any text here`;
  vscode.window.setStatusBarMessage(`etlens: ${what} ${target.rank ?? "?"} of ${target.count ?? "?"}${elsewhere}`, 3000);
  return target;
}
