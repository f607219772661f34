// SPDX-License-Identifier: Apache-2.0
// The HTML of our pages and the icon of their tabs: no network, no inline code, one script and one style sheet of dist.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export interface WebviewPage {
  script: string; // dist/SCRIPT.js and dist/SCRIPT.css
  heading: string; // as screen readers say it
  body: string; // what the script fills
  hasMain?: boolean; // what the script fills has its own <main>
  hasWorker?: boolean; // the script starts one from its own text
}

export function distFolder(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, "dist");
}

// Of a tab: a picture there has no colour of the theme.
export function tabIcon(context: vscode.ExtensionContext): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (name: string) => vscode.Uri.joinPath(context.extensionUri, "media", name);
  return { light: file("tab-light.svg"), dark: file("tab-dark.svg") };
}

export function html(webview: vscode.Webview, dist: vscode.Uri, { script, heading, body, hasMain = false, hasWorker = false }: WebviewPage): string {
  const nonce = randomBytes(16).toString("base64");
  const source = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const landmark = hasMain ? "div" : "main";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';${hasWorker ? " worker-src blob:;" : ""}">
<link rel="stylesheet" href="${source(`${script}.css`)}">
<title>${heading}</title>
</head>
<body>
<${landmark}>
<h1 id="title">${heading}</h1>
${body}
</${landmark}>
<script nonce="${nonce}" src="${source(`${script}.js`)}"></script>
</body>
</html>`;
}
