// SPDX-License-Identifier: Apache-2.0
// Rows of the table of events as its page draws them: text for every column, and the whole in words.
import { changeWords, shortChange } from "../base/comparison";
import { count, percent, place, placeOr } from "../base/format";
import type * as protocol from "../base/protocol";
import type { TableRow } from "../webview/data";

// What the commands of a row's context menu know of it.
export interface RowContext {
  event?: number;
  generation: number;
  exclude?: string; // the term of the filter that hides it
  copy: string;
  module?: string;
  source?: protocol.SourceLine; // of what is no event
}

// VS Code reads these names for the conditions of menus.
export function contextText(hasLine: boolean, context: RowContext): string {
  return JSON.stringify({
    ...context,
    webviewSection: "row",
    etlensHasLine: hasLine,
    etlensHasModule: context.module !== undefined,
    preventDefaultContextMenuItems: true,
  });
}

// As people say it: "linear" of aten.linear.default.
function shortOperator(name: string): string {
  return name.replace(/^aten\./, "").replace(/\.default$/, "");
}

// What runs on the CPU has no delegate to name.
const ranOn = ({ where, part }: protocol.EventItem): string => (where === "" && part === "line" ? "CPU" : where);

// How its place was found; nothing for what has none.
const placedAs = ({ confidence, part }: protocol.EventItem): string => (part === "line" || part === "opaque_partition" ? confidence : "");

// `numbers`: what stands behind a number, "typical".
function wordsOf(item: protocol.EventItem, numbers: string): string {
  const details = [
    item.title ?? item.event,
    item.op && `operator ${item.op}`,
    // Only events of a dump were measured several times.
    item.remark === undefined
      ? `${item.self_text} ${numbers}, ${percent(item.share)} of the method; p50 ${item.p50_text}, p90 ${item.p90_text}`
      : `${item.self_text}, ${percent(item.share)}, ${item.remark}`,
    item.spread_text,
    `running sum ${percent(item.running_share)}`,
    ranOn(item) && `on ${ranOn(item)}`,
    item.partition !== null && `delegate call ${item.partition}`,
    item.module && `in ${item.module}`,
    item.line_text === undefined ? item.part_text : `at ${placeOr("", item)}: ${item.line_text.trim()}`,
    placedAs(item) && `placed: ${placedAs(item)}`,
    ...changeWords(item.change).map((words) => `its line: ${words}`),
  ];
  return details.filter((detail) => typeof detail === "string" && detail !== "").join(", ");
}

function eventRow(item: protocol.EventItem, { level, exclude = "" }: protocol.EventRow, generation: number, numbers: string): TableRow {
  const name = item.title ?? item.event;
  const cells = {
    cost: item.self_text,
    share: percent(item.share),
    line: placeOr(item.part_text, item),
    operator: item.op === null ? name : shortOperator(item.op),
    event: name,
    module: item.module_text,
    where: ranOn(item),
    confidence: placedAs(item),
    change: shortChange(item.change).join(""),
  };
  const copied = [cells.cost, cells.share, cells.line, item.op ?? "", name, cells.module, cells.where, cells.confidence];
  return {
    level,
    event: item.id,
    cells,
    share: item.share,
    hasLine: item.line !== null,
    words: wordsOf(item, numbers),
    context: contextText(item.line !== null, {
      event: item.id,
      generation,
      exclude,
      copy: copied.join("\t"),
      ...(item.module_text !== "" && { module: item.module ?? "" }),
    }),
  };
}

function groupRow(item: protocol.EventGroupItem, grouping: string, generation: number): TableRow {
  const name = item.source === undefined ? item.name : place(item.source);
  const code = item.source === undefined ? "" : item.source.text.trim();
  const events = count(item.count, "event");
  const sum = item.running_share === 0 ? [] : [`sum ${percent(item.running_share)}`];
  const module = grouping === "module" ? { module: item.name } : {};
  return {
    level: 1,
    key: item.key,
    isOpen: item.is_open,
    cells: { cost: item.self_text, share: percent(item.share), change: shortChange(item.change).join("") },
    label: [name, code, events, ...sum].filter((text) => text !== "").join(" · "),
    share: item.share,
    hasLine: item.source !== undefined,
    words: [`${name}: ${item.self_text}`, `${percent(item.share)} in ${events}`, ...sum.map((text) => `running ${text}`), code, ...changeWords(item.change)]
      .filter((text) => text !== "")
      .join(", "),
    context: contextText(item.source !== undefined, {
      generation,
      exclude: item.exclude,
      copy: [item.self_text, percent(item.share), name, events].join("\t"),
      ...module,
      ...(item.source !== undefined && { source: item.source }),
    }),
  };
}

export function tableRows({ rows, generation }: protocol.EventTableResult, grouping: string, numbers: string): TableRow[] {
  return rows.flatMap((row) => {
    if (row.group !== undefined) return [groupRow(row.group, grouping, generation)];
    return row.event === undefined ? [] : [eventRow(row.event, row, generation, numbers)];
  });
}
