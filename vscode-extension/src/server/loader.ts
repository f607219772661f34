// SPDX-License-Identifier: Apache-2.0
// Why an executable does not even begin, in the words of whoever says so: the system's loader (a library is missing,
// the C library is too old) or the system itself.
import { execFile } from "node:child_process";

const patienceMs = 5000;

// Undefined if it does begin.
export function whyNotStarted(command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, ["--version"], { timeout: patienceMs }, (error, _output, complaints) => {
      const said = complaints.trim();
      if (error === null) resolve(undefined);
      else if (said !== "") resolve(said);
      else if (error.code === "ENOENT") resolve(`${command}: the loader that this executable asks for is not on this system`);
      else if (error.code === "ENOEXEC") resolve(`${command}: the executable is for another machine`);
      else resolve(error.killed === true ? undefined : error.message.trim());
    });
  });
}
