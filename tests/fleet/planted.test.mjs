// SPDX-License-Identifier: Apache-2.0
// A fleet in which two builds changed something, and files that are none: the changes are found where they were
// planted, nothing else is accused, and what is no dump is reported and changes nothing.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

const root = resolve("../..");
const etlens = resolve(process.env.ETLENS ?? join(root, "build/release/bin/etlens"));
const makeFleet = resolve(process.env.ETLENS_MAKE_FLEET ?? join(root, "build/release/bin/etlens_make_fleet"));
const dumps = Number(process.env.DUMPS ?? 1200);
const data = join(root, "tests/data");
const folder = mkdtempSync(join(tmpdir(), "etlens-planted-"));
const fleetFolder = join(folder, "fleet");

function json(...args) {
  const text = execFileSync(etlens, [...args, "--format", "json"], { cwd: folder, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
  return JSON.parse(text.toString());
}

// A dense layer of the head takes a fifth longer from build 2 on, one of the embedding a fifth less from build 3 on.
const planted = [
  { option: "2:23:1.2", line: "logits = self.head(x)", modules: ["head", "head.0"], build: "2", isSlower: true },
  { option: "3:6:0.8", line: "x = torch.tanh(self.embed(self.normalise(readings)))", modules: ["embed"], build: "3", isSlower: false },
];

before(() => {
  const series = [1, 2, 3, 4, 5, 6].map((i) => join(data, `compare/base-${i}.dump.gz`));
  const record = join(data, "release-1.5/mlp-portable-fp32/model.etrecord");
  const slow = planted.flatMap(({ option }) => ["--slow", option]);
  execFileSync(makeFleet, [fleetFolder, String(dumps), ...slow, record, ...series]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("what was planted is found with its build, and nothing else is accused", (t) => {
  if (dumps < 1000) return t.skip(`changes this small do not show in ${dumps} dumps`);
  const trend = json("fleet", fleetFolder, "--trend", "build");
  assert.equal(trend.dumps, dumps);
  const accused = trend.places.filter((place) => place.changed_with !== null);
  for (const { line, modules, build, isSlower } of planted) {
    const row = accused.find((place) => place.kind === "line" && place.text === line);
    assert.ok(row, line);
    assert.equal(row.changed_with, build);
    assert.equal(row.change > 0, isSlower);
    assert.ok(Math.abs(row.change) > 0.08 && Math.abs(row.change) < 0.16, `${line}: ${row.change}`);
    for (const module of modules) assert.ok(accused.some((place) => place.kind === "module" && place.place === module), module);
  }
  // The planted lines, their modules, and the operator and the totals that their time is part of.
  const guilty = new Set(planted.flatMap(({ modules }) => modules));
  for (const place of accused) {
    const isGuilty = {
      line: planted.some(({ line }) => line === place.text),
      module: guilty.has(place.place) || place.place === "",
      operator: place.place === "aten.permute_copy.default",
      total: true,
    }[place.kind];
    assert.ok(isGuilty, `${place.kind} ${place.place} is accused with ${place.changed_with}: ${place.change}`);
  }
  t.diagnostic(`${accused.length} of ${trend.tested} places accused in ${dumps} dumps, all of them rightly`);
});

test("a tenth of the files cut or foreign: reported, and the others say what they said", () => {
  const whole = json("fleet", fleetFolder, "--group-by", "device");
  const names = execFileSync("find", [fleetFolder, "-name", "*.etdp"]).toString().trim().split("\n").sort();
  const isOdd = (i) => i % 10 === 3;
  const sound = join(folder, "sound");
  cpSync(fleetFolder, sound, { recursive: true });
  names.forEach((name, i) => {
    if (!isOdd(i)) return;
    rmSync(join(sound, name.slice(fleetFolder.length)));
    if (i % 3 === 0) truncateSync(name, Math.floor(statSync(name).size / 2));
    else if (i % 3 === 1) writeFileSync(name, readFileSync(join(data, "../../LICENSE")));
    else truncateSync(name, 0);
  });
  const broken = json("fleet", fleetFolder, "--group-by", "device");
  const odd = names.filter((_, i) => isOdd(i)).length;
  assert.equal(broken.broken.reduce((sum, { count }) => sum + count, 0), odd);
  assert.deepEqual(broken.broken.map(({ reason }) => reason).toSorted(), ["damaged", "empty", "foreign"]);
  assert.equal(broken.dumps, whole.dumps - odd);
  const rest = json("fleet", sound, "--group-by", "device");
  const values = ({ places }) => places.map(({ slow, fast, groups, ...place }) => [place, groups.map(({ slow: s, fast: f, ...group }) => group)]);
  assert.deepEqual(values(broken), values(rest));
});

test("killed half way and started again, nothing counts twice", async () => {
  const rows = join(folder, "rows.ndjson");
  // Its reader takes no more than so much, so that it is in the middle of it however fast it is.
  const half = '"$0" rows "$1" | { head -c 100000 > "$2"; touch "$2.half"; read -r < "$2.never"; }';
  execFileSync("mkfifo", [`${rows}.never`]);
  const shell = spawn("bash", ["-c", half, etlens, fleetFolder, rows], { detached: true, stdio: "ignore" });
  const ended = new Promise((done) => shell.once("exit", done));
  while (!existsSync(`${rows}.half`)) await new Promise((done) => setTimeout(done, 5));
  process.kill(-shell.pid, "SIGKILL");
  await ended;
  execFileSync("bash", ["-c", '"$0" rows "$1" >> "$2"', etlens, fleetFolder, rows], { stdio: "ignore" });
  const whole = json("fleet", fleetFolder);
  const again = json("fleet", "--from", rows);
  assert.ok(again.repeated > 0);
  const values = ({ places }) => places.map(({ kind, place, dumps: n, p50, p90, p95, p99, hottest }) => [kind, place, n, p50, p90, p95, p99, hottest]);
  assert.deepEqual(values(again), values(whole));
});
