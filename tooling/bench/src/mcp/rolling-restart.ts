import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeFolder, runModule, startModule, type StartedModule } from '@haft-tooling/measure';
import type { Load } from './load-process.ts';

/** The outcomes of the calls while every copy was replaced. */
export interface RollingRestart extends Load {
  readonly restarts: number;
}

export const serverProgram = new URL('http-server-process.ts', import.meta.url);
export const loadProgram = new URL('load-process.ts', import.meta.url);
const copies = 3;

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;
}

/**
 * Sends calls to copies behind nginx while the copies are stopped and restarted one after another. A stopped copy
 * answers all requests that it has read; the others go to another copy.
 */
export async function restartBehindProxy(contender: string, calls: number): Promise<RollingRestart> {
  const ports = await Promise.all(Array.from({ length: copies + 1 }, findPort));
  const proxyPort = ports.pop() ?? 0;
  using folder = makeFolder();
  const config = join(folder.path, 'nginx.conf');
  writeFileSync(config, configure(folder.path, proxyPort, ports));
  const servers: StartedModule[] = [];
  const startCopy = async (index: number): Promise<void> => {
    const server = startModule(serverProgram, [contender, String(ports[index])]);
    servers[index] = server;
    await server.line(/^port/);
  };
  let proxy: ChildProcess | undefined;
  try {
    for (const index of ports.keys()) await startCopy(index);
    proxy = spawn('nginx', ['-p', folder.path, '-c', config], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${proxyPort}/mcp`;
    await reach(url);
    const state = { isOver: false };
    const args = [url, String(calls), '16', 'modern'];
    const load = runModule<Load>(loadProgram, args, { timeoutMs: 120_000 }).finally(() => (state.isOver = true));
    let restarts = 0;
    while (!state.isOver) {
      await servers[restarts % copies]?.end('SIGTERM');
      await startCopy(restarts % copies);
      restarts += 1;
      await wait(50);
    }
    return { ...(await load), restarts };
  } finally {
    proxy?.kill('SIGTERM');
    for (const server of servers) server.child.kill('SIGKILL');
  }
}

function configure(folder: string, port: number, servers: readonly number[]): string {
  return [
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`),
    `  upstream copies { ${servers.map((at) => `server 127.0.0.1:${at} max_fails=0;`).join(' ')} }`,
    `  server { listen 127.0.0.1:${port}; location / {`,
    '    proxy_pass http://copies; proxy_buffering off; proxy_connect_timeout 2s; proxy_next_upstream error timeout non_idempotent; proxy_set_header Host localhost;',
    '  } }',
    '}',
  ].join('\n');
}

/** Returns a free port on the loopback address. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reach(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) {
      await answer.body?.cancel();
      return;
    }
    await wait(50);
  }
  throw new Error('nginx does not answer');
}
