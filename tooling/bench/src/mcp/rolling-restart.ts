import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endProgram, runProgram, startServer } from './run-program.ts';

/** The outcomes of the calls while every copy was replaced. */
export interface RollingRestart {
  readonly errors: number;
  readonly restarts: number;
  readonly failures: readonly unknown[];
}

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
  const folder = await mkdtemp(join(tmpdir(), 'haft-bench-proxy-'));
  const servers: (ChildProcess | undefined)[] = [];
  let proxy: ChildProcess | undefined;
  try {
    for (const port of ports)
      servers.push((await startServer('http-server-process.ts', [contender, String(port)])).child);
    await writeFile(join(folder, 'nginx.conf'), configure(folder, proxyPort, ports));
    proxy = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    await reach(`http://127.0.0.1:${proxyPort}/mcp`);
    const state = { isOver: false };
    const load = runProgram<Pick<RollingRestart, 'errors' | 'failures'>>(
      'load-process.ts',
      [`http://127.0.0.1:${proxyPort}/mcp`, String(calls), '16', 'modern'],
      { timeoutMs: 120_000 },
    ).finally(() => (state.isOver = true));
    let restarts = 0;
    while (!state.isOver) {
      const index = restarts % copies;
      const old = servers[index];
      if (old) await endProgram(old, 'SIGTERM');
      servers[index] = (await startServer('http-server-process.ts', [contender, String(ports[index])])).child;
      restarts += 1;
      await wait(50);
    }
    return { ...(await load), restarts };
  } finally {
    proxy?.kill('SIGTERM');
    for (const server of servers) server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
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
