// SPDX-License-Identifier: Apache-2.0
// The recipe of docs/ci.md, as it stands there, on two checkouts of a repository: what is the device's and
// the user's own (python, take-dumps, gh) puts recorded artifacts where the recipe wants them.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { executable, root } from "./exported.mjs";

const recipe = fs.readFileSync(path.join(root, "docs/ci.md"), "utf8");
const fenced = (language) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(recipe)?.[1] ?? assert.fail(`no ${language} in docs/ci.md`);
const example = (...parts) => path.join(root, "examples", ...parts);
const before = [example("storyteller/model.etdp"), ...[2, 3, 4].map((n) => example(`storyteller-runs/run${n}.etdp`))];
const folders = [];
after(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true })));

// The steps of the workflow that are shell: name and script.
function steps(workflow) {
  const found = [];
  let name = "";
  const lines = workflow.split("\n");
  for (let i = 0; i < lines.length; ++i) {
    name = /^ {6}- name: (.*)$/.exec(lines[i])?.[1] ?? name;
    const run = /^ {8}run: (.*)$/.exec(lines[i])?.[1];
    if (run === undefined) continue;
    const block = [];
    while (run === "|" && /^ {10}/.test(lines[i + 1])) block.push(lines[++i].slice(10));
    found.push({ name, script: run === "|" ? block.join("\n") : run });
  }
  return found;
}

function program(file, lines) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, ["#!/bin/sh", "set -e", ...lines, ""].join("\n"), { mode: 0o755 });
}

const git = (folder, ...args) => execFileSync("git", ["-C", folder, "-c", "user.name=etlens", "-c", "user.email=etlens@example.org", "-c", "init.defaultBranch=main", ...args]);

// A repository whose last commit is the change, and checkouts of both commits, as actions/checkout leaves them.
function workspace([base, change]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "etlens-ci-"));
  folders.push(folder);
  const origin = path.join(folder, "origin");
  fs.mkdirSync(origin);
  git(origin, "init", "--quiet");
  for (const side of [base, change]) {
    for (const file of fs.readdirSync(example(side.name)).filter((file) => file.endsWith(".py"))) fs.copyFileSync(example(side.name, file), path.join(origin, file));
    // The user's own script: the n-th dump that was recorded of the side that it is asked for.
    program(path.join(origin, "scripts/take-dumps"), ['n=${2#run}', 'dump=$(sed -n "${n}p" "$DUMPS/${1#runs/}")', 'if [ -n "$dump" ]; then cp "$dump" "$1/$2.etdp"; fi']);
    git(origin, "add", "-A");
    git(origin, "commit", "--quiet", "-m", side.name);
  }
  const work = path.join(folder, "work");
  fs.mkdirSync(work);
  for (const [name, revision] of [["base", "HEAD^"], ["new", "HEAD"]]) {
    execFileSync("git", ["clone", "--quiet", origin, path.join(work, name)]);
    git(path.join(work, name), "checkout", "--quiet", execFileSync("git", ["-C", origin, "rev-parse", revision], { encoding: "utf8" }).trim());
  }
  const dumps = path.join(folder, "dumps");
  fs.mkdirSync(dumps);
  fs.writeFileSync(path.join(dumps, "base"), base.dumps.join("\n"));
  fs.writeFileSync(path.join(dumps, "new"), change.dumps.join("\n"));
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(executable, path.join(bin, "etlens"));
  // `python export.py FOLDER`: what the export of this checkout once saved.
  const saved = (name) => `cp ${example(name, "model.pte")} ${example(name, "model.etrecord")} "$2"`;
  program(path.join(bin, "python"), ['test "$1" = export.py', `case $PWD in */base) ${saved(base.name)} ;; *) ${saved(change.name)} ;; esac`]);
  program(path.join(bin, "gh"), ['printf "%s\\n" "$@" >"$DUMPS/gh"', 'for last; do :; done; cat "$last" >"$DUMPS/comment"']);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, DUMPS: dumps, GITHUB_STEP_SUMMARY: path.join(folder, "summary.md") };
  return { folder, work, dumps, env };
}

// As GitHub runs a step of a workflow.
const bash = ({ work, env }, script) => spawnSync("bash", ["-e", "-c", script], { cwd: work, env, encoding: "utf8" });

const expressions = { "github.event.number": "7", "github.repository": "someone/model" };
const values = (script) => script.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, name) => expressions[name] ?? assert.fail(`what is ${name}?`));

const slow = { name: "storyteller", dumps: before };
const fast = { name: "storyteller-after", dumps: [example("storyteller-after/model.etdp")] };

describe("docs/ci.md", () => {
  for (const [what, sides, verdict] of [
    ["an improvement passes", [slow, fast], 0],
    ["a regression fails, after its report", [fast, slow], 3],
  ]) {
    test(`the workflow: ${what}`, () => {
      const place = workspace(sides);
      const found = steps(fenced("yaml"));
      assert.deepEqual(found.map(({ name }) => name), ["Export and run both sides, in turn", "Report", "Comment", "Fail on a regression"]);
      // Of an earlier job on the same runner.
      fs.mkdirSync(path.join(place.work, "runs/new"), { recursive: true });
      fs.copyFileSync(example("storyteller-runs/slow-moment.etdp"), path.join(place.work, "runs/new/old.etdp"));
      for (const { name, script } of found) {
        const ran = bash(place, values(script));
        assert.equal(ran.status, name === "Fail on a regression" ? verdict : 0, `${name}: ${ran.stderr}`);
      }
      const comment = fs.readFileSync(path.join(place.work, "comment.md"), "utf8");
      assert.match(comment, /^\*\*forward\*\* /);
      assert.match(comment, verdict === 0 ? /likely faster/ : /likely slower/);
      const [base, change] = sides.map(({ dumps }) => dumps.length);
      assert.ok(comment.includes(`; ${base} dump${base === 1 ? "" : "s"} against ${change}\n`), comment);
      assert.match(comment, /layers\.py/);
      assert.equal(fs.readFileSync(place.env.GITHUB_STEP_SUMMARY, "utf8"), comment);
      assert.equal(fs.readFileSync(path.join(place.dumps, "comment"), "utf8"), comment);
      assert.match(fs.readFileSync(path.join(place.dumps, "gh"), "utf8"), /^pr\ncomment\n7\n--repo\nsomeone\/model\n/);
      const page = fs.readFileSync(path.join(place.work, "report.html"), "utf8");
      assert.ok(page.includes('id="comparison"'));
      // The source of the change, from its checkout.
      assert.ok(!page.includes("The file was not found"));
    });
  }

  test("the three commands alone", () => {
    const place = workspace([slow, fast]);
    for (const [side, { name, dumps }] of [["base", slow], ["new", fast]]) {
      const folder = path.join(place.work, "runs", side);
      fs.mkdirSync(folder, { recursive: true });
      for (const file of [...dumps, example(name, "model.etrecord"), example(name, "model.pte")]) fs.copyFileSync(file, path.join(folder, path.basename(file)));
    }
    const ran = bash(place, fenced("sh"));
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(ran.stdout, /likely faster/);
    for (const file of ["comment.md", "report.html"]) assert.ok(fs.statSync(path.join(place.work, file)).size > 1000);
  });
});
