// SPDX-License-Identifier: Apache-2.0
// What a command waits for before it goes on.
import type * as vscode from "vscode";

const patienceMs = 60_000;

// Until it is so, or false: it looks again with each event, for a minute at most.
export function becomes(isSo: () => boolean, onDidChange: vscode.Event<void>): Promise<boolean> {
  if (isSo()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (result: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(result);
    };
    const timer = setTimeout(() => done(isSo()), patienceMs);
    const listener = onDidChange(() => {
      if (isSo()) done(true);
    });
  });
}
