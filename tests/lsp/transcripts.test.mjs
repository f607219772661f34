// SPDX-License-Identifier: Apache-2.0
// Plays the server's own tests and checks every message that it sent in any of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { kExecutable } from './client.mjs';
import { checkTranscript } from './validator.mjs';

const kServerTests = path.join(path.dirname(kExecutable), 'etlens_server_tests');
const kFewestSessions = 50;

test('every message of the server tests is as the protocol says', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-transcripts-'));
  const run = spawnSync(kServerTests, ['~[long]'], { env: { ...process.env, ETLENS_RECORD_DIR: folder }, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stdout);
  const sessions = fs.readdirSync(folder);
  assert.ok(sessions.length >= kFewestSessions, `${sessions.length} sessions were recorded`);
  const problems = [];
  const results = new Set();
  let messages = 0;
  for (const file of sessions) {
    const checked = checkTranscript(path.join(folder, file));
    problems.push(...checked.problems.map((problem) => `${file}: ${problem}`));
    for (const what of checked.checked.keys()) results.add(what);
    messages += checked.messageCount;
  }
  assert.deepEqual(problems, []);
  console.log(`${sessions.length} sessions, ${messages} messages of the server, ${results.size} kinds`);
  fs.rmSync(folder, { recursive: true });
});
