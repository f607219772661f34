// SPDX-License-Identifier: Apache-2.0
// Checks the messages of one session, in the order in which they passed: every message of the server
// against the protocol's definition, and the rules that no schema says (one answer per request, only
// what the client said it can do).
import fs from 'node:fs';
import Ajv from 'ajv';
import { protocolSchema } from './schema.mjs';

const kExtensions = new URL('../../server/extensions/methods.h', import.meta.url);

// What the server may only send to a client with this capability.
const kNeeds = {
  'workspace/inlayHint/refresh': 'workspace.inlayHint.refreshSupport',
  'workspace/codeLens/refresh': 'workspace.codeLens.refreshSupport',
  'workspace/configuration': 'workspace.configuration',
  'workspace/workspaceFolders': 'workspace.workspaceFolders',
  'window/showDocument': 'window.showDocument.support',
  'window/workDoneProgress/create': 'window.workDoneProgress',
  'etlens/profileChanged': 'experimental.etlens.profileChanged',
};
// A registration needs the same of what it registers.
const kRegistrationNeeds = {
  'workspace/didChangeWatchedFiles': 'workspace.didChangeWatchedFiles.dynamicRegistration',
  'workspace/didChangeConfiguration': 'workspace.didChangeConfiguration.dynamicRegistration',
  'textDocument/definition': 'textDocument.definition.dynamicRegistration',
};

// JSON-RPC's own; the definition names only the codes.
const kError = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string', minLength: 1 }, data: {} },
  required: ['code', 'message'],
  additionalProperties: false,
};

const valueAt = (object, path) => path.split('.').reduce((at, key) => at?.[key], object);

class Schemas {
  constructor() {
    this.protocol = protocolSchema();
    this.ajv = new Ajv({ strict: false, allErrors: false });
    this.ajv.addSchema(this.protocol.schema);
    this.compiled = new Map();
    // Methods of our own have no schema; that they are on the list is checked.
    this.extensions = new Set(fs.readFileSync(kExtensions, 'utf8').match(/"etlens\/\w+"/g).map((name) => name.slice(1, -1)));
  }

  // The first thing that is wrong with a value, or null. `schema` null: any value.
  problem(schema, value) {
    if (schema === null) return null;
    if (!this.compiled.has(schema)) {
      // References in it are to the protocol's definitions.
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"lsp#/definitions/'));
      this.compiled.set(schema, this.ajv.compile(absolute));
    }
    const check = this.compiled.get(schema);
    if (check(value)) return null;
    const [error] = check.errors;
    return `${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`;
  }
}

let schemas = null;

export class SessionValidator {
  constructor() {
    schemas ??= new Schemas();
    this.problems = [];
    this.checked = new Map();  // method -> messages of the server
    this.asked = new Map();    // the client's open requests: id -> [method …]
    this.serverIds = new Set();
    this.tokens = new Map();   // of progress: token -> state
    this.capabilities = {};
  }

  // `direction`: '>' from the client, '<' from the server.
  add(direction, message) {
    if (direction === '>') this.addClientMessage(message);
    else this.addServerMessage(message);
  }

  // At the end of the session.
  finish() {
    // Of a message that it could not read the server does not know the id.
    const unread = this.checked.get('error without id') ?? 0;
    const open = [...this.asked].slice(unread);
    for (const [id, methods] of open) this.complain(methods[0], `request ${id} was never answered`);
    return this.problems;
  }

  get messageCount() {
    return [...this.checked.values()].reduce((sum, count) => sum + count, 0);
  }

  complain(what, problem) {
    this.problems.push(`${what}: ${problem}`);
  }

  check(what, schema, value) {
    const problem = schemas.problem(schema, value);
    if (problem !== null) this.complain(what, problem);
  }

  addClientMessage(message) {
    if (typeof message?.method !== 'string') {
      if (message?.id !== undefined && message?.method === undefined) this.takeClientAnswer(message);
      return;
    }
    const isRequest = typeof message.id === 'string' || Number.isInteger(message.id);
    if (!isRequest) return;
    const key = JSON.stringify(message.id);
    this.asked.set(key, [...(this.asked.get(key) ?? []), message.method]);
    if (message.method === 'initialize') this.capabilities = message.params?.capabilities ?? {};
  }

  takeClientAnswer(message) {
    const token = [...this.tokens].find(([, state]) => state.request === message.id);
    if (token !== undefined && message.error === undefined) token[1].agreed = true;
  }

  addServerMessage(message) {
    const what = message.method ?? 'response';
    this.checked.set(what, (this.checked.get(what) ?? 0) + 1);
    if (message.jsonrpc !== '2.0') this.complain(what, 'jsonrpc is not "2.0"');
    const unknown = Object.keys(message).filter((key) => !['jsonrpc', 'id', 'method', 'params', 'result', 'error'].includes(key));
    if (unknown.length > 0) this.complain(what, `has the unknown property ${unknown[0]}`);
    if (message.method === undefined) this.addResponse(message);
    else if (message.id === undefined) this.addNotification(message);
    else this.addRequest(message);
  }

