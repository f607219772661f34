// SPDX-License-Identifier: Apache-2.0
// Bundles the extension (dist/extension.js), the pages (dist/flame.js, dist/flame.css, …) and
// the tests that run inside the extension host (out/suite.js).
//   node esbuild.mjs [--production] [--watch]
import esbuild from "esbuild";

const production = process.argv.includes("--production");
const common = { bundle: true, minify: production, sourcemap: !production, logLevel: "warning" };
const pages = (extension) => Object.fromEntries(["events", "flame", "graph", "memory", "report", "size"].map((name) => [name, `src/webview/${name}${extension}`]));
const builds = [
  {
    ...common,
    entryPoints: { extension: "src/extension.ts", client: "src/server/client.ts" },
    outdir: "dist",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode", "./client.js"],
  },
  {
    ...common,
    entryPoints: pages(".ts"),
    outdir: "dist",
    platform: "browser",
    target: "es2022",
    format: "iife",
    loader: { ".min.js": "text" },
  },
  { ...common, entryPoints: pages(".css"), outdir: "dist" },
];
if (!production) {
  builds.push({
    ...common,
    entryPoints: { suite: "test/host/suite.ts" },
    outdir: "out",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode", "mocha"],
  });
}

if (process.argv.includes("--watch")) {
  for (const build of builds) await (await esbuild.context(build)).watch();
} else {
  await Promise.all(builds.map((build) => esbuild.build(build)));
}
