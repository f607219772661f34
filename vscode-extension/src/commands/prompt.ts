// SPDX-License-Identifier: Apache-2.0
// A finding as text for an assistant: what was measured, on which lines, and what can be done.
import * as vscode from "vscode";
import { promptOf } from "../base/promptText";
import type * as protocol from "../base/protocol";
import type { AdviceNode } from "../views/advice";
import type { Parts } from "./parts";

const shownMs = 3000;

// Of a row of the view, or of a code action.
export async function copyPrompt({ profile }: Parts, from?: AdviceNode | protocol.AdviceItem): Promise<string> {
  if (from === undefined) throw new Error("choose a finding in the view What to Do First");
  if ("kind" in from && from.kind === "line") throw new Error("choose a finding, not one of its lines");
  const item = "item" in from ? from.item : (from as protocol.AdviceItem);
  const text = promptOf(item, profile.status?.profile?.headline ?? "");
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage("etlens: copied as a prompt", shownMs);
  return text;
}
