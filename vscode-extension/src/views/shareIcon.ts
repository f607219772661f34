// SPDX-License-Identifier: Apache-2.0
// A share as a small bar in front of a row. The number itself stands in the row's text.
import * as vscode from "vscode";

const steps = 14;
const icons = new Map<number, { light: vscode.Uri; dark: vscode.Uri }>();

function picture(step: number, frame: string, fill: string): vscode.Uri {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">` +
    `<rect x=".5" y="4.5" width="15" height="7" rx="1" fill="none" stroke="${frame}"/>` +
    `<rect x="1" y="5" width="${step}" height="6" fill="${fill}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
}

export function shareIcon(share: number): { light: vscode.Uri; dark: vscode.Uri } {
  const clamped = Math.min(Math.max(share, 0), 1);
  // Something is never drawn as nothing.
  const step = clamped === 0 ? 0 : Math.max(1, Math.round(clamped * steps));
  let icon = icons.get(step);
  if (icon === undefined) {
    icon = { light: picture(step, "#6e6e6e", "#b35900"), dark: picture(step, "#9d9d9d", "#ff9d3b") };
    icons.set(step, icon);
  }
  return icon;
}
