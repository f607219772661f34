// SPDX-License-Identifier: Apache-2.0
// The same fleet through etlens alone and through ClickHouse: the same places, counts and quantiles.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { startClickHouse } from "./clickhouse.mjs";

const root = resolve("../..");
const etlens = resolve(process.env.ETLENS ?? join(root, "build/release/bin/etlens"));
const makeFleet = resolve(process.env.ETLENS_MAKE_FLEET ?? join(root, "build/release/bin/etlens_make_fleet"));
const dumps = Number(process.env.DUMPS ?? 300);
const data = join(root, "tests/data");
const folder = mkdtempSync(join(tmpdir(), "etlens-fleet-"));
const fleetFolder = join(folder, "fleet");
const sql = (name) => readFileSync(join(root, "fleet/clickhouse", name), "utf8");
let engine = null;

function run(...args) {
  return execFileSync(etlens, args, { cwd: folder, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "pipe"] }).toString();
}
const fleet = (...args) => JSON.parse(run("fleet", "--format", "json", "--target-time-scale", "ns", ...args));

function answer(name, file) {
  writeFileSync(join(folder, file), engine.ask(sql(name)));
  return file;
}

// What both tell: an engine names no outliers.
function comparable(result) {
  const cell = ({ dumps: n, p50, p90, p95, p99, hottest }) => ({ n, p50, p90, p95, p99, hottest });
  const places = new Map();
  for (const place of result.places) {
    places.set(`${place.kind} ${place.place}`, cell(place));
    for (const group of place.groups) places.set(`${place.kind} ${place.place} ${group.group}`, cell(group));
  }
  return places;
}

before(async () => {
  const series = [1, 2, 3, 4, 5, 6].map((i) => join(data, `compare/base-${i}.dump.gz`));
  const record = join(data, "release-1.5/mlp-portable-fp32/model.etrecord");
  execFileSync(makeFleet, [fleetFolder, String(dumps), record, ...series]);
  engine = await startClickHouse(join(folder, "clickhouse"));
  if (engine) engine.ask(sql("tables.sql"));
  if (engine) console.log(`ClickHouse ${engine.ask("SELECT version()").trim()}`);
});
after(async () => {
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function needsEngine(t) {
  if (!engine) t.skip("clickhouse-server or clickhouse-client is missing: apt-get install clickhouse-server clickhouse-client");
  return engine !== null;
}

test("exact quantiles are equal, in all dumps and by device and build", (t) => {
  if (!needsEngine(t)) return;
  const started = Date.now();
  engine.pipe(`'${etlens}' rows '${fleetFolder}'`);
  t.diagnostic(`${dumps} dumps written and taken in ${(Date.now() - started) / 1000} s`);
  const asked = Date.now();
  const file = answer("places.sql", "answer.ndjson");
  const [rows, bytes] = engine.ask("SELECT count(), (SELECT sum(bytes) FROM system.parts WHERE active AND table = 'etlens_rows') FROM etlens_rows").trim().split("\t");
  t.diagnostic(`${rows} rows, ${(bytes / rows).toFixed(1)} bytes each; places.sql took ${(Date.now() - asked) / 1000} s`);
  for (const fact of ["device", "build"]) {
    const own = fleet(fleetFolder, "--group-by", fact);
    const other = fleet("--from", file, "--group-by", fact);
    assert.equal(own.dumps, dumps);
    assert.equal(other.quantile_error, 0);
    assert.deepEqual(comparable(other), comparable(own));
  }
});

test("what is written twice, or again after half of it, counts once", (t) => {
  if (!needsEngine(t)) return;
  const once = answer("places.sql", "once.ndjson");
  engine.pipe(`('${etlens}' rows '${fleetFolder}' 2>/dev/null || true) | head -n 1000`);
  engine.pipe(`'${etlens}' rows '${fleetFolder}'`);
  const twice = answer("places.sql", "twice.ndjson");
  assert.equal(readFileSync(join(folder, twice), "utf8"), readFileSync(join(folder, once), "utf8"));
});

test("rows in the engine's own order give the same fleet", (t) => {
  if (!needsEngine(t)) return;
  writeFileSync(
    join(folder, "back.ndjson"),
    engine.ask("SELECT * FROM etlens_rows FINAL ORDER BY kind, place, cityHash64(dump) FORMAT JSONEachRow"),
  );
  assert.deepEqual(
    comparable(fleet("--from", "back.ndjson", "--group-by", "lab")),
    comparable(fleet(fleetFolder, "--group-by", "lab")),
  );
});

test("TSV says what NDJSON says", (t) => {
  if (!needsEngine(t)) return;
  engine.ask("CREATE TABLE tsv_rows AS etlens_rows");
  writeFileSync(join(folder, "rows.tsv"), run("rows", fleetFolder, "--format", "tsv"));
  engine.ask("INSERT INTO tsv_rows FORMAT TabSeparatedWithNames", readFileSync(join(folder, "rows.tsv")));
  const all = (table) => engine.ask(`SELECT * FROM ${table} FINAL ORDER BY kind, place, dump FORMAT TabSeparated`);
  assert.ok(all("tsv_rows") === all("etlens_rows"), "the rows differ");
});

test("closed days: counts are equal, quantiles estimates; a day closed twice counts once", (t) => {
  if (!needsEngine(t)) return;
  const days = engine.ask("SELECT DISTINCT toString(day) FROM etlens_rows ORDER BY day").trim().split("\n");
  const close = () => {
    for (const day of days) {
      engine.ask(`ALTER TABLE etlens_days DROP PARTITION '${day}'`);
      engine.ask(sql("close_day.sql").replaceAll("2026-01-01", day));
    }
  };
  close();
  close();
  const own = comparable(fleet(fleetFolder, "--group-by", "device"));
  const asked = Date.now();
  const file = answer("places_of_days.sql", "days.ndjson");
  const sketches = engine.ask("SELECT count() FROM etlens_days").trim();
  t.diagnostic(`places_of_days.sql took ${(Date.now() - asked) / 1000} s for ${sketches} sketches`);
  const result = fleet("--from", file, "--group-by", "device");
  assert.equal(result.quantile_error, null);
  const other = comparable(result);
  assert.deepEqual([...other.keys()].sort(), [...own.keys()].sort());
  // A t-digest has no bound in the value; the distribution here is not a hard one.
  let worst = 0;
  for (const [name, cell] of own) {
    assert.equal(other.get(name).n, cell.n);
    assert.equal(other.get(name).hottest, cell.hottest);
    if (cell.n < 100 || cell.p50 === 0) continue;
    worst = Math.max(worst, Math.abs(other.get(name).p50 / cell.p50 - 1));
  }
  t.diagnostic(`medians of ${days.length} days' sketches are within ${(worst * 100).toFixed(2)} %`);
  assert.ok(worst < 0.1, `a median is off by ${worst}`);
});

test("sketches of etlens are within their bound", () => {
  const exact = comparable(fleet(fleetFolder));
  const sketched = fleet(fleetFolder, "--exact-values", "0");
  for (const [name, cell] of comparable(sketched)) {
    for (const q of ["p50", "p90", "p95", "p99"]) {
      const truth = exact.get(name)[q];
      assert.ok(Math.abs(cell[q] - truth) <= truth * sketched.quantile_error * 1.0001, `${name} ${q}`);
    }
  }
});
