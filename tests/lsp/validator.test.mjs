// SPDX-License-Identifier: Apache-2.0
// The validator finds what is wrong: a session that is right, and the same one broken in every way that
// it is there for.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readMetaModel } from './schema.mjs';
import { SessionValidator } from './validator.mjs';

const kRange = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
const kCapabilities = {
  workspace: { inlayHint: { refreshSupport: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
  window: { workDoneProgress: true },
};

const rightSession = () => ({
  initialize: ['>', { id: 1, method: 'initialize', params: { capabilities: kCapabilities } }],
  initialized: ['<', { id: 1, result: { capabilities: { hoverProvider: true }, serverInfo: { name: 'etlens' } } }],
  register: ['<', { id: 1, method: 'client/registerCapability', params: { registrations: [
    { id: 'w', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers: [{ globPattern: '**/*.etdp' }] } }] } }],
  create: ['<', { id: 2, method: 'window/workDoneProgress/create', params: { token: 't' } }],
  created: ['>', { id: 2, result: null }],
  begin: ['<', { method: '$/progress', params: { token: 't', value: { kind: 'begin', title: 'etlens' } } }],
  end: ['<', { method: '$/progress', params: { token: 't', value: { kind: 'end' } } }],
  refresh: ['<', { id: 3, method: 'workspace/inlayHint/refresh' }],
  hints: ['>', { id: 2, method: 'textDocument/inlayHint', params: {} }],
  hinted: ['<', { id: 2, result: [{ position: kRange.start, label: [{ value: '3 ms' }], tooltip: { kind: 'markdown', value: '' } }] }],
  hover: ['>', { id: 'x', method: 'textDocument/hover', params: {} }],
  hovered: ['<', { id: 'x', result: null }],
  status: ['>', { id: 4, method: 'etlens/status' }],
  statusResult: ['<', { id: 4, error: { code: -32002, message: 'not yet' } }],
  message: ['<', { method: 'window/logMessage', params: { type: 3, message: 'hello' } }],
  diagnostics: ['<', { method: 'textDocument/publishDiagnostics', params: { uri: 'file:///m.py', version: 3, diagnostics: [
    { range: kRange, severity: 4, source: 'etlens', message: 'slow' }] } }],
});

function problemsOf(session) {
  const validator = new SessionValidator();
  for (const [direction, message] of Object.values(session)) validator.add(direction, { jsonrpc: '2.0', ...message });
  return validator.finish();
}

test('a right session has no problems', () => assert.deepEqual(problemsOf(rightSession()), []));

const kBroken = {
  'a request without an answer': (s) => delete s.hovered,
  'two answers': (s) => { s.again = s.hinted; },
  'an answer to nothing': (s) => { s.hovered[1].id = 'y'; },
  'neither result nor error': (s) => delete s.hovered[1].result,
  'result and error': (s) => { s.statusResult[1].result = null; },
  'an error without a message': (s) => delete s.statusResult[1].error.message,
  'no jsonrpc': (s) => { s.refresh[1].jsonrpc = '1.0'; },
  'an unknown envelope field': (s) => { s.refresh[1].parameters = {}; },
  'a position without a line': (s) => { s.hinted[1].result[0].position = { character: 1 }; },
  'a negative line': (s) => { s.hinted[1].result[0].position = { line: -1, character: 1 }; },
  'a misspelled field': (s) => { s.hinted[1].result[0].toolTip = ''; },
  'a label part without text': (s) => { s.hinted[1].result[0].label = [{ tooltip: '' }]; },
  'an unknown markup kind': (s) => { s.hinted[1].result[0].tooltip.kind = 'html'; },
  'an unknown server capability': (s) => { s.initialized[1].result.capabilities.hintProvider = true; },
  'a null that is not allowed': (s) => { s.hinted[1].result[0].tooltip = null; },
  'an unknown severity': (s) => { s.diagnostics[1].params.diagnostics[0].severity = 9; },
  'a path for a URI': (s) => { s.diagnostics[1].params.uri = '/m.py'; },
  'a method of the other direction': (s) => { s.message[1].method = 'textDocument/didOpen'; },
  'an unknown method': (s) => { s.message[1].method = 'etlens/unheardOf'; },
  'params where there are none': (s) => { s.refresh[1].params = {}; },
  'the same id again': (s) => { s.refresh[1].id = 2; },
  'a refresh that the client does not know': (s) => { s.refresh[1].method = 'workspace/codeLens/refresh'; },
  'a registration that the client does not know': (s) => { s.register[1].params.registrations[0].method = 'textDocument/definition'; },
  'options of a registration': (s) => { s.register[1].params.registrations[0].registerOptions = { watchers: [{}] }; },
  'progress before the client agrees': (s) => delete s.created,
  'progress that ends before it begins': (s) => { s.begin[1].params.value = { kind: 'end' }; },
  'progress without a title': (s) => delete s.begin[1].params.value.title,
};

for (const [name, damage] of Object.entries(kBroken)) {
  test(`found: ${name}`, () => {
    const session = structuredClone(rightSession());
    damage(session);
    assert.notDeepEqual(problemsOf(session), []);
  });
}

test('the definition is that of LSP 3.18', () => {
  assert.equal(readMetaModel().metaData.version, '3.18.0');
});
