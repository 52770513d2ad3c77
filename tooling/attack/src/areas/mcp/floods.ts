import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { createConnection } from '@haft/mcp';

import type { Attack } from '../../attack.ts';

const megabyte = 1024 * 1024;
const maxGrowth = 150 * megabyte;
const floodMs = 1_500;

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** A server that completes the handshake, and then sends the same lines forever without reading. */
function serverSource(line: string): string {
  return `
    const lines = ${line};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
      const { id, method } = JSON.parse(text);
      const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...message }) + '\\n');
      if (method === 'initialize') say({ result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } } });
      else if (method === 'tools/list') say({ result: { tools: [] } });
      else if (id !== undefined) say({ error: { code: -32601, message: 'unknown' } });
      // Before that the host would wait for its answer.
      if (method !== 'tools/list') return;
      process.stdin.pause();
      let count = 0;
      const flood = () => process.stdout.write(Array.from({ length: 1000 }, () => lines(count += 1)).join('\\n') + '\\n', flood);
      setTimeout(flood, 300);
    });`;
}

const lines: Readonly<Record<string, string>> = {
  pings: `(id) => JSON.stringify({ jsonrpc: '2.0', id: 'p'.repeat(200) + id, method: 'ping' })`,
  'unknown requests': `(id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'x'.repeat(200) })`,
  'questions for a model': `(id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })`,
  'changes of its list': `() => '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'`,
  'progress of nothing': `(id) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: id } })`,
  'answers to no question': `(id) => JSON.stringify({ jsonrpc: '2.0', id: 1e6 + id, result: { text: 'x'.repeat(200) } })`,
  'lines of a log': `(id) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(500) + id } })`,
  'lines that are no messages': `(id) => 'x'.repeat(500) + id`,
};

const byServers: readonly Attack[] = Object.entries(lines).map(([what, line]) => ({
  name: `A server floods its host with ${what} and reads nothing`,
  needs: ['linux'],
  isLong: what !== 'pings',
  async run(ground) {
    const file = join(ground.directory, 'server.cjs');
    writeFileSync(file, serverSource(line));
    const connection = await createConnection({ command: process.execPath, args: [file], name: 'x', era: 'legacy' });
    ground.onEnd(() => connection.close());
    const before = residentOf(process.pid);
    await delay(floodMs);
    const growth = residentOf(process.pid) - before;
    return growth < maxGrowth ? undefined : `the host grew by ${Math.round(growth / megabyte)} MB`;
  },
}));

const greeting =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n';
const requests: Readonly<Record<string, (id: number) => string>> = {
  pings: (id) => `{"jsonrpc":"2.0","id":"${'p'.repeat(200)}${id}","method":"ping"}\n`,
  calls: (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait","arguments":{}}}\n`,
  'lists of tools': (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`,
  'requests with one id': () =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{}}}\n`,
};
const hostSource = `
  import { allowAll, createDispatcher, defineTool } from '@haft/core';
  import { serve } from '@haft/mcp';
  const wait = defineTool({ name: 'wait', description: 'x'.repeat(2_000), input: { type: 'object' }, execute: () => new Promise(() => {}) });
  await serve(createDispatcher({ registry: [wait], permission: allowAll })).closed;`;

const byClients: readonly Attack[] = Object.entries(requests).map(([what, line]) => ({
  name: `A client floods a server with ${what} and reads nothing`,
  needs: ['linux'],
  isLong: what !== 'pings',
  async run(ground) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', hostSource], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const gone = once(child, 'exit');
    ground.onEnd(async () => {
      child.kill('SIGKILL');
      await gone;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.write(greeting);
    await Promise.race([once(child.stdout, 'readable'), gone]);
    const { pid } = child;
    if (child.exitCode !== null || pid === undefined) throw new Error('the server did not start');
    const before = residentOf(pid);
    const until = performance.now() + floodMs;
    for (let id = 1; performance.now() < until && child.exitCode === null; id += 1_000) {
      const chunk = Array.from({ length: 1_000 }, (_, at) => line(id + at)).join('');
      if (!child.stdin.write(chunk)) await delay(10);
      if (child.stdin.writableLength > 50 * megabyte) await delay(100);
    }
    if (child.exitCode !== null) return undefined;
    const growth = residentOf(pid) - before;
    return growth < maxGrowth ? undefined : `the server grew by ${Math.round(growth / megabyte)} MB`;
  },
}));

/** Peers that send more than they read. */
export const floodAttacks: readonly Attack[] = [...byServers, ...byClients];
