import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createConnection } from '@haft/mcp';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { findSleepers, makeFolder } from '@haft-tooling/measure';

/** Time that a process may take to end after its server was closed. */
const patienceMs = 3_000;

/**
 * Counts living processes after many servers were closed. Each consists of npx, a shell that it
 * starts, and a Node process started by the shell, with children in sessions of their own.
 */
export async function countSurvivors(name: 'haft' | 'sdk', runs: number): Promise<number> {
  using folder = makeFolder();
  writePackage(folder.path);
  const signs = Array.from({ length: runs }, (_, run) => `97.${process.pid}${run}`);
  for (const sign of signs) {
    const server = { command: 'npx', args: ['--no-install', 'chained-server', sign], cwd: folder.path };
    if (name === 'haft') await (await createConnection({ ...server, name: 'chained', restart: false })).close();
    else {
      const client = new Client({ name: 'bench', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
      await client.listTools();
      await client.close();
    }
  }
  await wait(patienceMs);
  const survivors = findSleepers(new Set(signs));
  for (const id of survivors) process.kill(id, 'SIGKILL');
  return survivors.length;
}

/** Writes a package that npx finds offline: a shell script that starts children, and Node with the server. */
function writePackage(folder: string): void {
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"chain","private":true}');
  const script = [
    '#!/bin/sh',
    'setsid sleep "$1" </dev/null >/dev/null 2>&1 &',
    '(setsid sleep "$1" </dev/null >/dev/null 2>&1 &)',
    '(trap \'\' TERM; sleep "$1" </dev/null >/dev/null 2>&1; true) &',
    `"${process.execPath}" "${fileURLToPath(new URL('flood-server.ts', import.meta.url))}" 1 1`,
  ];
  writeFileSync(join(bin, 'chained-server'), `${script.join('\n')}\n`, { mode: 0o755 });
}
