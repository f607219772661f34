// SPDX-License-Identifier: Apache-2.0
// Conversations with the executable: every way to begin one, roots, hostile paths, the end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Agent, eras, root } from './agent.mjs';

const example = path.join(root, 'examples/storyteller');

for (const era of eras) {
  test(`${era.name}: lists, calls, prompts, errors`, async (t) => {
    const agent = await Agent.connect(t, [example], { era });
    assert.equal(agent.client.getNegotiatedProtocolVersion?.() ?? era.version, era.version);
    assert.equal(agent.client.getServerVersion().name, 'etlens');
    assert.deepEqual(agent.tools.map((tool) => tool.name).toSorted(),
      ['advise', 'check', 'compare', 'explain_line', 'hot_lines', 'memory_peak', 'modules', 'numeric_errors', 'profile_summary']);
    assert.ok(agent.tools.every((tool) => tool.annotations.readOnlyHint && !tool.annotations.openWorldHint));
    assert.equal((await agent.answer('check')).pair.verdict, 'match');
    await assert.rejects(agent.client.callTool({ name: 'rm', arguments: {} }), /there is no tool rm/);
    assert.match(await agent.refusal('hot_lines', { lines: 3 }), /there is no argument lines/);
    const { prompts } = await agent.client.listPrompts();
    const prompt = await agent.client.getPrompt({ name: prompts[0].name, arguments: { goal: 'half of it' } });
    assert.match(prompt.messages[0].content.text, /Goal: half of it/);
    assert.equal(agent.client.getServerCapabilities().resources, undefined);
  });
}

test("a session's roots are the client's; new ones are taken", async (t) => {
  let folder = example;
  const onRoots = async () => ({ roots: [{ uri: pathToFileURL(folder).href }] });
  const agent = await Agent.connect(t, [], { cwd: os.tmpdir(), capabilities: { roots: { listChanged: true } }, onRoots });
  assert.equal((await agent.answer('check')).etdump, path.join(example, 'model.etdp'));
  folder = path.join(root, 'examples/pricer');
  await agent.client.notification({ method: 'notifications/roots/list_changed' });
  assert.equal((await agent.answer('check')).etdump, path.join(folder, 'model.etdp'));
});

test('without roots the working folder is the workspace, unless it is /', async (t) => {
  const agent = await Agent.connect(t, [], { cwd: example });
  assert.equal((await agent.answer('check')).etdump, path.join(example, 'model.etdp'));
  const desktop = await Agent.connect(t, [], { cwd: '/' });
  assert.match(await desktop.refusal('check', {}), /has no workspace/);
});

test('nothing outside of the workspace is read, however it is named', async (t) => {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-outside-'));
  const inside = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-inside-'));
  fs.cpSync(example, outside, { recursive: true });
  fs.symlinkSync(path.join(outside, 'model.etdp'), path.join(inside, 'link.etdp'));
  fs.symlinkSync(outside, path.join(inside, 'folder'));
  execFileSync('mkfifo', [path.join(inside, 'pipe.etdp')]);
  const agent = await Agent.connect(t, [inside]);
  const names = [path.join(outside, 'model.etdp'), `../${path.basename(outside)}/model.etdp`, 'link.etdp', 'folder/model.etdp',
    `${inside}/../${path.basename(outside)}/model.etdp`, `${inside}x/model.etdp`, '/etc/passwd', '/dev/zero', '/proc/self/environ'];
  for (const name of names) {
    for (const [tool, args] of [['check', { etdump: name }], ['memory_peak', { pte: name }], ['compare', { base: [name], new: [name] }], ['numeric_errors', { etdump: name }]]) {
      assert.match(await agent.refusal(tool, args), /is not in the workspace; give a path below/, `${tool} ${name}`);
    }
  }
  assert.match(await agent.refusal('check', { etdump: 'pipe.etdp' }), /not a regular file/);
  assert.match(await agent.refusal('compare', { base: ['folder/*.etdp'], new: ['*.etdp'] }), /is not in the workspace/);
  assert.match(await agent.refusal('check', {}), /no ETDump below/);  // the links are not followed either
  // A source that was recorded outside is not looked at there.
  for (const file of ['model.etdp', 'model.etrecord', 'model.pte']) fs.copyFileSync(path.join(example, file), path.join(inside, file));
  const { lines } = await agent.answer('hot_lines');
  assert.ok(lines.length > 0 && lines.every((row) => row.place.path === undefined && row.place.recorded_path));
  for (const folder of [outside, inside]) fs.rmSync(folder, { recursive: true });
});

test('files that change are read again', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-change-'));
  fs.cpSync(example, folder, { recursive: true });
  const agent = await Agent.connect(t, [folder]);
  const before = await agent.answer('profile_summary');
  fs.copyFileSync(path.join(root, 'examples/storyteller-runs/slow-moment.etdp'), path.join(folder, 'model.etdp'));
  const after = await agent.answer('profile_summary');
  assert.notEqual(after.measured.total, before.measured.total);
  fs.writeFileSync(path.join(folder, 'model.etdp'), 'no dump');
  assert.match(await agent.refusal('profile_summary', { etdump: 'model.etdp' }), /model\.etdp/);
  fs.rmSync(folder, { recursive: true });
});

test('who asks for progress hears that work goes on, and a call that was taken back ends', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-many-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, 'many'));
  for (const file of ['model.etdp', 'model.etrecord', 'model.pte']) fs.copyFileSync(path.join(example, file), path.join(folder, 'many', file));
  for (let i = 0; i < 2000; ++i) fs.linkSync(path.join(folder, 'many/model.etdp'), path.join(folder, `many/run-${i}.etdp`));
  const agent = await Agent.connect(t, [folder]);
  const call = { name: 'compare', arguments: { base: ['many'], new: ['many'] } };
  const heard = [];
  const stop = new AbortController();
  const answer = agent.client.callTool(call, { signal: stop.signal, onprogress: (progress) => {
    heard.push(progress);
    if (heard.length === 2) stop.abort('impatience');
  } });
  await assert.rejects(answer, /impatience/);
  assert.deepEqual(heard.map(({ progress }) => progress), [1, 2]);
  assert.equal(heard[0].message, 'reading artifacts');
  assert.equal((await agent.answer('check', { etdump: 'many/model.etdp' })).pair.verdict, 'match');
});
