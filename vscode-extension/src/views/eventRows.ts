// SPDX-License-Identifier: Apache-2.0
// Rows of the table of events as its page draws them: text for every column, and the whole in words.
import { changeWords, shortChange } from "../base/comparison";
import { count, percent, place } from "../base/format";
import type * as protocol from "../base/protocol";
import { spread } from "../base/statistics";
import type { TableRow } from "../webview/data";

// What the commands of a row's context menu know of it.
export interface RowContext {
  event?: number;
  generation: number;
  exclude: string; // the term of the filter that hides it
  copy: string;
  module?: string;
  source?: protocol.SourceLine;
}

// VS Code reads these names for the conditions of menus.
function contextText(context: RowContext): string {
  return JSON.stringify({
    ...context,
    webviewSection: "row",
    etlensHasLine: context.source !== undefined,
    etlensHasModule: context.module !== undefined,
    preventDefaultContextMenuItems: true,
  });
}

// As people say it: "linear" of aten.linear.default.
function shortOperator(name: string): string {
  return name.replace(/^aten\./, "").replace(/\.default$/, "");
}

function where({ backend, part }: protocol.EventItem): string {
  return backend ?? (part === "line" ? "CPU" : "");
}

// `numbers`: what stands behind a number, "typical".
function wordsOf(item: protocol.EventItem, numbers: string): string {
  const at = item.source === undefined ? item.partText : `at ${place(item.source)}: ${item.source.text.trim()}`;
  const ran = where(item);
  const details = [
    item.name,
    item.operatorName && `operator ${item.operatorName}`,
    // Only events of a dump were measured several times.
    item.remark === undefined
      ? `${item.self.text} ${numbers}, ${percent(item.share)} of the method; p50 ${item.p50.text}, p90 ${item.p90.text}`
      : `${item.self.text}, ${percent(item.share)}, ${item.remark}`,
    ...spread(item),
    `running sum ${percent(item.runningShare)}`,
    ran && `on ${ran}`,
    item.partition !== undefined && `delegate call ${item.partition}`,
    item.module && `in ${item.module}`,
    at,
    item.confidence && `placed: ${item.confidence}`,
    ...changeWords(item.change).map((words) => `its line: ${words}`),
  ];
  return details.filter((detail) => typeof detail === "string" && detail !== "").join(", ");
}

function eventRow(item: protocol.EventItem, { level, exclude = "" }: protocol.EventRow, generation: number, numbers: string): TableRow {
  const cells = {
    cost: item.self.text,
    share: percent(item.share),
    line: item.source === undefined ? item.partText : place(item.source),
    operator: item.operatorName === undefined ? item.name : shortOperator(item.operatorName),
    event: item.name,
    module: item.module === "" ? "the model itself" : (item.module ?? ""),
    where: where(item),
    confidence: item.confidence ?? "",
    change: shortChange(item.change).join(""),
  };
  const copied = [cells.cost, cells.share, cells.line, item.operatorName ?? "", item.name, cells.module, cells.where, cells.confidence];
  return {
    level,
    event: item.id,
    cells,
    share: item.share,
    hasLine: item.source !== undefined,
    words: wordsOf(item, numbers),
    context: contextText({
      event: item.id,
      generation,
      exclude,
      copy: copied.join("\t"),
      ...(item.module !== undefined && { module: item.module }),
      ...(item.source !== undefined && { source: item.source }),
    }),
  };
}

function groupRow(item: protocol.EventGroupItem, grouping: string, generation: number): TableRow {
  const name = item.source === undefined ? item.name : place(item.source);
  const code = item.source === undefined ? "" : item.source.text.trim();
  const events = count(item.count, "event");
  const sum = item.runningShare === 0 ? [] : [`sum ${percent(item.runningShare)}`];
  const module = grouping === "module" ? { module: item.name } : {};
  return {
    level: 1,
    key: item.key,
    isOpen: item.isOpen,
    cells: { cost: item.self.text, share: percent(item.share), change: shortChange(item.change).join("") },
    label: [name, code, events, ...sum].filter((text) => text !== "").join(" · "),
    share: item.share,
    hasLine: item.source !== undefined,
    words: [`${name}: ${item.self.text}`, `${percent(item.share)} in ${events}`, ...sum.map((text) => `running ${text}`), code, ...changeWords(item.change)]
      .filter((text) => text !== "")
      .join(", "),
    context: contextText({
      generation,
      exclude: item.exclude,
      copy: [item.self.text, percent(item.share), name, events].join("\t"),
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
