import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createStore } from '@haft/store';
import { ToolRegistry } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createCaller } from '../fixtures/caller.ts';
import { startRotatingAuthorization, type RotatingAuthorization } from '../fixtures/rotating-authorization.ts';
import { programArguments } from '../fixtures/program-arguments.ts';
import {
  createConnection,
  createMemoryTokenStore,
  createTokenStore,
  type LoginOptions,
  type TokenStore,
} from '../index.ts';
import { shareLogin } from './login-lock.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

async function start(): Promise<RotatingAuthorization> {
  const world = await startRotatingAuthorization();
  cleanups.push(() => world.close());
  return world;
}

async function connect(url: string, login: LoginOptions): Promise<() => Promise<boolean>> {
  const registry = new ToolRegistry();
  const connection = await createConnection({ url, login, registry, era: 'legacy' });
  cleanups.push(() => connection.close());
  const { call } = createCaller(registry);
  return async () => (await call('good_hello')).ok;
}

describe('the refresh of a rotating token', () => {
  it('happens once for all connections of a login', async () => {
    const world = await start();
    let opened = 0;
    const login: LoginOptions = {
      async open(url) {
        opened += 1;
        await world.agree(url);
      },
    };
    const calls = [await connect(world.url, login), await connect(world.url, login)];
    for (let round = 0; round < 3; round += 1) {
      world.expire(calls.length);
      expect(await Promise.all(calls.map((call) => call()))).toEqual([true, true]);
    }
    expect({ opened, ...world.counts }).toEqual({ opened: 1, refreshes: 3, revoked: 0 });
  });

  it('happens once for all processes that share a store', { timeout: 180_000 }, async () => {
    const world = await start();
    const directory = mkdtempSync(join(tmpdir(), 'haft-login-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'store.db');
    const store = await createStore({ url: `file:${file}` });
    cleanups.push(() => store.close());
    // The user logs in once, here.
    await connect(world.url, { store: createTokenStore(store), open: (url) => world.agree(url) });
    const program = fileURLToPath(new URL('../fixtures/login-client.ts', import.meta.url));
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const child = spawn(process.execPath, [...programArguments, program, world.url, file], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        cleanups.push(() => child.kill());
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const next = async (): Promise<unknown> => (await lines.next()).value;
        expect(await next()).toBe('ready');
        return async () => {
          child.stdin.write('call\n');
          return next();
        };
      }),
    );
    for (let round = 0; round < 3; round += 1) {
      world.expire(clients.length);
      expect(await Promise.all(clients.map((call) => call()))).toEqual(['ok', 'ok', 'ok']);
    }
    expect(world.counts).toEqual({ refreshes: 3, revoked: 0 });
  });
});

describe('the lease on a login', () => {
  const never = new AbortController().signal;
  /** Simulates another process: a store with the same values. */
  const asOtherProcess = (store: TokenStore): TokenStore => ({ ...store });

  it('lets one process at a time run its task', async () => {
    const store = createMemoryTokenStore();
    const order: string[] = [];
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { promise: isRunning, resolve: runs } = Promise.withResolvers<void>();
    const first = shareLogin(store, 'server', never, async () => {
      runs();
      await isReleased;
      order.push('first');
    });
    await isRunning;
    const second = shareLogin(asOtherProcess(store), 'server', never, async () => void order.push('second'));
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  it('is released when the task fails, and shares the failure within the process', async () => {
    const store = createMemoryTokenStore();
    let runs = 0;
    const fail = async (): Promise<void> => {
      runs += 1;
      throw new Error('refused');
    };
    const both = [shareLogin(store, 'server', never, fail), shareLogin(store, 'server', never, fail)];
    expect(await Promise.allSettled(both)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(runs).toBe(1);
    await shareLogin(asOtherProcess(store), 'server', never, async () => void (runs += 1));
    expect(runs).toBe(2);
  });

  it('makes a caller wait no longer than its own time limit', async () => {
    const store = createMemoryTokenStore();
    await store.set(JSON.stringify(['lock', 'server']), 'held by another process');
    const waiting = shareLogin(store, 'server', AbortSignal.abort(), () => Promise.resolve());
    await expect(waiting).rejects.toThrow('another process did not finish its login in time');
  });
});
