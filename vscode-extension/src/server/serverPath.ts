// SPDX-License-Identifier: Apache-2.0
// Which executable is the server: the user's setting, else the bundled one. A workspace cannot choose.
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { settings } from "../base/config";

export interface ServerPath {
  command: string;
  problem?: string; // a sentence, if it cannot be started
}

export function findServer(context: vscode.ExtensionContext): ServerPath {
  const chosen = settings.serverPath();
  const command = chosen === "" ? context.asAbsolutePath(path.join("server", executableName())) : expandHome(chosen);
  const origin = chosen === "" ? "This build of the extension has no server for your platform" : "etlens.server.path";
  try {
    fs.accessSync(command, fs.constants.X_OK);
    return { command };
  } catch {
    const remedy = chosen === "" ? "set etlens.server.path to an etlens executable" : "correct the setting, or remove it";
    return { command, problem: `${origin}: there is no executable ${command}; ${remedy}.` };
  }
}

function executableName(): string {
  return process.platform === "win32" ? "etlens.exe" : "etlens";
}

function expandHome(file: string): string {
  return file.startsWith("~/") ? path.join(os.homedir(), file.slice(2)) : file;
}
