// SPDX-License-Identifier: Apache-2.0
// Starts a language server of Python beside etlens, as an extension of somebody else does. PYTHON_SERVER names what Node.js runs.
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

async function start() {
  const server = { module: process.env.PYTHON_SERVER, transport: TransportKind.stdio, args: ["--stdio"] };
  const client = new LanguageClient("python", "Python", server, { documentSelector: [{ scheme: "file", language: "python" }] });
  await client.start();
  return client;
}

let client;

export async function activate() {
  client = await start();
  // Its providers are the newest ones then.
  const restart = async () => {
    await client.dispose();
    client = await start();
  };
  return { restart };
}

export function deactivate() {
  return client?.dispose();
}
