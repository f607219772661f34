// SPDX-License-Identifier: Apache-2.0
// The methods of a record and the blocks of a dump, as one chooses from them. Knows no editor.
import { count, mark } from "./format";
import type { BlockItem, ProfilesResult, SelectMethodArguments } from "./protocol";

export interface MethodChoice {
  label: string;
  description: string;
  selection: SelectMethodArguments | null;
}

// Each method with the blocks that ran it; and blocks of which nobody can tell.
export function methodChoices({ methods, blocks }: Pick<ProfilesResult, "methods" | "blocks">): MethodChoice[] {
  const words = ({ name, executions }: BlockItem) => `block ${name}, ${count(executions, "execution")}`;
  const unclear = blocks.filter(({ method }) => method === undefined || !methods.some(({ name }) => name === method));
  const missing = unclear.length === 0 ? "did not run in this dump" : "unknown which block ran it";
  const ofMethods = methods.flatMap((method): MethodChoice[] => {
    const ran = blocks.filter((block) => block.method === method.name);
    const is = (current: boolean) => `${mark(current)} ${method.name}`;
    if (ran.length === 0) return [{ label: is(method.current), description: missing, selection: { method: method.name } }];
    return ran.map((block) => ({
      label: is(method.current && block.current),
      description: words(block),
      selection: { method: method.name, block: block.name },
    }));
  });
  return [
    ...ofMethods,
    ...unclear.map((block) => ({ label: `${mark(block.current)} ${block.name}`, description: words(block), selection: { block: block.name } })),
    { label: "$(discard) The default", description: "", selection: null },
  ];
}
