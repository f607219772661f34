// SPDX-License-Identifier: Apache-2.0
// The server's graph as the page draws it: one box of words for each node. Knows no editor.
import type { GraphBox, GraphLink, GraphRepeat } from "../webview/data";
import type { GraphNodeView, GraphResult, GraphValueView, GraphView, SourceLine } from "../base/protocol";

const ends = new Set(["input", "output", "constant", "state"]);

// Places are known by their recorded line.
const lineKey = (recordedPath: string, line: number) => `${line} ${recordedPath}`;

// "[1, 64] float32"; "" of what is no tensor.
function valueWords({ shape, dtype }: GraphValueView): string {
  return [shape, dtype].filter((word) => word !== null && word !== "").join(" ");
}

function titleOf(node: GraphNodeView, title: string): string {
  if (ends.has(node.kind)) return node.name === null ? node.kind : `${node.kind} ${node.name}`;
  return node.instruction_id === null ? title : `${node.instruction_id}: ${title}`;
}

export function graphBoxes(
  { nodes }: GraphView,
  titles: readonly string[],
  places: readonly SourceLine[],
  placeWords: (place: SourceLine) => string,
): GraphBox[] {
  const placeOf = new Map(places.map(({ recorded_path, line }, p) => [lineKey(recorded_path, line), p]));
  return nodes.map((node) => {
    const at = node.line === null || node.recorded_path === null ? undefined : placeOf.get(lineKey(node.recorded_path, node.line));
    const source = at === undefined ? undefined : places[at];
    const title = titleOf(node, titles[node.id] ?? node.kind);
    const made = node.makes.map(valueWords).filter((words) => words !== "");
    const line = source === undefined ? [] : [placeWords(source)];
    const lines = node.kind === "output" ? line : [...made.slice(0, 2), ...(made.length > 2 ? [`and ${made.length - 2} more`] : []), ...line];
    const literals = node.literals.length === 0 ? "" : `with ${node.literals.map(({ text }) => text).join(", ")}`;
    const more = [node.name === null || title.endsWith(node.name) ? "" : node.name, literals, node.module ?? "", ...made.slice(2)].filter((words) => words !== "");
    return {
      id: node.id,
      kind: node.kind,
      ...(node.group !== null && { group: node.group }),
      title,
      lines,
      more,
      makes: node.makes.map(({ value }) => value),
      ...(at !== undefined && { place: at }),
    };
  });
}

export function graphLinks({ edges }: GraphView): GraphLink[] {
  return edges.map(({ from, to, value }) => ({ from, to, value }));
}

export function graphRepeats({ nodes, repeats }: GraphView): GraphRepeat[] {
  return repeats.map((repeat) => {
    const moduleOf = (row: number | undefined) => (row === undefined ? null : nodes[row]?.module);
    const further = repeat.nodes.slice(repeat.count).map(moduleOf).filter((module) => typeof module === "string" && module !== "");
    const [first, last] = [further[0] ?? "", further.at(-1) ?? ""];
    return { ...repeat, words: first === last ? first : `${first} to ${last}` };
  });
}

// Ids of the nodes of a line (0-based) of the text of now.
export function nodesOfLine({ graph, places }: GraphResult, uri: string, line: number): number[] {
  const keys = new Set(
    places.filter((place) => place.uri !== undefined && place.current_line === line + 1 && sameFile(place.uri, uri)).map(({ recorded_path, line: recorded }) => lineKey(recorded_path, recorded)),
  );
  return (graph?.nodes ?? [])
    .filter((node) => node.line !== null && node.recorded_path !== null && keys.has(lineKey(node.recorded_path, node.line)))
    .map(({ id }) => id);
}

// Editors escape more of a path than the server does.
function sameFile(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return decodeURIComponent(a) === decodeURIComponent(b);
  } catch {
    return false;
  }
}
