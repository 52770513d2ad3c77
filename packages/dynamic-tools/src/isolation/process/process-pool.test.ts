import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import { fingerprintPaths } from '../load-isolated.ts';
import { startPlugin } from './running-plugin.ts';
import { type RunningPlugin } from './process-handle.ts';
import { createProcessPool, type ProcessPool } from './process-pool.ts';

const limits = { unresponsiveMs: 10_000, maxMemoryBytes: 1e9 };
/** The number of processes of these tests that are still running. */
let running = 0;
/** A launch plan for a cheap process that only waits. */
const plan: LaunchPlan = {
  command: '/bin/sleep',
  args: ['60'],
  env: {},
  cwd: '/',
  settle: () => null,
  hold: () => (running += 1),
  release: () => (running -= 1),
};

const open: ProcessPool[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const starts of open.splice(0)) starts.close();
});
function start(): ProcessPool {
  const starts = createProcessPool(limits);
  open.push(starts);
  return starts;
}

describe.skipIf(process.platform === 'win32')('spare process', () => {
  it('is taken once, by the plugin it was started for', async () => {
    const starts = start();
    starts.prepare('a', plan, 'print');
    starts.prepare('a', plan, 'print');
    expect(starts.take('b', plan, 'print')).toBeUndefined();
    const taken = starts.take('a', plan, 'print');
    expect(taken?.isAlive).toBe(true);
    expect(starts.take('a', plan, 'print')).toBeUndefined();
    taken?.kill('closed');
    expect(await taken?.exited).toMatchObject({ cause: 'closed' });
  });

  it('is not taken and ends when the plan differs or it has exited', async () => {
    const starts = start();
    const others: readonly (readonly [LaunchPlan, string])[] = [
      [{ ...plan, args: ['61'] }, 'print'],
      [plan, 'the print of another file in its place'],
    ];
    for (const [other, print] of others) {
      starts.prepare('a', plan, 'print');
      expect(starts.take('a', other, print)).toBeUndefined();
      expect(starts.take('a', plan, 'print')).toBeUndefined();
    }
    starts.prepare('a', { ...plan, command: '/bin/no-such-program' }, 'print');
    expect(starts.take('a', { ...plan, command: '/bin/no-such-program' }, 'print')).toBeUndefined();
    starts.prepare('a', plan, 'print');
    starts.prepare('a', plan, 'a newer print');
    expect(starts.take('a', plan, 'print')).toBeUndefined();
    await expect.poll(() => running).toBe(0);
  });

  it('exists at most twice per save, and the oldest one is ended first', () => {
    const starts = start();
    starts.prepare('settling', plan, 'print');
    for (const id of ['a', 'b', 'c']) starts.prepare(id, plan, 'print', true);
    const taken = ['settling', 'a', 'b', 'c'].map((id) => starts.take(id, plan, 'print'));
    expect(taken.map((running) => running?.isAlive)).toEqual([true, undefined, true, true]);
    for (const running of taken) running?.kill('closed');
  });

  it('is joined by two more after the third save in a row, up to four', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const starts = start();
    const take = (id: string): boolean => {
      const taken = starts.take(id, plan, 'print');
      taken?.kill('closed');
      return taken !== undefined;
    };
    const save = (id: string): boolean => {
      starts.prepare(id, plan, 'print');
      return take(id);
    };
    const takeAll = (id: string): number => {
      let count = 0;
      while (take(id)) count += 1;
      return count;
    };
    expect([save('a'), save('a'), takeAll('a')]).toEqual([true, true, 0]);
    for (const id of ['b', 'b', 'b', 'c', 'c', 'c']) expect(save(id)).toBe(true);
    expect([takeAll('b'), takeAll('c')]).toEqual([2, 1]);
    // After a pause between saves, one spare process is enough.
    vi.advanceTimersByTime(3_000);
    expect([save('b'), takeAll('b')]).toEqual([true, 0]);
    for (let again = 0; again < 3; again += 1) save('b');
    vi.advanceTimersByTime(5_000);
    expect(takeAll('b')).toBe(0);
  });

  it('is ended when unused, sooner if no save is expected', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const starts = start();
    starts.prepare('settling', plan, 'print');
    starts.prepare('spare', plan, 'print', true);
    vi.advanceTimersByTime(5_000);
    expect(starts.take('settling', plan, 'print')).toBeUndefined();
    const spare = starts.take('spare', plan, 'print');
    expect(spare?.isAlive).toBe(true);
    spare?.kill('closed');
    starts.prepare('spare', plan, 'print', true);
    vi.advanceTimersByTime(60_000);
    expect(starts.take('spare', plan, 'print')).toBeUndefined();
  });

  it('ends with its plugin or the pool, and no other starts afterwards', async () => {
    const starts = start();
    for (const id of ['a', 'b']) starts.prepare(id, plan, 'print');
    starts.drop('a');
    expect(starts.take('a', plan, 'print')).toBeUndefined();
    starts.close();
    starts.prepare('c', plan, 'print');
    for (const id of ['b', 'c']) expect(starts.take(id, plan, 'print')).toBeUndefined();
    await expect.poll(() => running).toBe(0);
  });
});

describe('fingerprintPaths', () => {
  it('is stable while a file is written, and changes when a file is replaced', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'haft-places-'));
    const file = join(directory, 'plugin.mjs');
    await writeFile(file, 'one');
    const print = fingerprintPaths([file, join(directory, 'missing.mjs')]);
    await writeFile(file, 'two');
    expect(fingerprintPaths([file, join(directory, 'missing.mjs')])).toBe(print);
    await writeFile(join(directory, 'new.mjs'), 'three');
    await rename(join(directory, 'new.mjs'), file);
    expect(fingerprintPaths([file, join(directory, 'missing.mjs')])).not.toBe(print);
    await rm(directory, { recursive: true });
  });
});

describe.runIf(process.platform === 'linux')('idle process', () => {
  it('is ended when it keeps using a processor', async () => {
    const busy = `const s = new (require('node:net').Socket)({ fd: 3 }); s.on('data', (text) => s.write(JSON.stringify({ ...JSON.parse(text), t: 'pong' }) + '\\n'));
      setInterval(() => { for (const end = Date.now() + 5; Date.now() < end;); }, 20);`;
    const command = { ...plan, command: process.execPath, args: ['-e', busy] };
    const running = startPlugin(command, { unresponsiveMs: 4_000, maxMemoryBytes: 1e9, maxIdleProcessorMs: 100 });
    running.watch('idle');
    expect((await running.exited).cause).toBe('processor');
  });
});

describe.skipIf(process.platform === 'win32')('ended process', () => {
  const run = async (settle: LaunchPlan['settle'], end: (running: RunningPlugin) => void): Promise<unknown> => {
    const running = startPlugin({ ...plan, command: '/bin/sh', args: ['-c', 'kill -9 $$'], settle }, limits);
    end(running);
    return (await running.exited).cause;
  };

  it('ends the jail once, and counts as out of memory if the jail says so and the host did not end it', async () => {
    const settled: number[] = [];
    const settle: LaunchPlan['settle'] = (pid) => (settled.push(pid), 'memory');
    expect(await run(settle, () => undefined)).toBe('memory');
    expect(await run(settle, (running) => running.kill('flood'))).toBe('flood');
    expect(
      await run(
        () => 'processes',
        () => undefined,
      ),
    ).toBe('exit');
    expect(settled).toHaveLength(2);
    expect(settled.every((pid) => pid > 0)).toBe(true);
  });
});
