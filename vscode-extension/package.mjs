// SPDX-License-Identifier: Apache-2.0
// Puts the server and the example into the extension, and packages it: etlens-PLATFORM.vsix. ETLENS_PLATFORM is
// linux-x64, linux-arm64 or win32-x64 (without it, this machine's), ETLENS_SERVER an executable other than scripts/package's.
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const here = import.meta.dirname;
const platform = process.env.ETLENS_PLATFORM ?? `${process.platform}-${process.arch}`;
const executable = platform.startsWith("win32-") ? "etlens.exe" : "etlens";
const server = process.env.ETLENS_SERVER ?? path.join(here, "../build/packages", platform, executable);

// Programs for Windows (PE): the machine they are for. What they need of the system, tests/packages/windows looks at.
function windowsProgramOf(bytes) {
  const header = bytes.readUInt32LE(0x3c);
  return { machine: { 0x8664: "win32-x64" }[bytes.readUInt16LE(header + 4)], needsLoader: false };
}

// Programs for Linux (ELF, 64 bits, little-endian): the machine they are for, and whether they need a loader.
function programOf(file) {
  const bytes = readFileSync(file);
  if (bytes.toString("latin1", 0, 2) === "MZ") return windowsProgramOf(bytes);
  if (bytes.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") throw new Error(`${file} is no executable for Linux or Windows`);
  const machine = { 62: "linux-x64", 183: "linux-arm64" }[bytes.readUInt16LE(18)];
  const headers = Number(bytes.readBigUInt64LE(32));
  const types = Array.from({ length: bytes.readUInt16LE(56) }, (_, at) => bytes.readUInt32LE(headers + at * bytes.readUInt16LE(54)));
  return { machine, needsLoader: types.includes(3) };
}

// The packages that are in the bundles, with what they need.
function bundledPackages() {
  const found = new Set();
  const open = ["vscode-languageclient", "d3-hierarchy", "elkjs"];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const folder = path.join(here, "node_modules", name);
    if (found.has(name) || !existsSync(folder)) continue;
    found.add(name);
    open.push(...Object.keys(JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")).dependencies ?? {}));
  }
  return [...found].sort();
}

function noticeOf(name) {
  const folder = path.join(here, "node_modules", name);
  const licence = readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
  return licence === undefined ? [] : [[name, readFileSync(path.join(folder, licence), "utf8")]];
}

function bundleServer() {
  const program = programOf(server);
  if (program.machine !== platform) throw new Error(`${server} is for ${program.machine ?? "another machine"}, not for ${platform}`);
  if (program.needsLoader) throw new Error(`${server} needs shared libraries; scripts/package makes one that does not`);
  const target = path.join(here, "server");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  copyFileSync(server, path.join(target, executable));
  chmodSync(path.join(target, executable), 0o755);
  const licences = path.join(here, "out/licences");
  rmSync(licences, { recursive: true, force: true });
  execFileSync(path.join(here, "../packaging/licences"), [platform, licences]);
  const inServer = readdirSync(licences).sort().map((name) => [name, readFileSync(path.join(licences, name), "utf8")]);
  const pages = [...inServer, ...bundledPackages().flatMap(noticeOf)].map(([owner, text]) => `===== ${owner}\n\n${text}`);
  writeFileSync(path.join(target, "NOTICES.txt"), pages.join("\n\n"));
}

// In one file, because a zip archive would not see that artifacts share their weights; src/commands/example.ts reads it.
function bundleExample() {
  const folder = path.join(here, "../examples/storyteller");
  const files = readdirSync(folder).sort().map((name) => [name, readFileSync(path.join(folder, name))]);
  const index = Buffer.from(`${JSON.stringify(files.map(([name, bytes]) => [name, bytes.length]))}\n`);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = brotliCompressSync(Buffer.concat([index, ...files.map(([, bytes]) => bytes)]), { params });
  writeFileSync(path.join(here, "example.br"), packed);
}

if (!existsSync(server)) throw new Error(`there is no server ${server}; scripts/package makes it`);
copyFileSync(path.join(here, "../LICENSE"), path.join(here, "LICENSE"));
copyFileSync(path.join(here, "../docs/terms.md"), path.join(here, "terms.md"));
bundleServer();
bundleExample();
const vsce = path.join(here, "node_modules/@vscode/vsce/vsce");
const file = `etlens-${platform}.vsix`;
// The README's pictures lie beside it; there is no address to give them.
const options = ["--no-dependencies", "--no-rewrite-relative-links", "--target", platform, "-o", file];
execFileSync(process.execPath, [vsce, "package", ...options], { cwd: here, stdio: "inherit" });
