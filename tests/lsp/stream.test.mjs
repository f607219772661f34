// SPDX-License-Identifier: Apache-2.0
// The executable at the ends of its streams: stdin as a pipe, a file, a socket; clients that die or do not
// read; and files on a real disk that are replaced, rewritten and deleted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Session, copyExample, kExecutable, uriOf } from './client.mjs';
import { checkTranscript } from './validator.mjs';

const kPatienceMs = 120_000;  // nothing that a busy machine uses up
const kAnotherRun = new URL('../editors/another-run.etdp', import.meta.url);  // of mlp

const frame = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};
const initialize = (folder) => frame({ id: 1, method: 'initialize', params: {
  processId: process.pid, capabilities: {}, rootUri: folder === null ? null : uriOf(folder) } });
const kSession = initialize(null) + frame({ method: 'initialized', params: {} }) + frame({ id: 2, method: 'etlens/status' }) +
  frame({ id: 3, method: 'shutdown' }) + frame({ method: 'exit' });

const bytesOf = async (stream) => {
  let bytes = '';
  for await (const chunk of stream) bytes += chunk;
  return bytes;
};
const exitOf = (child) => new Promise((resolve) => child.on('exit', (status) => resolve(status)));

for (const kind of ['pipe', 'file', 'socket']) {
  test(`a session whose stdin is a ${kind}`, async () => {
    const folder = copyExample('mlp');
    const file = path.join(folder, 'session.in');
    fs.writeFileSync(file, kSession);
    let child;
    if (kind === 'pipe') child = spawn('sh', ['-c', `cat '${file}' | '${kExecutable}' lsp`]);
    if (kind === 'file') child = spawn(kExecutable, ['lsp'], { stdio: [fs.openSync(file), 'pipe', 'pipe'] });
    if (kind === 'socket') {
      const server = net.createServer((peer) => peer.end(kSession)).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.on('listening', resolve));
      const socket = net.connect(server.address().port, '127.0.0.1');
      await new Promise((resolve) => socket.on('connect', resolve));
      child = spawn(kExecutable, ['lsp'], { stdio: [socket, 'pipe', 'pipe'] });
      socket.destroy();  // the server's copy is what counts; ours would keep this process alive
      server.close();
    }
    const exit = exitOf(child);
    const answers = await bytesOf(child.stdout);
    for (const id of [1, 2, 3]) assert.match(answers, new RegExp(`"id":${id},"result"`));
    assert.equal(await exit, 0);
    fs.rmSync(folder, { recursive: true });
  });
}

test('stdout as a file', async () => {
  const folder = copyExample('mlp');
  const [input, output] = ['in', 'out'].map((name) => path.join(folder, name));
  fs.writeFileSync(input, kSession);
  const child = spawn(kExecutable, ['lsp'], { stdio: [fs.openSync(input), fs.openSync(output, 'w'), 'ignore'] });
  assert.equal(await exitOf(child), 0);
  assert.match(fs.readFileSync(output, 'utf8'), /"id":3,"result":null/);
  fs.rmSync(folder, { recursive: true });
});

test('a client that closes the stream without a word ends the server, with status 1', async () => {
  const child = spawn(kExecutable, ['lsp']);
  const exit = exitOf(child);
  child.stdin.end(initialize(null));
  assert.equal(await exit, 1);
});

test('a client that is killed ends the server, though its streams stay open', async () => {
  const client = spawn('sleep', ['1000']);
  const child = spawn(kExecutable, ['lsp']);
  const exit = exitOf(child);
  child.stdin.write(frame({ id: 1, method: 'initialize', params: { processId: client.pid, capabilities: {}, rootUri: null } }));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  client.kill('SIGKILL');
  assert.equal(await Promise.race([exit, setTimeout(kPatienceMs, 'still there', { ref: false })]), 1);
});

test('a client that is named on the command line is watched, though it never says who it is', async () => {
  const client = spawn('sleep', ['1000']);
  const child = spawn(kExecutable, ['lsp', '--stdio', `--clientProcessId=${client.pid}`]);
  const exit = exitOf(child);
  child.stdin.write(frame({ id: 1, method: 'initialize', params: { processId: null, capabilities: {}, rootUri: null } }));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  client.kill('SIGKILL');
  assert.equal(await Promise.race([exit, setTimeout(kPatienceMs, 'still there', { ref: false })]), 1);
});

