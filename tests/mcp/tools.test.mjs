// SPDX-License-Identifier: Apache-2.0
// Every tool on every example: the numbers are those of the command line, in the room that was given.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { Agent, command, root, same } from './agent.mjs';

// Folder of the workspace, and what chooses the run in it, as arguments of a tool and of a command.
const examples = [
  ['examples/storyteller', {}, []],
  ['examples/storyteller-after', {}, []],
  ['examples/pricer', {}, []],
  ['examples/leafnet', { etdump: 'fp32/model.etdp' }, ['--etdump', 'examples/leafnet/fp32/model.etdp']],
  ['examples/leafnet', { etdump: 'int8/model.etdp' }, ['--etdump', 'examples/leafnet/int8/model.etdp']],
];
const kAll = { limit: 100000, max_bytes: 10_000_000 };

for (const [folder, args, options] of examples) {
  const name = `${folder} ${options.join(' ')}`;
  const from = options.length === 0 ? [folder] : ['--root', folder, ...options];

  test(`${name}: lines and modules are those of the command line`, async (t) => {
    const agent = await Agent.connect(t, [folder]);
    const report = command('lines', ...from);
    const answer = await agent.answer('hot_lines', { ...args, ...kAll });
    same(answer.measured.total, report.total, 'total');
    assert.deepEqual(answer.left_out, []);
    const expected = new Map(report.files.flatMap((file) => file.lines.map((line) => [`${file.path ?? file.recorded_path}:${line.current_line ?? line.line}`, line])));
    assert.ok(answer.lines.length > 0);
    for (const row of answer.lines) {
      const at = `${row.place.path ?? row.place.recorded_path}:${row.place.line ?? row.place.recorded_line}`;
      const line = expected.get(at);
      assert.ok(line, at);
      for (const field of ['self', 'inclusive', 'share', 'occurrences', 'calls', 'delegated']) same(row[field], line[field], `${at} ${field}`);
      assert.equal(row.confidence, line.confidence);
      assert.deepEqual(row.rank, line.rank);
    }
    const costs = answer.lines.map((row) => row.self);
    assert.deepEqual(costs, costs.toSorted((a, b) => b - a));
    assert.equal(answer.lines.length, [...expected.values()].filter((line) => line.rank !== null).length);

    const modules = new Map(command('modules', ...from).modules.map((row) => [row.path, row]));
    const tree = await agent.answer('modules', { ...args, ...kAll });
    assert.equal(tree.modules.length, modules.size);
    for (const row of tree.modules) {
      for (const field of ['self', 'inclusive', 'share', 'calls', 'delegated']) same(row[field], modules.get(row.path)[field], `${row.path} ${field}`);
    }
  });

  test(`${name}: check, summary and advice are those of the command line`, async (t) => {
    const agent = await Agent.connect(t, [folder]);
    const check = command('check', ...from);
    const answer = await agent.answer('check', args);
    assert.equal(answer.pair.verdict, check.pair.verdict);
    same(answer.coverage.lines, check.coverage.lines, 'coverage');
    assert.deepEqual(answer.report.map((row) => [row.id, row.count]), check.report.map((row) => [row.id, row.count]));
    const summary = await agent.answer('profile_summary', args);
    same(summary.mean, check.mean, 'mean');
    same(summary.parts.reduce((sum, part) => sum + part.self, 0) + summary.disturbance, check.mean, 'all parts and the disturbance');
    const advice = command('advise', ...from).advice;
    const rows = (await agent.answer('advise', { ...args, ...kAll })).advice;
    assert.deepEqual(rows.map((row) => row.kind), advice.map((row) => row.kind));
    rows.forEach((row, i) => same(row.at_most, advice[i].at_most, row.title));
  });

  test(`${name}: every hot line can be explained`, async (t) => {
    const agent = await Agent.connect(t, [folder]);
    for (const row of (await agent.answer('hot_lines', { ...args, limit: 5 })).lines) {
      assert.ok(row.place.path && row.place.line);
      const line = await agent.answer('explain_line', { ...args, path: row.place.path, line: row.place.line });
      assert.equal(line.self, row.self);
      assert.ok(line.explanation.includes(' self · '), line.explanation);
    }
  });
}

test('memory is that of the command line', async (t) => {
  for (const folder of ['examples/storyteller', 'examples/pricer']) {
    const agent = await Agent.connect(t, [folder]);
    const report = command('memory', folder);
    const answer = await agent.answer('memory_peak', kAll);
    assert.equal(answer.buffers.reduce((sum, buffer) => sum + buffer.size, 0), report.buffers.reduce((sum, buffer) => sum + buffer.size, 0));
    assert.equal(answer.tensors.reduce((sum, tensor) => sum + tensor.at_peak, 0), answer.peak);
    assert.ok(answer.lines.every((line) => line.place.path.startsWith(path.join(root, folder))));
  }
});

test('numeric errors are those of the command line', async (t) => {
  const folder = 'tests/data/values/mlp';
  const agent = await Agent.connect(t, [folder]);
  const report = command('values', '--etdump', `${folder}/fault.etdp`, '--etrecord', `${folder}/model.etrecord`, '--reference', `${folder}/sound.etdp`);
  const answer = await agent.answer('numeric_errors', { etdump: 'fault.etdp', etrecord: 'model.etrecord', reference: 'sound.etdp' });
  assert.equal(answer.values, report.values.length);
  assert.deepEqual(answer.origin.map((row) => row.node), report.origin.map((row) => row.node));
  answer.origin.forEach((row, i) => same(row.made, report.origin[i].made, row.node));
  const without = await Agent.connect(t, ['examples/storyteller']);
  assert.match(await without.refusal('numeric_errors', {}), /holds no values/);
});

test('two sides are compared as on the command line', async (t) => {
  const agent = await Agent.connect(t, ['examples']);
  const base = ['storyteller/model.etdp', ...[2, 3, 4].map((n) => `storyteller-runs/run${n}.etdp`), 'storyteller/model.etrecord', 'storyteller/model.pte'];
  const report = command('diff', '--base', ...base.map((file) => `examples/${file}`), '--new', 'examples/storyteller-after');
  const answer = await agent.answer('compare', { base, new: ['storyteller-after'], ...kAll });
  assert.equal(answer.base_dumps, report.dumps.base);
  same(answer.total.before, report.total.before, 'before');
  same(answer.total.after, report.total.after, 'after');
  assert.equal(answer.total.verdict, report.total.verdict);
  assert.deepEqual(answer.changes.map((row) => row.verdict).toSorted(), report.lines.map((row) => row.verdict).toSorted());
  for (const by of ['module', 'operator', 'partition']) {
    const rows = (await agent.answer('compare', { base, new: ['storyteller-after'], by, ...kAll })).changes;
    assert.ok(rows.length > 0, by);
  }
});

test('less room, fewer rows, and what is missing is said', async (t) => {
  const agent = await Agent.connect(t, ['examples/storyteller']);
  const calls = [['hot_lines', {}], ['modules', {}], ['advise', {}], ['memory_peak', {}], ['profile_summary', {}], ['compare', { base: ['model.etdp'] }]];
  for (const [name, args] of calls) {
    for (const max_bytes of [1500, 3000, 20_000]) {
      const result = await agent.result(name, { ...args, max_bytes });
      if (result.isError) assert.match(result.content[0].text, /ask for max_bytes/);
      else if (max_bytes === 1500) assert.notDeepEqual(result.structuredContent.left_out, [], name);
    }
  }
});
