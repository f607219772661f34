// SPDX-License-Identifier: Apache-2.0
// Which executions the numbers are of: all, a group of them, one, or a list.
import * as vscode from "vscode";
import { bar, count, mark } from "../base/format";
import * as protocol from "../base/protocol";
import { isExecutionList, sampleWords } from "../base/statistics";
import type { Parts } from "./parts";

interface Choice extends vscode.QuickPickItem {
  executions?: string | null; // null: what the settings say; absent: asks for a list
}

const separator = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });

function first({ executions_shown, groups, group_texts }: protocol.StatusProfile): Choice[] {
  return [
    { label: `${mark(executions_shown === "all")} All`, executions: "all" },
    { label: "$(discard) Use the setting", description: "without a setting: all, or the group with most of the time", executions: null },
    ...groups.map(({ name, shown }, at) => ({ label: `${mark(shown)} ${group_texts[at] ?? name}`, executions: name })),
    { label: "$(edit) A list…", description: "such as 1-25,30" },
  ];
}

export function choices(executions: readonly protocol.ExecutionItem[], shown: protocol.StatusProfile): Choice[] {
  const longest = Math.max(...executions.map(({ total }) => total.value));
  const reasons = new Map(shown.odd.map(({ execution, text }) => [execution, text]));
  const choice = ({ number, total, used }: protocol.ExecutionItem, detail?: string): Choice => ({
    label: `${mark(used)} ${number}`,
    description: `${total.text} ${bar(longest > 0 ? total.value / longest : 0)}`,
    ...(detail !== undefined && { detail }),
    executions: String(number),
  });
  const odd = executions.filter((execution) => execution.odd);
  return [
    ...first(shown),
    ...(odd.length === 0 ? [] : [separator("far from the others")]),
    ...odd.map((execution) => choice(execution, reasons.get(execution.number))),
    separator("in the order of the run"),
    ...executions.map((execution) => choice(execution)),
  ];
}

function askForList(list: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Show Which Executions?",
    prompt: "Numbers and ranges, such as 1-25,30",
    value: isExecutionList(list) ? list : "",
    validateInput: (text) => (isExecutionList(text) ? undefined : "Numbers and ranges with commas between them, such as 1-25,30"),
  });
}

export async function pickExecutions({ server, profile }: Parts): Promise<void> {
  const { executions } = await server.request<protocol.ProfilesResult>(protocol.profiles);
  const shown = profile.status?.profile;
  if (shown === undefined || executions.length === 0) throw new Error("the dump that is shown has no execution");
  const options = { title: "Show Which Executions?", placeHolder: shown.kinds_text ?? sampleWords(shown), matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(choices(executions, shown), options);
  if (chosen === undefined) return;
  const list = chosen.executions === undefined ? await askForList(shown.executions_shown) : chosen.executions;
  if (list === undefined) return;
  await server.execute(protocol.commands.selectExecutions, list === null ? null : { executions: list });
}

interface GroupChoice extends vscode.QuickPickItem {
  group: string | null; // null: what the settings say
}

export function groupChoices({ groups, group_texts }: Pick<protocol.StatusProfile, "groups" | "group_texts">): GroupChoice[] {
  return [
    ...groups.map(({ name, executions, shown }, at) => ({
      label: `${mark(shown)} ${group_texts[at] ?? name}`,
      description: count(executions.length, "execution"),
      group: name,
    })),
    { label: "$(discard) Use the setting", description: "without a setting: the group with most of the time", group: null },
  ];
}

export async function pickGroup({ server, profile }: Parts): Promise<void> {
  const shown = profile.status?.profile;
  if (shown === undefined || shown.groups.length === 0) throw new Error("nothing distinguishes the executions of the shown dump, so there are no groups of them");
  const chosen = await vscode.window.showQuickPick(groupChoices(shown), { title: "Show Which Group of Executions?", placeHolder: sampleWords(shown) });
  if (chosen === undefined) return;
  await server.execute(protocol.commands.selectGroup, chosen.group === null ? null : { group: chosen.group });
}
