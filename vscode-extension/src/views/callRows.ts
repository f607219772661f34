// SPDX-License-Identifier: Apache-2.0
// Rows of the table of delegate calls, from the server's answer. Knows no page.
import { count, percent, place } from "../base/format";
import type * as protocol from "../base/protocol";
import type { TableRow } from "../webview/data";
import { contextText } from "./eventRows";

// A row of the first level, and what it opens to.
export interface CallRow {
  share: number;
  first: number; // the number of its first call: the order of execution
  module: string;
  drawn: (open: ReadonlySet<string>) => TableRow[];
}

const name = ({ id, where }: protocol.PartitionItem) => `#${id} ${where === "" ? "delegate" : where}`;
const backend = ({ where }: protocol.PartitionItem) => (where === "" ? "delegate" : where);

function lineCell(places: protocol.SourceLine[]): string {
  const [only] = places;
  return only !== undefined && places.length === 1 ? place(only) : places.length === 0 ? "" : count(places.length, "line");
}

function context(generation: number, source: protocol.SourceLine | undefined, copy: (string | undefined)[]): string {
  return contextText(source !== undefined, { generation, copy: copy.join("\t"), ...(source !== undefined && { source }) });
}

// Its only line; of several none is meant.
const lineOf = (places: protocol.SourceLine[]) => (places.length === 1 ? places[0] : undefined);

function lineRow(generation: number, source: protocol.SourceLine, of: string): TableRow {
  const code = source.text.trim();
  return {
    level: 2,
    cells: { call: code, line: place(source) },
    share: 0,
    hasLine: true,
    words: `${place(source)}, in ${of}: ${code}`,
    context: context(generation, source, [place(source), code]),
  };
}

function callCells(call: protocol.PartitionItem): TableRow["cells"] {
  return {
    cost: call.total_text,
    share: percent(call.share),
    call: name(call),
    line: lineCell(call.places),
    module: call.module,
    explained: call.explained_text,
    opaque: call.opaque_text,
    unmeasured: call.overhead_text,
  };
}

function callWords(call: protocol.PartitionItem): string {
  const facts = [
    `Delegate call ${name(call)}, instruction ${call.instruction_id}: ${call.total_text}, ${percent(call.share)}`,
    `explained by operators ${call.explained_text}, opaque ${call.opaque_text}, not measured ${call.overhead_text}`,
    count(call.places.length, "line"),
    call.init_text === undefined ? "" : `${call.init_text} once, to set it up`,
    call.module === "" ? "" : `in ${call.module}`,
  ];
  return facts.filter((fact) => fact !== "").join("; ");
}

function callRow(generation: number, level: number, call: protocol.PartitionItem): TableRow {
  const source = lineOf(call.places);
  const cells = callCells(call);
  return {
    level,
    cells,
    share: call.share,
    hasLine: source !== undefined,
    words: callWords(call),
    context: context(generation, source, [cells.cost, cells.share, cells.call, cells.line, cells.module]),
  };
}

// One call opens to its lines, equal ones to their lines and to each.
function ofGroup(result: protocol.PartitionsResult, group: protocol.PartitionGroupItem): CallRow[] {
  const { generation } = result;
  const calls = group.partitions.flatMap((index) => result.partitions[index] ?? []);
  const [call] = calls;
  if (call === undefined) return [];
  const isOne = calls.length === 1;
  const key = isOne ? `call ${call.id}` : `calls ${call.id}`;
  const single = callRow(generation, 1, call);
  const folded: TableRow = {
    ...single,
    cells: {
      cost: group.total.text,
      share: percent(group.share),
      call: `${calls.length} × ${backend(call)}`,
      line: lineCell(call.places),
      module: group.module,
      explained: group.explained.text,
      opaque: group.opaque.text,
      unmeasured: group.overhead.text,
    },
    share: group.share,
    words:
      `${calls.length} equal delegate calls of ${backend(call)}: ${group.total.text}, ${percent(group.share)}; ` +
      `explained by operators ${group.explained.text}, opaque ${group.opaque.text}, not measured ${group.overhead.text}` +
      (group.module === "" ? "" : `; in ${group.module}`),
  };
  const top = isOne ? single : folded;
  const lines = call.places.map((source) => lineRow(generation, source, isOne ? `delegate call ${call.id}` : "these delegate calls"));
  const below = isOne ? lines : [...lines, ...calls.map((each) => callRow(generation, 2, each))];
  const drawn = (open: ReadonlySet<string>) => {
    if (below.length === 0) return [top];
    const isOpen = open.has(key);
    return [{ ...top, key, isOpen }, ...(isOpen ? below : [])];
  };
  return [{ share: group.share, first: call.id, module: group.module, drawn }];
}

function ofFallbacks(result: protocol.PartitionsResult, line: protocol.FallbackLineItem): CallRow[] {
  const { generation } = result;
  const { source } = line;
  const gaps = line.fallbacks.flatMap((index) => result.fallbacks[index] ?? []);
  const [gap] = gaps;
  if (gap === undefined) return [];
  const code = source.text.trim();
  const times = gaps.length === 1 ? "" : ` ×${gaps.length}`;
  const key = `fallback ${source.recorded_path}:${source.line}`;
  const top: TableRow = {
    level: 1,
    cells: { cost: line.self.text, share: percent(line.share), call: `CPU${times}: ${code}`, line: place(source) },
    share: line.share,
    hasLine: true,
    words: `Fallback at ${place(source)}: ${gaps.length === 1 ? gap.sentence : `${line.self.text}, ${percent(line.share)}, between delegate calls ${gaps.length} times`}: ${code}`,
    context: context(generation, source, [line.self.text, percent(line.share), `CPU${times}`, place(source), code]),
  };
  const below = gaps.map((each): TableRow => ({
    level: 2,
    cells: { cost: each.self_text, share: percent(each.share), call: `between #${each.before} and #${each.after}`, line: place(source) },
    share: each.share,
    hasLine: true,
    words: each.sentence,
    context: context(generation, source, [each.self_text, percent(each.share), each.sentence]),
  }));
  const drawn = (open: ReadonlySet<string>) => {
    if (below.length < 2) return [top];
    const isOpen = open.has(key);
    return [{ ...top, key, isOpen }, ...(isOpen ? below : [])];
  };
  return [{ share: line.share, first: gap.before + 0.5, module: "", drawn }];
}

export function callRows(result: protocol.PartitionsResult): CallRow[] {
  return [...result.groups.flatMap((group) => ofGroup(result, group)), ...result.fallback_lines.flatMap((line) => ofFallbacks(result, line))];
}
