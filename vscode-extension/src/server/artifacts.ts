// SPDX-License-Identifier: Apache-2.0
// The files of the profile that is shown, as commands of the executable take them.
import type { StatusProfile } from "../base/protocol";

// Those that there are: with the option for each.
export function artifactsOf({ etdump, etrecord, pte }: Pick<StatusProfile, "etdump" | "etrecord" | "pte">): [option: string, file: string][] {
  const parts: [string, string | undefined][] = [["--etdump", etdump], ["--etrecord", etrecord], ["--pte", pte]];
  return parts.flatMap(([option, file]): [string, string][] => (file === undefined || file === "" ? [] : [[option, file]]));
}

export const artifactArguments = (shown: StatusProfile) => artifactsOf(shown).map(([option, file]) => `${option}=${file}`);
