// SPDX-License-Identifier: Apache-2.0
// The executable that is the server, run once for what one command wants of it.
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { findServer } from "./serverPath";

export interface Printed {
  output: string;
  notes: string; // what it wrote to stderr
}

// Where it is. Throws a sentence with the remedy if it cannot be started.
export function executable(context: vscode.ExtensionContext): string {
  const { command, problem } = findServer(context);
  if (problem !== undefined) throw new Error(problem);
  return command;
}

// Without the name that stands before each line in a terminal.
const sentences = (text: string) => text.trim().replace(/^etlens: /gm, "");

export interface RunOptions {
  folder: string; // in which it runs
  token?: vscode.CancellationToken; // ends it, with a CancellationError
  answers?: number; // an exit status that is an answer, too
}

// Rejects with what it reported.
export function runExecutable(context: vscode.ExtensionContext, args: readonly string[], { folder, token, answers }: RunOptions): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = execFile(executable(context), args, { cwd: folder, maxBuffer: 16 << 20 }, (error, output, complaints) => {
      const notes = sentences(complaints);
      if (token?.isCancellationRequested === true) reject(new vscode.CancellationError());
      else if (error !== null && error.code !== answers) reject(new Error(notes === "" ? error.message : notes, { cause: error }));
      else resolve({ output, notes });
    });
    token?.onCancellationRequested(() => child.kill());
  });
}
