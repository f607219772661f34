// SPDX-License-Identifier: Apache-2.0
// The program graph: what each operator reads and makes, delegate calls as groups, layers that repeat as one box.
import * as path from "node:path";
import type * as vscode from "vscode";
import { place } from "../base/format";
import { graphBoxes, graphLinks, graphRepeats, nodesOfLine } from "./graphBoxes";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { GraphData, GraphPageRequest } from "../webview/data";
import { Picture } from "./picture";

export class ProgramGraph extends Picture<GraphData> {
  private method: string | undefined; // that the user chose
  private wanted: { uri: string; line: number } | undefined; // that the page shows next

  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, {
      id: "etlens.programGraph",
      title: "Program Graph",
      script: "graph",
      heading: "Program graph",
      hasWorker: true,
      body: `<div id="controls">
<label id="method-label">Method <select id="method"></select></label>
<label>Search <input id="search" type="search" placeholder="operator, module, file:line" spellcheck="false"></label><button id="next" type="button">Next</button><span id="found" role="status"></span>
<button id="zoom-in" type="button">Zoom In</button><button id="zoom-out" type="button">Zoom Out</button><button id="zoom-all" type="button">Show All</button>
<button id="close-all" type="button">Close Groups</button>
<label><input id="constants" type="checkbox"> Constants</label>
</div>
<p id="help">Arrow keys move along the edges and the order of execution, Enter opens the source, Space opens or closes a group, plus and minus zoom.</p>
<ul id="legend" aria-label="Colours"></ul>
<p id="limit" role="status"></p>
<div id="scroll"><div id="canvas"><svg id="links" aria-hidden="true"></svg><div id="graph" role="tree" aria-labelledby="title" aria-describedby="help"></div></div></div>
<p id="detail" role="status"></p>
<ul id="notes" aria-label="Notes"></ul>`,
    });
  }

  // With the nodes of a line of the text of now (0-based) in sight.
  async showLine(uri: vscode.Uri, line: number): Promise<void> {
    const result = await this.read();
    if (result.why !== "") throw new Error(result.why);
    if (nodesOfLine(result, uri.toString(), line).length === 0) throw new Error(`no node of the graph is of line ${line + 1}`);
    this.wanted = { uri: uri.toString(), line };
    if (this.open() === "there") await this.send();
  }

  override async data(): Promise<GraphData> {
    const result = await this.read();
    const { why, graph, places } = result;
    const none = { title: "", why, key: "", methods: [], nodes: [], edges: [], repeats: [], notes: [] };
    if (graph === undefined) return none;
    const wanted = this.wanted;
    this.wanted = undefined;
    return {
      title: `${path.posix.basename(graph.pte ?? graph.etrecord ?? "")}, ${result.headline}`,
      why,
      key: `${graph.pte ?? ""} ${graph.etrecord ?? ""} ${result.headline}`,
      methods: result.methods,
      nodes: graphBoxes(graph, result.titles, places, place),
      edges: graphLinks(graph),
      repeats: graphRepeats(graph),
      notes: notes(graph),
      ...(wanted !== undefined && { focus: nodesOfLine(result, wanted.uri, wanted.line) }),
    };
  }

  protected override receive(message: GraphPageRequest): void {
    if (message.method !== undefined) {
      this.method = message.method;
      void this.send();
    }
    if (message.open !== undefined) void this.openPlace(message.open);
  }

  private async read(): Promise<protocol.GraphResult> {
    const params: protocol.GraphParams = this.method === undefined ? {} : { method: this.method };
    const result = await this.profile.server.request<protocol.GraphResult>(protocol.graph, params);
    // Another program has other methods.
    if (this.method === undefined || result.why === "") return result;
    this.method = undefined;
    return this.read();
  }

  // Where the line is now may have changed since the picture was made.
  private async openPlace(index: number): Promise<void> {
    await this.openSource((await this.read()).places[index]);
  }
}

function notes({ pte, etrecord }: protocol.GraphView): string[] {
  if (pte === null) return ["Without the program this is the edge program of the ETRecord: it has no jumps and no order of the runtime."];
  return etrecord === null ? ["Without the ETRecord of its export a program names no module and no line."] : [];
}
