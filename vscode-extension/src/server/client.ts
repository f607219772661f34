// SPDX-License-Identifier: Apache-2.0
// The language client. A bundle of its own, so that activation does not wait for it to be loaded.
import * as vscode from "vscode";
import {
  type ClientCapabilities,
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  type ErrorHandler,
  type FeatureState,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
  InlayHintRequest,
  TextDocumentContentRequest,
} from "vscode-languageclient/node";
import { settings, userChoice } from "../base/config";
import { withEnvironment } from "../base/environments";
import { ofUser } from "../base/trust";

export interface ClientOptions {
  command: string;
  log: vscode.LogOutputChannel;
  environment: () => string | undefined; // of Python, chosen elsewhere
  onRunning: () => void; // at the start, and again after each restart
  // The server ended by itself; says whether it shall be started again.
  onClosed: () => boolean;
}

// What the server cannot learn from the standard capabilities.
class EtlensCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { etlens: { profileChanged: true, revealEvents: true, hoverImages: true, hoverLinks: true, profileModel: vscode.workspace.isTrusted } };
  }
  initialize(): void {
    // Nothing to register.
  }
  getState(): FeatureState {
    return { kind: "static" };
  }
  clear(): void {
    // Nothing to clear.
  }
}

function errorHandler(onClosed: () => boolean): ErrorHandler {
  return {
    error: () => ({ action: ErrorAction.Continue }),
    // `handled`: we say it ourselves, once.
    closed: (): CloseHandlerResult => ({
      action: onClosed() ? CloseAction.Restart : CloseAction.DoNotRestart,
      handled: true,
    }),
  };
}

// The editor forgets the arguments of a hint's command when it asks for newer hints, and may show the old hint
// again after it was pointed at: a click would only say that there is no such command. One without arguments
// is not forgotten, and the click puts the cursor on the line whose event is meant.
function withoutArguments(hint: vscode.InlayHint): vscode.InlayHint {
  if (typeof hint.label === "string") return hint;
  for (const part of hint.label) {
    if (part.command !== undefined) part.command = { title: part.command.title, command: part.command.command };
  }
  return hint;
}

export function createClient(options: ClientOptions): LanguageClient {
  const executable = { command: options.command, args: ["lsp"] };
  const client = new LanguageClient(
    "etlens",
    "etlens",
    { run: executable, debug: executable },
    {
      documentSelector: [{ scheme: "file", language: "python" }],
      outputChannel: options.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: errorHandler(options.onClosed),
      initializationFailedHandler: () => false,
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const values = await next(params, token);
            if (!Array.isArray(values)) return values;
            const told = (value: unknown) => (vscode.workspace.isTrusted ? withEnvironment(value, options.environment()) : ofUser(value, userChoice));
            return values.map((value: unknown, n) => (params.items[n]?.section === "etlens" ? told(value) : value));
          },
        },
        // They are decorations otherwise (views/hints.ts), of the same texts.
        provideInlayHints: async (document, range, token, next) =>
          settings.hintDisplay() === "inlay" ? (await next(document, range, token))?.map(withoutArguments) : [],
      },
      // A log of the server is a log, whatever its level there.
      stdioOptions: {
        stdout: () => undefined,
        stderr: (input, log) => {
          input.setEncoding("utf8");
          input.on("data", (text: string) => {
            for (const line of text.split("\n")) if (line !== "") log.info(line);
          });
        },
      },
    },
  );
  client.registerFeature(new EtlensCapabilities());
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) options.onRunning();
  });
  return client;
}

// The editor asks again: what is answered has changed.
export function refreshInlayHints(client: LanguageClient): void {
  for (const document of vscode.workspace.textDocuments) {
    client.getFeature(InlayHintRequest.method).getProvider(document)?.onDidChangeInlayHints.fire();
  }
}

// Documents of ours that are open shall be read again.
export function refreshProvidedDocuments(client: LanguageClient, scheme: string): void {
  for (const provider of client.getFeature(TextDocumentContentRequest.method)?.getProviders() ?? []) {
    if (provider.scheme !== scheme) continue;
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === scheme) provider.onDidChangeEmitter.fire(document.uri);
    }
  }
}
