// SPDX-License-Identifier: Apache-2.0
// A formatter that answers with the whole text, as most do: two blanks for four, and long statements over several lines.
import * as vscode from "vscode";

// Where the bracket opens that closes at the end of the code; -1 if none does.
function openingOf(code) {
  if (!code.endsWith(")")) return -1;
  let depth = 0;
  for (let at = code.length - 1; at >= 0; --at) {
    if (code[at] === ")") ++depth;
    if (code[at] === "(" && --depth === 0) return at;
  }
  return -1;
}

function formattedLine(line) {
  const code = line.trimStart();
  const indent = " ".repeat((line.length - code.length) / 2);
  const opening = code.length < 60 ? -1 : openingOf(code);
  if (opening === -1) return indent + code;
  return [code.slice(0, opening + 1), `  ${code.slice(opening + 1, -1)}`, ")"].map((part) => indent + part).join("\n");
}

const formatted = (document) => document.getText().split("\n").map(formattedLine).join("\n");
const whole = (document) => new vscode.Range(0, 0, document.lineCount, 0);

export function activate(context) {
  context.subscriptions.push(
    vscode.languages.registerDocumentFormattingEditProvider("python", {
      provideDocumentFormattingEdits: (document) => [vscode.TextEdit.replace(whole(document), formatted(document))],
    }),
    // The editor sends less of what a formatter answers, but of what an extension does on its own all.
    vscode.commands.registerTextEditorCommand("formatter.replace", ({ document }, edit) => edit.replace(whole(document), formatted(document))),
  );
}
