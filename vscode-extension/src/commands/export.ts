// SPDX-License-Identifier: Apache-2.0
// Files about the profile that is shown: exports for other viewers, and the report. The executable that is
// the server writes them, with what the server shows; nothing but the file that the user chose is written.
import * as path from "node:path";
import * as vscode from "vscode";
import { trusted } from "../base/config";
import type * as protocol from "../base/protocol";
import { withoutLinks } from "../base/sentences";
import { runExecutable } from "../server/executable";
import type { Parts } from "./parts";

interface Form {
  name: string; // as `etlens export --to` takes it
  label: string;
  detail: string;
  suffix: string;
  measure?: string; // another than time
}

export const forms: readonly Form[] = [
  { name: "html", label: "Report", detail: "HTML, one file to send: lines with their source, modules, delegate calls, memory", suffix: ".html" },
  { name: "markdown", label: "Markdown", detail: "A report for a pull request", suffix: ".md" },
  { name: "svg", label: "Flame graph", detail: "SVG of modules, lines and events", suffix: ".svg" },
  { name: "svg", measure: "memory", label: "Memory chart", detail: "SVG of what is planned: bytes in use, and each tensor at its addresses", suffix: ".svg" },
  { name: "perfetto", label: "Perfetto", detail: "Timeline for ui.perfetto.dev", suffix: ".pftrace" },
  { name: "chrome", label: "Chrome trace events", detail: "Timeline for chrome://tracing and Perfetto, JSON", suffix: ".trace.json" },
  { name: "speedscope", label: "speedscope", detail: "By source line and by module", suffix: ".speedscope.json" },
  { name: "pprof", label: "pprof", detail: "For go tool pprof", suffix: ".pb.gz" },
  { name: "prof", label: "Python profile", detail: "For pstats and snakeviz", suffix: ".prof" },
  { name: "csv", label: "CSV", detail: "Rows of events for spreadsheets", suffix: ".csv" },
  { name: "ndjson", label: "NDJSON", detail: "Rows of events for databases and dataframes", suffix: ".ndjson" },
];

interface Mapping {
  from: string;
  to: string;
}

// What makes the executable show what the server shows.
export function argumentsFor(shown: protocol.StatusProfile, folders: readonly string[], mappings: readonly Mapping[]): string[] {
  const given: [string, string | null | undefined][] = [
    ["--etdump", shown.etdump],
    ["--etrecord", shown.etrecord],
    ["--pte", shown.pte],
    ["--method", shown.method],
    ["--block", shown.block],
    ["--statistic", shown.statistic],
    ["--executions", shown.executions_used === shown.executions ? "all" : shown.executions_shown],
    ...folders.map((folder): [string, string] => ["--root", folder]),
    ...mappings.map(({ from, to }): [string, string] => ["--path-map", `${from}=${to}`]),
  ];
  const named = given.flatMap(([option, value]) => (value === undefined || value === null || value === "" ? [] : [`${option}=${value}`]));
  return shown.raw ? [...named, "--raw"] : named;
}

export async function writeForm({ context, profile }: Parts, form: Form, file: vscode.Uri): Promise<void> {
  const shown = profile.status?.profile;
  if (shown === undefined) throw new Error(profile.message);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const scale = trusted<string>("sourceTimeScale", "ns");
  const common = argumentsFor(shown, folders, trusted<Mapping[]>("pathMappings", []));
  const library = trusted<string[]>("libraryFrames", []).map((glob) => `--library-frames=${glob}`);
  const recovery = trusted<boolean>("recoverHelperLines", true) ? [] : ["--no-recover"];
  const all = ["export", `--to=${form.name}`, ...common, ...library, ...recovery, `--source-time-scale=${scale}`, ...(form.measure === undefined ? [] : [`--measure=${form.measure}`]), "-o", file.fsPath];
  await runExecutable(context, all, { folder: path.dirname(shown.etdump) });
}

export async function exportProfile(parts: Parts, name?: string): Promise<void> {
  const shown = parts.profile.status?.profile;
  if (shown === undefined) throw new Error(parts.profile.message);
  const form =
    forms.find((each) => each.name === name) ??
    (await vscode.window.showQuickPick([...forms], { title: "Export", placeHolder: "What shall the file be for?", matchOnDetail: true }));
  if (form === undefined) return;
  const stem = path.join(path.dirname(shown.etdump), path.basename(shown.etdump, path.extname(shown.etdump)));
  const file = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(stem + form.suffix), title: `Export ${form.label}` });
  if (file === undefined) return;
  await writeForm(parts, form, file);
  const open = "Open";
  void vscode.window.showInformationMessage(withoutLinks(`etlens: ${vscode.workspace.asRelativePath(file)} is written.`), open).then((chosen) => {
    if (chosen === open) void vscode.commands.executeCommand("vscode.open", file);
  });
}