test('a client that does not read gets all of its answers in the end', async () => {
  const kRequests = 30_000;
  const child = spawn(kExecutable, ['lsp']);
  const closed = new Promise((resolve) => child.on('close', resolve));  // what it wrote last has been read
  child.stdin.write(initialize(null) + frame({ method: 'initialized', params: {} }));
  for (let id = 10; id < 10 + kRequests; ++id) child.stdin.write(frame({ id, method: 'etlens/status' }));
  await setTimeout(500);
  // A client that has gone and reads nothing is given up soon (flush_pause): this one says goodbye when it has caught up.
  let answers = '';
  const last = `"id":${9 + kRequests},"result"`;
  child.stdout.on('data', (chunk) => {
    const had = answers.length;
    answers += chunk;
    if (answers.includes(last, Math.max(0, had - last.length))) child.stdin.end(frame({ id: 3, method: 'shutdown' }) + frame({ method: 'exit' }));
  });
  assert.equal(await closed, 0);
  assert.equal(answers.match(/"id":\d+,"result"/g).length, kRequests + 2);
});

// A session that shows the example; `label` is the first hint.
async function showing(folder) {
  const session = new Session();
  session.connection.onRequest('workspace/inlayHint/refresh', () => null);
  session.connection.listen();
  await session.request('initialize', { processId: process.pid, rootUri: uriOf(folder), capabilities: { workspace: { inlayHint: { refreshSupport: true } } } });
  await session.notify('initialized', {});
  const uri = uriOf(path.join(folder, 'mlp.py'));
  await session.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text: fs.readFileSync(path.join(folder, 'mlp.py'), 'utf8') } });
  await session.called('workspace/inlayHint/refresh');
  const label = async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
    return (await session.request('textDocument/inlayHint', { textDocument: { uri }, range }))[0].label;
  };
  return { session, label };
}

test('dumps on a real disk: replaced, rewritten in pieces, deleted; one refresh each', async () => {
  const folder = copyExample('mlp');
  const dump = path.join(folder, 'model.etdp');
  const [first, second] = [fs.readFileSync(dump), fs.readFileSync(kAnotherRun)];
  const { session, label } = await showing(folder);
  const firstLabel = await label();
  const status = () => session.request('etlens/status', {});

  // Atomically replaced.
  fs.writeFileSync(`${dump}.part`, second);
  fs.renameSync(`${dump}.part`, dump);
  await session.called('workspace/inlayHint/refresh', 2);
  const secondLabel = await label();
  assert.notEqual(secondLabel, firstLabel);

  // Truncated and written again in pieces: never half a file.
  const handle = fs.openSync(dump, 'w');
  const piece = Math.ceil(first.length / 8);
  for (let at = 0; at < first.length; at += piece) {
    fs.writeSync(handle, first.subarray(at, at + piece));
    assert.equal(await label(), secondLabel);
    await setTimeout(120);
  }
  fs.closeSync(handle);
  await session.called('workspace/inlayHint/refresh', 3);
  assert.equal(await label(), firstLabel);

  // Deleted: the last numbers stay, and the status says so.
  fs.rmSync(dump);
  for (let attempt = 0; !(await status()).message.includes('is gone'); ++attempt) {
    assert.ok(attempt < 2400, 'the status never said that the dump is gone');
    await setTimeout(50);
  }
  assert.equal(await label(), firstLabel);

  // A new one under another name, in a folder of its own.
  fs.mkdirSync(path.join(folder, 'runs'));
  fs.writeFileSync(path.join(folder, 'runs', 'second.bin'), second);
  await session.called('workspace/inlayHint/refresh', 4);
  assert.equal(await label(), secondLabel);
  await setTimeout(1000);
  assert.equal(session.count('workspace/inlayHint/refresh'), 4);
  assert.equal(await session.finish(), 0);
  assert.deepEqual(session.validator.finish(), []);
  fs.rmSync(folder, { recursive: true });
});

test('--log and --record name files, and say in a sentence when they cannot be written', async () => {
  const folder = copyExample('mlp');
  const [log, record] = ['server.log', 'record.jsonl'].map((name) => path.join(folder, name));
  const session = new Session(['--log', log, '--record', record]);
  session.connection.listen();
  await session.request('initialize', { processId: null, rootUri: uriOf(folder), capabilities: {} });
  await session.notify('initialized', {});
  await session.called('window/logMessage');
  assert.equal(await session.finish(), 0);
  assert.equal(session.log, '');
  assert.match(fs.readFileSync(log, 'utf8'), /info found 3 artifacts/);
  assert.deepEqual(checkTranscript(record).problems, []);
  for (const option of ['--log', '--record']) {
    const child = spawn(kExecutable, ['lsp', option, '/no/such/folder/file']);
    const exit = exitOf(child);
    assert.match(await bytesOf(child.stderr), /cannot write the .* \/no\/such\/folder\/file/);
    assert.notEqual(await exit, 0);
  }
  fs.rmSync(folder, { recursive: true });
});
