// SPDX-License-Identifier: Apache-2.0
// An agent: the official client, connected to `etlens mcp`, which holds every answer against its schema.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Ajv2020 from 'ajv/dist/2020.js';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const executable = path.resolve(process.env.ETLENS ?? path.join(root, 'build/release/bin/etlens'));

// The two ways to begin: a session, and none.
export const eras = [
  { name: 'session', version: '2025-11-25', options: {} },
  { name: 'stateless', version: '2026-07-28', options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
  { name: 'probing', version: '2026-07-28', options: { versionNegotiation: { mode: 'auto' } } },
];

export class Agent {
  // Until the test `t` ends.
  static async connect(t, roots, { era = eras[0], cwd = root, capabilities = {}, onRoots } = {}) {
    const agent = new Agent();
    agent.client = new Client({ name: 'etlens-test', version: '1' }, { ...era.options, capabilities });
    if (onRoots) agent.client.setRequestHandler('roots/list', onRoots);
    agent.transport = new StdioClientTransport({ command: executable, args: ['mcp', ...roots], cwd, stderr: 'pipe' });
    t.after(() => agent.client.close());
    await agent.client.connect(agent.transport);
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    agent.tools = (await agent.client.listTools()).tools;
    agent.schemas = new Map(agent.tools.map((tool) => [tool.name, { input: ajv.compile(tool.inputSchema), output: ajv.compile(tool.outputSchema) }]));
    return agent;
  }

  // The whole result; what has structure fits the schema, and is the text.
  async result(name, args = {}) {
    const result = await this.client.callTool({ name, arguments: args });
    if (result.isError) return result;
    const { input, output } = this.schemas.get(name);
    assert.ok(input(args), `${name}: ${JSON.stringify(input.errors)}`);
    assert.ok(output(result.structuredContent), `${name}: ${JSON.stringify(output.errors)}`);
    assert.equal(result.content.length, 1);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    assert.ok(Buffer.byteLength(result.content[0].text) <= (args.max_bytes ?? 8000), `${name}: ${result.content[0].text.length} bytes`);
    return result;
  }

  async answer(name, args = {}) {
    const result = await this.result(name, args);
    assert.ok(!result.isError, `${name} ${JSON.stringify(args)}: ${result.content[0].text}`);
    return result.structuredContent;
  }

  // The sentence of a call that cannot be answered.
  async refusal(name, args) {
    const result = await this.result(name, args);
    assert.equal(result.isError, true, `${name} ${JSON.stringify(args)} was answered`);
    return result.content[0].text;
  }
}

// What a command prints as JSON.
export function command(...args) {
  return JSON.parse(execFileSync(executable, [...args, '--format', 'json'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }));
}

// Answers have six digits.
export function same(a, b, what) {
  assert.ok(Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)), `${what}: ${a} and ${b}`);
}
