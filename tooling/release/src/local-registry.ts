import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { runCommand } from '@haft-tooling/checks/run-command';

const verdaccio = '6.10.4';

/**
 * A registry on this machine that stores packages that are published to it, and forwards all other requests to npm's
 * registry.
 */
export interface LocalRegistry {
  readonly url: string;
  /** Contents of an `.npmrc` for installing from it and publishing to it. */
  readonly settings: string;
  close(): Promise<void>;
}

/** Installs Verdaccio into `directory` and starts it on a free port of the loopback. Rejects when it doesn't start. */
export async function openLocalRegistry(directory: string): Promise<LocalRegistry> {
  mkdirSync(directory, { recursive: true });
  const { stdout } = await runCommand('npm', ['config', 'get', 'registry'], { cwd: directory });
  const upstream = stdout.trim();
  // Verdaccio asks for a tag of node-fetch that mirrors of the registry don't serve.
  const manifest = { private: true, dependencies: { verdaccio }, overrides: { 'node-fetch': '2.7.0' } };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
  await runCommand('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: directory,
  });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(directory, 'config.yaml');
  writeFileSync(config, configurationOf(directory, upstream));
  const program = join(directory, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const child = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await waitForAddress(child, url);
  return {
    url,
    // npm requires a token for publishing. This registry accepts every token.
    settings: `registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\naudit=false\nfund=false\nupdate-notifier=false\n`,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** Resolves when the registry reports that it listens. Rejects with its output if it ends before that. */
function waitForAddress(child: ChildProcessByStdio<null, Readable, Readable>, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = '';
    const read = (text: string): void => {
      written += text;
      if (written.includes(`http address - ${url}`)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the local registry ended: ${written}`)));
  });
}

function configurationOf(directory: string, upstream: string): string {
  return JSON.stringify({
    storage: join(directory, 'storage'),
    uplinks: { npm: { url: upstream, maxage: '60m', timeout: '60s' } },
    packages: {
      '@haft/*': { access: '$all', publish: '$all' },
      haft: { access: '$all', publish: '$all' },
      'create-haft': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'npm' },
    },
    log: { type: 'stdout', format: 'json', level: 'warn' },
    max_body_size: '50mb',
    web: { enable: false },
  });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
