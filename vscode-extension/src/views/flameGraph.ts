// SPDX-License-Identifier: Apache-2.0
// The flame graph: frames as the server lays them out, in the order and with the fold that the page asks for,
// and the executions, of which one can be looked at alone.
import * as vscode from "vscode";
import { executionBars } from "../base/executionBars";
import { percent } from "../base/format";
import { unusualMeasure } from "../base/measures";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { FlameBar, FlameData, FlameFrame, FlameRequest } from "../webview/data";
import { Picture } from "./picture";

const body = `<div id="tools">
<input id="search" type="search" spellcheck="false" placeholder="Search: words, -word" aria-label="Search frames"
  title="Words that are in the name, operator, module, line or backend; -word for those that are not">
<select id="order" aria-label="Order of frames">
<option value="cost">The most costly first</option>
<option value="execution">As they ran</option>
</select>
<label><input id="fold" type="checkbox">Fold repeated modules</label>
<button id="save" type="button">Export as SVG…</button>
</div>
<p id="found" role="status"></p>
<div id="runs"><div id="executions" role="listbox" aria-label="Executions" aria-orientation="horizontal"></div>
<button id="all" type="button">All executions</button></div>
<p id="help">Arrow keys move, Enter opens the source, Space widens a frame, Escape shows all.</p>
<div id="graph" role="tree" aria-labelledby="title" aria-describedby="help"></div>
<p id="detail" role="status"></p>
<ul id="legend" aria-label="Colours"></ul>`;

export class FlameGraph extends Picture<FlameData> {
  private wanted: string | undefined; // the module to show
  private order: FlameData["order"] = "cost";
  private fold = true;
  private filter = "";
  private places: protocol.SourceLine[] = [];

  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, { id: "etlens.flameGraph", title: "Flame Graph", script: "flame", heading: "Flame graph", body });
  }

  // With the focus on the frame of a module.
  show(path: string): void {
    this.wanted = path;
    if (this.open() === "there") void this.send();
  }

  override async data(): Promise<FlameData> {
    const { order, fold, filter, wanted } = this;
    const nothing = { title: "", order, fold, filter, found: "", frames: [], executions: [] };
    const status = this.profile.status?.profile;
    if (status === undefined) return { ...nothing, why: this.profile.message };
    let result = await this.read();
    // One of those that are folded is seen when they are not.
    if (wanted !== undefined && !result.frames.some(({ module }) => module === wanted)) {
      this.fold = false;
      result = await this.read();
    }
    this.places = result.places;
    this.wanted = undefined;
    return {
      ...nothing,
      fold: this.fold,
      title: result.title,
      why: "",
      found: filter === "" ? "" : `“${filter}”: ${result.found.text}, ${percent(result.found_share)}`,
      frames: result.frames.map(flameFrame),
      executions: await this.executions(status),
      ...(wanted !== undefined && { focus: wanted }),
    };
  }

  private read(): Promise<protocol.FlameGraphResult> {
    const { order, fold, filter } = this;
    return this.profile.server.request(protocol.flameGraph, { order, fold, filter } satisfies protocol.FlameGraphParams);
  }

  // Only times are of executions.
  private async executions(status: protocol.StatusProfile): Promise<FlameBar[]> {
    if (unusualMeasure(this.profile.status) !== undefined || status.executions < 2) return [];
    const { executions } = await this.profile.server.request<protocol.ProfilesResult>(protocol.profiles);
    return executionBars(executions, status);
  }

  protected override receive(message: FlameRequest): void {
    if (message.save === true) void vscode.commands.executeCommand("etlens.export", "svg");
    if (message.order !== undefined) this.order = message.order;
    if (message.fold !== undefined) this.fold = message.fold;
    if (message.filter !== undefined) this.filter = message.filter;
    if (message.order !== undefined || message.fold !== undefined || message.filter !== undefined) void this.send();
    if (message.executions !== undefined) {
      const chosen = message.executions === null ? null : { executions: message.executions };
      void this.profile.server.execute(protocol.commands.selectExecutions, chosen);
    }
    if (message.open !== undefined) void this.openSource(this.places[message.open]);
  }
}

function flameFrame({ kind, parent, left, width, name, words, time, share, heat, found, module, place }: protocol.FlameFrameItem): FlameFrame {
  return {
    kind: kind as FlameFrame["kind"],
    left,
    width,
    name,
    words: words.replace("\n", ": "),
    // All other shares are of the statistic that is shown, without the noise.
    time: `${time.text} ${percent(share)}${kind === "disturbance" ? " of the mean" : ""}`,
    heat,
    found,
    ...(parent !== undefined && { parent }),
    ...(module !== undefined && { module }),
    ...(place !== undefined && { place }),
  };
}
