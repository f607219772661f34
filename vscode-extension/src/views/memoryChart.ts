// SPDX-License-Identifier: Apache-2.0
// The memory chart: which tensor has which bytes of the planned memory, and when.
import * as path from "node:path";
import type * as vscode from "vscode";
import { count, percent, place } from "../base/format";
import { groupModules, others, unplaced } from "../base/moduleGroups";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { ChartBuffer, ChartData, ChartTensor } from "../webview/data";
import { Picture } from "./picture";

export class MemoryChart extends Picture<ChartData> {
  private method: string | undefined; // that the user chose

  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, {
      id: "etlens.memoryChart",
      title: "Memory Chart",
      script: "memory",
      heading: "Memory chart",
      body: `<div id="controls">
<label id="method-label">Method <select id="method"></select></label>
<label id="buffer-label">Memory <select id="buffer"></select></label>
<button id="zoom-in" type="button">Zoom In</button><button id="zoom-out" type="button">Zoom Out</button><button id="zoom-all" type="button">Show All</button>
</div>
<p id="help">Arrow keys move between tensors, Enter opens the source, Space zooms to a tensor, plus and minus zoom, Escape shows all, P goes to the peak. A drag, or Ctrl and the wheel, zooms as well.</p>
<div id="lines-section"><span id="lines-label">At the peak:</span><ul id="lines" aria-labelledby="lines-label"></ul></div>
<ul id="legend" aria-label="Colours"></ul>
<div id="live"></div>
<div id="chart" role="listbox" aria-label="Planned tensors by address and instruction" aria-describedby="help"></div>
<p id="detail" role="status"></p>
<section id="waiting-section"><h2>What keeps the peak up</h2><ol id="waiting"></ol></section>
<ul id="notes" aria-label="Notes"></ul>`,
    });
  }

  override async data(): Promise<ChartData> {
    const result = await this.read();
    const { why, pte, peak, methods } = result;
    const method = methods.find(({ current }) => current)?.name ?? "";
    return {
      title: `${path.posix.basename(pte)}, ${method}: ${peak.text} in use at the peak`,
      why,
      methods: methods.map(({ name, peak: { text }, current }) => ({ name, text: `${name} (${text})`, current })),
      instructions: result.instructions,
      ...tensorsOf(result),
      lines: result.lines.flatMap(({ at_peak, share, place: at }) => {
        const source = result.places[at];
        return source === undefined ? [] : [{ text: `${place(source)} ${at_peak.text} ${percent(share)}`, place: at }];
      }),
      waiting: result.waiting.map(({ text, values, place: at }) => ({ text, values, ...(at !== undefined && { place: at }) })),
      notes: notes(result),
    };
  }

  protected override receive(message: { open?: number; method?: string }): void {
    if (message.method !== undefined) {
      this.method = message.method;
      void this.send();
    }
    if (message.open !== undefined) void this.openPlace(message.open);
  }

  private async read(): Promise<protocol.MemoryResult> {
    const params: protocol.MemoryParams = this.method === undefined ? {} : { method: this.method };
    const result = await this.profile.server.request<protocol.MemoryResult>(protocol.memory, params);
    // Another program has other methods.
    if (this.method === undefined || result.methods.length === 0 || result.methods.some(({ name }) => name === this.method)) return result;
    this.method = undefined;
    return this.read();
  }

  // Where the line is now may have changed since the picture was made.
  private async openPlace(index: number): Promise<void> {
    await this.openSource((await this.read()).places[index]);
  }
}

function tensorsOf(result: protocol.MemoryResult): Pick<ChartData, "groups" | "buffers"> {
  const all = result.buffers.flatMap(({ tensors }) => tensors);
  const names = groupModules(all.map(({ module, bytes }) => ({ ...(module !== undefined && { module }), bytes: bytes.value })));
  const ranked = rank(all, names);
  const groupOf = new Map(all.map((tensor, i) => [tensor, ranked.indexOf(names[i] ?? unplaced)]));
  let tone = 0;
  return {
    groups: ranked.map((name) => ({ name, tone: name === unplaced || name === others ? 0 : ++tone })),
    buffers: result.buffers.map((buffer) => chartBuffer(buffer, result, groupOf)),
  };
}

