// SPDX-License-Identifier: Apache-2.0
// A whole session with an independent client: every feature, edits, a dump that is replaced, the end.
// Every message of the server is checked.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import * as types from 'vscode-languageserver-types';
import { Session, copyExample, uriOf } from './client.mjs';
import { checkTranscript } from './validator.mjs';

// What VS Code says of itself, where the server cares.
const kCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true, showDocument: { support: true } },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    inlayHint: { refreshSupport: true },
    codeLens: { refreshSupport: true },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    textDocumentContent: { dynamicRegistration: true },
  },
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    inlayHint: { resolveSupport: { properties: ['tooltip', 'label.location', 'label.command'] } },
    definition: { dynamicRegistration: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
  },
  experimental: { etlens: { callHierarchy: true } },
};
const kEverything = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };

class Editor {
  constructor(session, folder, file) {
    this.session = session;
    this.folder = folder;
    this.uri = uriOf(path.join(folder, file));
    this.text = fs.readFileSync(path.join(folder, file), 'utf8');
    this.version = 1;
    this.settings = {};
    this.shown = [];
    this.diagnostics = [];
    const { connection } = session;
    connection.onRequest('workspace/configuration', ({ items }) => items.map(() => this.settings));
    connection.onRequest('workspace/inlayHint/refresh', () => null);
    connection.onRequest('workspace/codeLens/refresh', () => null);
    connection.onRequest('client/registerCapability', () => null);
    connection.onRequest('window/workDoneProgress/create', () => null);
    connection.onRequest('window/showDocument', (params) => {
      this.shown.push(params);
      return { success: true };
    });
    connection.onNotification('textDocument/publishDiagnostics', (params) => this.diagnostics.push(params));
    connection.listen();
  }

  async start(capabilities) {
    const result = await this.session.request('initialize', {
      processId: process.pid,
      clientInfo: { name: 'session.test' },
      rootUri: uriOf(this.folder),
      capabilities,
      workspaceFolders: [{ uri: uriOf(this.folder), name: 'example' }],
    });
    await this.session.notify('initialized', {});
    await this.session.notify('textDocument/didOpen', {
      textDocument: { uri: this.uri, languageId: 'python', version: this.version, text: this.text },
    });
    return result;
  }

  get document() {
    return { textDocument: { uri: this.uri } };
  }

  at(line, character = 8) {
    return { ...this.document, position: { line, character } };
  }

  hints(range = kEverything) {
    return this.session.request('textDocument/inlayHint', { ...this.document, range });
  }

  // Inserts lines before a line.
  async insert(line, text) {
    await this.session.notify('textDocument/didChange', {
      textDocument: { uri: this.uri, version: ++this.version },
      contentChanges: [{ range: { start: { line, character: 0 }, end: { line, character: 0 } }, text }],
    });
  }

  // Until the status says so.
  async reaches(wanted) {
    for (let attempt = 0; attempt < 6000; ++attempt) {
      const { state } = await this.session.request('etlens/status', {});
      if (state === wanted) return;
      await setTimeout(20);
    }
    assert.fail(`the status never became ${wanted}\n${this.session.log}`);
  }
}

const labelOf = (hint) => (typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join(''));
const keyOf = (hints) => hints.map((hint) => `${hint.position.line} ${labelOf(hint)}`);

// The dump as the runtime writes it: anew, under another name, then in the old one's place.
function replaceDump(folder, bytes) {
  const target = path.join(folder, 'model.etdp');
  fs.writeFileSync(`${target}.new`, bytes);
  fs.renameSync(`${target}.new`, target);
}

