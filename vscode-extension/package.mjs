// SPDX-License-Identifier: Apache-2.0
// Puts the server, the shared libraries that it needs and the example into the extension, and packages
// all of it: etlens-PLATFORM.vsix. The server is ../build/release/bin/etlens, or what ETLENS_SERVER names.
import { execFileSync } from "node:child_process";
import { cpSync, chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const here = import.meta.dirname;
const platform = `${process.platform}-${process.arch}`;
const server = process.env.ETLENS_SERVER ?? path.join(here, "../build/release/bin/etlens");

// The C library is the system's: the server runs with the one it was built against, or a newer one.
const ofSystem = /^(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libresolv)\.so/;

function output(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8" });
}

function librariesOf(executable) {
  const missing = [];
  const files = [];
  for (const line of output("ldd", executable).split("\n")) {
    const found = /^\s*(\S+) => (\S+)/.exec(line);
    if (found === null || ofSystem.test(found[1])) continue;
    if (found[2] === "not") missing.push(found[1]);
    else files.push({ name: found[1], file: found[2] });
  }
  if (missing.length > 0) throw new Error(`${executable} needs ${missing.join(", ")}, which this machine does not have`);
  return files;
}

// The licence of the Debian package that a library comes from.
function licenceOf(file) {
  for (const name of [file, realpathSync(file), realpathSync(file).replace(/^\/usr/, "")]) {
    try {
      const owner = output("dpkg-query", "-S", name).split(":")[0];
      const copyright = `/usr/share/doc/${owner}/copyright`;
      if (existsSync(copyright)) return { owner, text: readFileSync(copyright, "utf8") };
    } catch {
      // Known to the package manager by another of its names.
    }
  }
  return undefined;
}

// The packages that are in the bundles, with what they need.
function bundledPackages() {
  const found = new Set();
  const open = ["vscode-languageclient", "d3-hierarchy"];
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
  const target = path.join(here, "server");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.join(target, "lib"), { recursive: true });
  const executable = path.join(target, "etlens");
  const notices = new Map();
  for (const { name, file } of librariesOf(server)) {
    copyFileSync(realpathSync(file), path.join(target, "lib", name));
    const licence = licenceOf(file);
    if (licence !== undefined) notices.set(licence.owner, licence.text);
  }
  output("strip", "-o", executable, server);
  chmodSync(executable, 0o755);
  const pages = [...notices, ...bundledPackages().flatMap(noticeOf)].map(([owner, text]) => `===== ${owner}\n\n${text}`);
  writeFileSync(path.join(target, "NOTICES.txt"), pages.join("\n\n"));
  // Nothing but the C library may come from anywhere else.
  for (const { name, file } of librariesOf(executable)) {
    if (path.dirname(realpathSync(file)) !== path.join(target, "lib")) throw new Error(`${name} would be taken from ${file}`);
  }
  process.stdout.write(output(executable, "--version"));
}

function bundleExample() {
  const target = path.join(here, "example");
  rmSync(target, { recursive: true, force: true });
  cpSync(path.join(here, "../examples/storyteller"), target, { recursive: true });
}

if (!existsSync(server)) throw new Error(`there is no server ${server}; build it, or name one with ETLENS_SERVER`);
copyFileSync(path.join(here, "../LICENSE"), path.join(here, "LICENSE"));
bundleServer();
bundleExample();
const vsce = path.join(here, "node_modules/@vscode/vsce/vsce");
const file = `etlens-${platform}.vsix`;
// The README's pictures lie beside it; there is no address to give them.
const options = ["--no-dependencies", "--no-rewrite-relative-links", "--target", platform, "-o", file];
execFileSync(process.execPath, [vsce, "package", ...options], { cwd: here, stdio: "inherit" });
