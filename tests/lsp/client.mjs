// SPDX-License-Identifier: Apache-2.0
// A session with `etlens lsp` over stdio: vscode-languageserver-protocol speaks, and every byte in either
// direction is also taken apart here, for the validator.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as lsp from 'vscode-languageserver-protocol/node';
import { SessionValidator } from './validator.mjs';

const kRoot = new URL('../../', import.meta.url).pathname;
export const kExecutable = process.env.ETLENS ?? path.join(kRoot, 'build/release/bin/etlens');
const kPatienceMs = 120_000;  // nothing that a busy machine uses up

// Takes messages out of a stream of bytes.
class FrameSplitter {
  constructor(onMessage) {
    this.bytes = Buffer.alloc(0);
    this.onMessage = onMessage;
  }

  push(chunk) {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.bytes.toString('latin1', 0, end))[1]);
      if (this.bytes.length < end + 4 + length) return;
      this.onMessage(JSON.parse(this.bytes.toString('utf8', end + 4, end + 4 + length)));
      this.bytes = this.bytes.subarray(end + 4 + length);
    }
  }
}

// A copy of an example, which a test may change. Its files are old enough to be taken as whole.
export function copyExample(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-session-'));
  fs.cpSync(path.join(kRoot, 'tests/data/examples', name), folder, { recursive: true });
  const before = new Date(Date.now() - 60_000);
  for (const file of fs.readdirSync(folder)) fs.utimesSync(path.join(folder, file), before, before);
  return folder;
}

export class Session {
  constructor(args = []) {
    this.validator = new SessionValidator();
    this.messages = { '>': [], '<': [] };
    this.process = spawn(kExecutable, ['lsp', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.exit = new Promise((resolve) => this.process.on('exit', resolve));
    this.log = '';
    this.process.stderr.on('data', (chunk) => { this.log += chunk; });
    this.process.stdout.on('data', this.tap('<'));
    const toServer = this.tap('>');
    const write = this.process.stdin.write.bind(this.process.stdin);
    this.process.stdin.write = (chunk, ...rest) => {
      toServer(Buffer.from(chunk, typeof rest[0] === 'string' ? rest[0] : undefined));
      return write(chunk, ...rest);
    };
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(this.process.stdout), new lsp.StreamMessageWriter(this.process.stdin));
    this.counts = new Map();  // methods that the server called
    this.waiting = [];
  }

  tap(direction) {
    const splitter = new FrameSplitter((message) => {
      this.messages[direction].push(message);
      this.validator.add(direction, message);
      if (direction !== '<' || message.method === undefined) return;
      this.counts.set(message.method, (this.counts.get(message.method) ?? 0) + 1);
      this.waiting = this.waiting.filter((check) => !check());
    });
    return (chunk) => splitter.push(chunk);
  }

  count(method) {
    return this.counts.get(method) ?? 0;
  }

  // Until the server called a method so often.
  called(method, times = 1) {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`the server did not call ${method} ${times} times\n${this.log}`)), kPatienceMs);
      const check = () => {
        if (this.count(method) < times) return false;
        clearTimeout(limit);
        resolve();
        return true;
      };
      if (!check()) this.waiting.push(check);
    });
  }

  request(method, ...params) {
    return this.connection.sendRequest(method, ...params);
  }

  notify(method, ...params) {
    return this.connection.sendNotification(method, ...params);
  }

  // Ends the session in the right order; the exit status.
  async finish() {
    await this.request('shutdown');
    await this.notify('exit');
    const status = await this.exit;
    this.connection.dispose();
    return status;
  }
}

export const uriOf = (file) => pathToFileURL(file).href;