  addResponse(message) {
    if (('result' in message) === ('error' in message)) this.complain('response', 'must have a result or an error');
    if ('error' in message) {
      this.check('error', kError, message.error);
    }
    if (message.id === null) {
      this.checked.set('error without id', (this.checked.get('error without id') ?? 0) + 1);
      return;
    }
    const key = JSON.stringify(message.id);
    const methods = this.asked.get(key);
    if (methods === undefined) {
      // A message that was no valid request may still have an id that could be read.
      if (!('error' in message)) this.complain('response', `answers ${key}, which nobody asks`);
      return;
    }
    // The second of two with the same id is refused while the first is open.
    const method = 'error' in message ? methods.pop() : methods.shift();
    if (methods.length === 0) this.asked.delete(key);
    if (!('result' in message)) return;
    const known = schemas.protocol.requests.get(method);
    this.checked.set(`${method} result`, (this.checked.get(`${method} result`) ?? 0) + 1);
    if (known !== undefined) this.check(`${method} result`, known.result, message.result);
    else if (!schemas.extensions.has(method)) this.complain(method, 'is neither of the protocol nor of our list');
  }

  allowed(what, capability) {
    if (capability !== undefined && !valueAt(this.capabilities, capability)) {
      this.complain(what, `the client did not say ${capability}`);
    }
  }

  addRequest(message) {
    const known = schemas.protocol.requests.get(message.method);
    if (known === undefined || known.direction === 'clientToServer') {
      this.complain(message.method, 'is no request of a server');
      return;
    }
    const key = JSON.stringify(message.id);
    if (this.serverIds.has(key)) this.complain(message.method, `uses the id ${key} again`);
    this.serverIds.add(key);
    this.allowed(message.method, kNeeds[message.method]);
    this.checkParams(message, known);
    if (message.method === 'client/registerCapability') this.checkRegistrations(message.params.registrations ?? []);
    if (message.method === 'window/workDoneProgress/create') {
      this.tokens.set(message.params.token, { request: message.id, agreed: false, last: null });
    }
  }

  addNotification(message) {
    this.allowed(message.method, kNeeds[message.method]);
    if (schemas.extensions.has(message.method)) return;
    const known = schemas.protocol.notifications.get(message.method);
    if (known === undefined || known.direction === 'clientToServer') {
      this.complain(message.method, 'is no notification of a server');
      return;
    }
    this.checkParams(message, known);
    if (message.method === '$/progress') this.checkProgress(message.params);
  }

  checkParams(message, known) {
    if (known.params === null) {
      if (message.params !== undefined && message.params !== null) this.complain(message.method, 'has no params');
    } else {
      this.check(message.method, known.params, message.params);
    }
  }

  checkRegistrations(registrations) {
    for (const registration of registrations) {
      const { method, registerOptions } = registration;
      const known = schemas.protocol.requests.get(method) ?? schemas.protocol.notifications.get(method);
      if (known === undefined) {
        this.complain('client/registerCapability', `there is no method ${method}`);
        continue;
      }
      this.allowed(`registration of ${method}`, kRegistrationNeeds[method]);
      this.check(`registration of ${method}`, known.registrationOptions, registerOptions);
    }
  }

  checkProgress({ token, value }) {
    const state = this.tokens.get(token);
    if (state === undefined || !state.agreed) this.complain('$/progress', `the client did not agree to ${token}`);
    const names = { begin: 'WorkDoneProgressBegin', report: 'WorkDoneProgressReport', end: 'WorkDoneProgressEnd' };
    const name = names[value?.kind];
    if (name === undefined) {
      this.complain('$/progress', 'has a value of no known kind');
      return;
    }
    this.check('$/progress', { $ref: `#/definitions/${name}` }, value);
    if (state === undefined) return;
    const isInOrder = value.kind === 'begin' ? state.last === null : state.last === 'begin' || state.last === 'report';
    if (!isInOrder) this.complain('$/progress', `${value.kind} after ${state.last}`);
    state.last = value.kind;
  }
}

// A file of `etlens lsp --record`, or of the tests: one message per line, behind its direction.
export function checkTranscript(path) {
  const validator = new SessionValidator();
  for (const line of fs.readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    let message;
    try {
      message = JSON.parse(line.slice(2));
    } catch {
      // Clients of tests send garbage; the server must not.
      if (line[0] === '<') validator.complain('transcript', `is no JSON: ${line.slice(0, 80)}`);
      continue;
    }
    validator.add(line[0], message);
  }
  validator.finish();
  return validator;
}