test('a whole session in a client that can do everything', async () => {
  const folder = copyExample('transformer');
  const record = path.join(folder, 'session.jsonl');
  const session = new Session(['--record', record]);
  const editor = new Editor(session, folder, 'tiny_llama.py');
  const initialized = await editor.start(kCapabilities);
  assert.equal(initialized.capabilities.positionEncoding, 'utf-16');
  assert.equal(initialized.serverInfo.name, 'etlens');

  await session.called('workspace/inlayHint/refresh');
  await session.called('workspace/codeLens/refresh');
  assert.equal(session.count('workspace/inlayHint/refresh'), 1);
  const hints = await editor.hints();
  assert.ok(hints.length > 5);
  assert.ok(hints.every((hint) => types.InlayHint.is(hint)));

  // Hover, lenses, the lines of delegate calls where the hints stand.
  const line = hints[0].position.line;
  const hover = await session.request('textDocument/hover', editor.at(line));
  assert.ok(types.Hover.is(hover));
  assert.equal(hover.contents.kind, 'markdown');
  const lenses = await session.request('textDocument/codeLens', editor.document);
  assert.ok(lenses.length > 1);
  assert.ok(lenses.every((lens) => types.CodeLens.is(lens)));
  let together = 0;
  for (const hint of hints) {
    const none = () => ({ lines: [] }); // a line that no delegate ran
    together += (await session.request('etlens/delegateLines', editor.at(hint.position.line)).catch(none)).lines.length;
  }
  assert.ok(together > 0);

  // The module tree, down and up again.
  const [root] = await session.request('textDocument/prepareCallHierarchy', editor.at(lenses[0].range.start.line));
  assert.ok(root);
  const outgoing = await session.request('callHierarchy/outgoingCalls', { item: root });
  assert.ok(outgoing.length > 0);
  const incoming = await session.request('callHierarchy/incomingCalls', { item: outgoing[0].to });
  assert.ok(Array.isArray(incoming));

  // From an event to its line.
  const symbols = await session.request('workspace/symbol', { query: 'linear' });
  assert.ok(symbols.length > 0);
  const { events, generation } = await session.request('etlens/events', {});
  const placed = events.find((event) => event.current_line !== null);
  await session.request('workspace/executeCommand', { command: 'etlens.jumpToEvent', arguments: [{ event: placed.id, generation }] });
  assert.equal(editor.shown.at(-1).uri, editor.uri);
  assert.equal(editor.shown.at(-1).selection.start.line + 1, placed.current_line);
  for (const command of ['etlens.nextHotLine', 'etlens.previousHotLine']) {
    await session.request('workspace/executeCommand', { command, arguments: [{ uri: editor.uri, position: { line: 0, character: 0 } }] });
  }
  assert.equal(editor.shown.length, 3);

  // Another measure: one refresh, other hints, and time again.
  const { measures } = await session.request('etlens/status', {});
  assert.deepEqual(measures.map(({ id }) => id), ['time', 'memory', 'size']);
  const choose = (argument) =>
    session.request('workspace/executeCommand', { command: 'etlens.selectMeasure', arguments: [argument] });
  await choose({ measure: 'memory' });
  await session.called('workspace/inlayHint/refresh', 2);
  const tensors = await session.request('etlens/events', {});
  assert.equal(tensors.unit, 'bytes');
  assert.notEqual(tensors.generation, generation);
  assert.notDeepEqual(keyOf(await editor.hints()), keyOf(hints));
  await choose(null);
  await session.called('workspace/inlayHint/refresh', 3);
  assert.deepEqual(keyOf(await editor.hints()), keyOf(hints));
  await assert.rejects(choose({ measure: 'temperature' }), /there is no measure temperature here/);

  // The edge program, and from a node of it back to the source.
  const program = await session.request('workspace/executeCommand', { command: 'etlens.showEdgeProgram', arguments: [] });
  const content = await session.request('workspace/textDocumentContent', { uri: program.uri });
  assert.equal(content.text, program.text);
  const node = program.nodes.find((entry) => (entry.source?.current_line ?? null) !== null);
  const definition = await session.request('textDocument/definition', { textDocument: { uri: program.uri }, position: { line: node.line, character: 0 } });
  assert.equal(definition.range.start.line + 1, node.source.current_line);

  for (const method of ['status', 'hotLines', 'modules', 'partitions', 'profiles', 'changes', 'edgeProgram']) {
    assert.ok(await session.request(`etlens/${method}`, {}));
  }
  assert.ok((await session.request('etlens/lineCosts', editor.document)).lines.length > 0);

  // An edit: hints follow in the same answer, and nobody is asked to look again.
  await editor.insert(0, '# one\n# two\n');
  const moved = await editor.hints();
  assert.deepEqual(keyOf(moved), hints.map((hint) => `${hint.position.line + 2} ${labelOf(hint)}`));
  assert.equal(session.count('workspace/inlayHint/refresh'), 3);

  // A setting: diagnostics where time is lost to fallback, and one refresh.
  editor.settings = { diagnostics: { fallback: true }, hints: { format: 'time' } };
  await session.notify('workspace/didChangeConfiguration', { settings: null });
  await session.called('workspace/inlayHint/refresh', 4);
  await session.called('textDocument/publishDiagnostics');
  const times = await editor.hints();
  assert.ok(editor.diagnostics.at(-1).diagnostics.length > 0);
  assert.notDeepEqual(keyOf(times), keyOf(moved));

  // A dump that is replaced, by another example's first: refused, the numbers stay.
  const dump = fs.readFileSync(path.join(folder, 'model.etdp'));
  replaceDump(folder, dump.subarray(0, dump.length >> 1));
  await editor.reaches('failed');
  assert.deepEqual(keyOf(await editor.hints()), keyOf(times));
  replaceDump(folder, dump);
  await editor.reaches('ready');

  // Trace, errors, cancellation.
  await session.notify('$/setTrace', { value: 'verbose' });
  await assert.rejects(session.request('no/such', {}), { code: -32601 });
  await assert.rejects(session.request('textDocument/hover', { position: 7 }), { code: -32602 });
  await session.called('$/logTrace');
  await session.notify('$/setTrace', { value: 'off' });
  await session.notify('textDocument/didSave', editor.document);
  await session.notify('workspace/didChangeWorkspaceFolders', { event: { added: [{ uri: 'file:///nowhere', name: 'x' }], removed: [] } });
  await session.request('workspace/executeCommand', { command: 'etlens.reload', arguments: [] });
  await session.called('workspace/inlayHint/refresh', 5);
  await session.notify('textDocument/didClose', editor.document);

  assert.equal(await session.finish(), 0);
  assert.deepEqual(session.validator.finish(), []);

  // The record is the session.
  const recorded = checkTranscript(record);
  assert.deepEqual(recorded.problems, []);
  assert.equal(recorded.messageCount, session.validator.messageCount);
  const lines = fs.readFileSync(record, 'utf8').split('\n').filter((entry) => entry.startsWith('<'));
  assert.deepEqual(lines.map((entry) => JSON.parse(entry.slice(2))), session.messages['<']);
  fs.rmSync(folder, { recursive: true });
});

test('a session in a client that says nothing of itself', async () => {
  const folder = copyExample('mlp');
  const session = new Session();
  const editor = new Editor(session, folder, 'mlp.py');
  await editor.start({});
  // It cannot be told to ask again, so that its first question waits for the profile.
  const hints = await editor.hints();
  assert.ok(hints.length > 0);
  assert.ok(hints.every((hint) => typeof hint.label === 'string' && hint.tooltip.kind === 'plaintext'));
  const hover = await session.request('textDocument/hover', editor.at(hints[0].position.line));
  assert.equal(hover.contents.kind, 'plaintext');
  await session.request('textDocument/codeLens', editor.document);
  await session.request('workspace/executeCommand', { command: 'etlens.nextHotLine' });
  // Only what needs no capability.
  for (const method of session.counts.keys()) assert.match(method, /^window\/(log|show)Message$/);
  assert.equal(await session.finish(), 0);
  assert.deepEqual(session.validator.finish(), []);
  fs.rmSync(folder, { recursive: true });
});
