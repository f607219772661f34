// SPDX-License-Identifier: Apache-2.0
// Which model is meant where no lens says it: one of the file in the editor, else of a file of the workspace.
import * as vscode from "vscode";
import * as protocol from "../base/protocol";
import type { Parts } from "./parts";

const maxFiles = 500;
const maxBytes = 256 << 10;
const notTheirs = "**/{.venv,venv,node_modules,site-packages,.git}/**";
// Only which files are worth a question: the server reads them.
const maybeModel = /^class\s+\w+\(.*Module\b/m;

export async function chooseModel(parts: Parts): Promise<protocol.ProfileModelArguments | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  if (active?.languageId === "python" && active.uri.scheme === "file") {
    const models = await modelsOf(parts, active);
    if (models.length > 0) return pickModel(active.uri, models);
  }
  const file = await pickFile();
  if (file === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  const models = await modelsOf(parts, document);
  if (models.length === 0) throw new Error(`no class of ${vscode.workspace.asRelativePath(file)} is a model: an nn.Module with a forward that no other class of the file makes`);
  return pickModel(file, models);
}

async function modelsOf({ server }: Parts, document: vscode.TextDocument): Promise<protocol.ModelItem[]> {
  const { models } = await server.request<protocol.ModelsResult>(protocol.models, { textDocument: { uri: document.uri.toString() } });
  return models;
}

async function pickModel(uri: vscode.Uri, models: protocol.ModelItem[]): Promise<protocol.ProfileModelArguments | undefined> {
  const [only] = models;
  const name = models.length === 1 ? only?.name : await vscode.window.showQuickPick(models.map((model) => model.name), { title: "Profile Which Model?" });
  return name === undefined ? undefined : { uri: uri.toString(), model: name };
}

async function pickFile(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles("**/*.py", notTheirs, maxFiles);
  const hasModel = async (uri: vscode.Uri) => {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length <= maxBytes && maybeModel.test(Buffer.from(bytes).toString("utf8"));
  };
  const verdicts = await Promise.all(found.map((uri) => hasModel(uri).catch(() => false)));
  const files = found.filter((_, i) => verdicts[i]);
  if (files.length === 0) throw new Error("no Python file of this workspace has a class that is an nn.Module");
  if (files.length === 1) return files[0];
  const items = files.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  const chosen = await vscode.window.showQuickPick(items.sort((a, b) => a.label.localeCompare(b.label)), { title: "Profile a Model of Which File?" });
  return chosen?.uri;
}