// Names, those with the most bytes first, what is no module last.
function rank(tensors: readonly protocol.MemoryTensor[], names: readonly string[]): string[] {
  const bytes = new Map<string, number>();
  names.forEach((name, i) => bytes.set(name, (bytes.get(name) ?? 0) + (tensors[i]?.bytes.value ?? 0)));
  const isLast = (name: string) => Number(name === others) + 2 * Number(name === unplaced);
  return [...bytes].sort((a, b) => isLast(a[0]) - isLast(b[0]) || b[1] - a[1]).map(([name]) => name);
}

function chartBuffer(buffer: protocol.MemoryBuffer, result: protocol.MemoryResult, groupOf: Map<protocol.MemoryTensor, number>): ChartBuffer {
  const views = new Map<number, number>();
  for (const { view_of: base } of buffer.tensors) if (base !== undefined) views.set(base, (views.get(base) ?? 0) + 1);
  const op = result.instructions[buffer.peak_instruction] ?? "";
  return {
    id: buffer.id,
    text: `${buffer.id}: ${buffer.peak.text} of ${buffer.size.text}`,
    size: buffer.size.value,
    sizeText: buffer.size.text,
    peakInstruction: buffer.peak_instruction,
    peakText: `peak ${buffer.peak.text}, instruction ${buffer.peak_instruction}${op === "" ? "" : ` ${op}`}`,
    live: buffer.live,
    tensors: buffer.tensors.filter(({ view_of }) => view_of === undefined).map((tensor) => ({
      ...chartTensor(tensor, result, views.get(tensor.value) ?? 0),
      group: groupOf.get(tensor) ?? 0,
    })),
  };
}

function chartTensor(tensor: protocol.MemoryTensor, { places }: protocol.MemoryResult, views: number): Omit<ChartTensor, "group"> {
  const source = tensor.place === undefined ? undefined : places[tensor.place];
  const written = tensor.written === undefined ? undefined : places[tensor.written];
  const target = tensor.place ?? tensor.written;
  const roles = tensor.roles.join(" and ");
  const name = shortName(tensor);
  const label = `${name} ${tensor.bytes.text}`;
  const facts = [
    label,
    tensor.type,
    name === roles ? "" : roles,
    tensor.node === undefined || tensor.node === name ? "" : `node ${tensor.node}`,
    `bytes ${tensor.offset} to ${tensor.offset + tensor.bytes.value}`,
    tensor.first === tensor.last ? `instruction ${tensor.first}` : `instructions ${tensor.first} to ${tensor.last}`,
    tensor.op === "" ? "" : `made by ${tensor.op}${tensor.partition === undefined ? "" : ` #${tensor.partition}`}`,
    tensor.at_peak === 0 ? "" : `${percent(tensor.share)} of the peak`,
    views === 0 ? "" : `with ${count(views, "view")} of it`,
    tensor.module === undefined ? "" : tensor.module === "" ? "the model itself" : tensor.module,
    written === undefined ? "" : `written at ${place(written)}`,
    source === undefined ? (written === undefined ? "no source line" : "") : place(source),
  ];
  return {
    value: tensor.value,
    first: tensor.first,
    last: tensor.last,
    offset: tensor.offset,
    bytes: tensor.bytes.value,
    label,
    words: facts.filter((fact) => fact !== "").join(", "),
    ...(target !== undefined && { place: target }),
  };
}

// Of a box that has room for a word: aten_convolution_default_3 is a convolution.
function shortName({ node, op, roles, buffer }: protocol.MemoryTensor): string {
  if (buffer !== undefined) return buffer.slice(buffer.lastIndexOf(".") + 1);
  if (node !== undefined) return /^aten_+(.+?)_(?:default|tensor|scalar|out|int|dim)(?:_\w+?)?(?:_\d+)?$/i.exec(node)?.[1] ?? node;
  if (roles.length > 0) return roles.join(" and ");
  return op === "" ? "tensor" : (/::(\w+)/.exec(op)?.[1] ?? op);
}

function notes({ etrecord, unplanned, allocators, why }: protocol.MemoryResult): string[] {
  if (why !== "") return [];
  return [
    ...(etrecord === undefined ? ["Without the ETRecord of its export a program names no module and no line."] : []),
    ...(unplanned === 0 ? [] : [`${count(unplanned, "tensor")} without a plan: the caller or the runtime allocates ${unplanned === 1 ? "it" : "them"}.`]),
    ...allocators.map(
      ({ block, name, executions, events, most, largest }) =>
        `In the dump, block ${block}: allocator ${name} gave out ${most.text} in an execution at most, ${largest.text} at once ` +
        `(${count(events, "allocation")} in ${count(executions, "execution")}).`,
    ),
  ];
}
