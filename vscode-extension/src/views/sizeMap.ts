// SPDX-License-Identifier: Apache-2.0
// The size map: what every byte of the program's file is for, by kind, module and part.
import * as path from "node:path";
import type * as vscode from "vscode";
import { count, percent, place } from "../base/format";
import * as protocol from "../base/protocol";
import type { Profile } from "../server/profile";
import type { MapData, MapNode } from "../webview/data";
import { Picture } from "./picture";

const tones: Record<string, number> = { constant: 1, delegate_constant: 2, delegate_other: 4, program: 3 };

export class SizeMap extends Picture<MapData> {
  constructor(context: vscode.ExtensionContext, profile: Profile) {
    super(context, profile, {
      id: "etlens.sizeMap",
      title: "Size of the Program",
      script: "size",
      heading: "Size of the program",
      body: `<p id="help">Arrow keys move, Enter opens the source, Space widens a group, Escape shows all.</p>
<ul id="legend" aria-label="Colours"></ul>
<div id="map" role="tree" aria-labelledby="title" aria-describedby="help"></div>
<p id="detail" role="status"></p>
<ul id="notes" aria-label="Notes"></ul>`,
    });
  }

  override async data(): Promise<MapData> {
    const result = await this.read();
    if (result.why !== "") return { title: "", why: result.why, kinds: [], notes: [] };
    const kinds = result.nodes.filter(({ level }) => level === "kind");
    return {
      title: `${path.posix.basename(result.pte)}: ${result.file.text}`,
      why: "",
      kinds: kinds.map(({ name, kind, bytes, share }) => ({ name: `${name} ${bytes.text} ${percent(share)}`, tone: tones[kind] ?? 0 })),
      root: tree(result),
      notes: [
        ...(result.etrecord === undefined ? ["Without the ETRecord of its export a program names no module, no parameter and no line."] : []),
        ...(result.external.value === 0 ? [] : [`In other files: ${result.external.text}.`]),
      ],
    };
  }

  protected override receive(message: { open?: number }): void {
    if (message.open !== undefined) void this.openPlace(message.open);
  }

  private read(): Promise<protocol.SizeResult> {
    return this.profile.server.request<protocol.SizeResult>(protocol.size);
  }

  // Where the line is now may have changed since the picture was made.
  private async openPlace(index: number): Promise<void> {
    await this.openSource((await this.read()).places[index]);
  }
}

function tree(result: protocol.SizeResult): MapNode {
  const name = path.posix.basename(result.pte);
  const root: MapNode = {
    key: "",
    level: "file",
    label: name,
    size: result.file.text,
    words: `${name} ${result.file.text}`,
    bytes: result.file.value,
    tone: 0,
    children: [],
  };
  const nodes: MapNode[] = [];
  result.nodes.forEach((node, i) => {
    const above = node.parent === undefined ? undefined : nodes[node.parent];
    const parent = above ?? root;
    const row = mapNode(node, i, parent, result);
    nodes.push(row);
    parent.children.push(row);
  });
  // Children come after their parents, and the largest first.
  for (const node of [...nodes].reverse()) {
    const first = node.children.find((child) => child.place !== undefined);
    if (node.place === undefined && first?.place !== undefined) node.place = first.place;
    if (node.children.length > 0) node.words += `, ${count(node.children.length, "part")}`;
  }
  return root;
}

function mapNode(node: protocol.SizeNode, index: number, parent: MapNode, { places }: protocol.SizeResult): MapNode {
  const source = node.place === undefined ? undefined : places[node.place];
  const label = shortName(node, parent);
  const facts = [
    `${label} ${node.bytes.text}`,
    `${percent(node.share)} of the file`,
    label === node.name ? "" : node.name,
    node.partition === undefined ? "" : `delegate call #${node.partition}`,
    node.users > 1 ? `shared by ${node.users}` : "",
    node.level !== "part" || node.module === undefined || node.name.startsWith(node.module) ? "" : node.module,
    node.level !== "part" ? "" : source === undefined ? "no source line" : place(source),
  ];
  return {
    key: `${parent.key}/${node.name}${node.level === "part" ? `#${index}` : ""}`,
    level: node.level === "kind" || node.level === "module" ? node.level : "part",
    label,
    size: node.bytes.text,
    words: facts.filter((fact) => fact !== "").join(", "),
    bytes: node.bytes.value,
    tone: tones[node.kind] ?? 0,
    ...(node.place !== undefined && { place: node.place }),
    children: [],
  };
}

// Without what the group around it says already; a number alone says whose it is.
function shortName({ name }: protocol.SizeNode, parent: MapNode): string {
  const prefix = parent.level === "module" ? `${parent.key.slice(parent.key.lastIndexOf("/") + 1)}.` : "";
  const rest = prefix !== "" && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return /^\d+$/.test(rest) ? (/(?:[^.]+\.)?\d+$/.exec(name)?.[0] ?? rest) : rest;
}
