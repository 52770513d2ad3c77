import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive, isLinux, pidsIn } from '../../fixtures/run-line.ts';
import { makeRoot } from '../../fixtures/temporary-directory.ts';
import { createProcessManager, type ManagedProcess, type ProcessManager } from './process-manager.ts';
import { type StartProcessOptions } from './process-manager-options.ts';
import { runProcess } from '../run-process.ts';

let manager: ProcessManager = createProcessManager();
afterEach(async () => {
  await manager.endAll();
  manager = createProcessManager();
});

async function start(line: string, options: Partial<StartProcessOptions> = {}): Promise<ManagedProcess> {
  const started = await manager.start({ command: line, shell: true, cwd: '/', killGraceMs: 200, ...options });
  if (!started.ok) throw new Error(started.message);
  return started;
}

async function readUntil(process: ManagedProcess, sign: string): Promise<string> {
  const { signal } = new AbortController();
  for (let cursor = 0; ;) {
    const slice = process.read(0);
    if (slice.text.includes(sign) || !process.status().isAlive) return slice.text;
    ({ cursor } = slice);
    await process.waitForOutput(cursor, signal);
  }
}

describe('createProcessManager', () => {
  test('starts a process and returns its output from a cursor, during and after the run', async () => {
    const process = await start('echo one; read x < /dev/null; echo two; sleep 0.05; echo three; exit 3');
    expect(process.status()).toMatchObject({ id: 'p1', isAlive: true, exitCode: null, cwd: '/' });
    expect(await process.waitForEnd()).toMatchObject({ isAlive: false, exitCode: 3, signal: null, wasStopped: false });
    expect(process.read(0)).toMatchObject({ text: 'one\ntwo\nthree\n', cursor: 14 });
    expect(process.read(4)).toMatchObject({ text: 'two\nthree\n' });
    expect(manager.list()).toMatchObject([{ id: 'p1', exitCode: 3, totalCharacters: 14 }]);
  });

  test('resolves waitForOutput on new output, at the end and on abort', async () => {
    const process = await start('sleep 0.1; echo late; sleep 0.1');
    const { signal } = new AbortController();
    await process.waitForOutput(0, signal);
    expect(process.read(0).text).toBe('late\n');
    await process.waitForOutput(5, signal);
    expect(process.status().isAlive).toBe(false);
    const sleeper = await start('sleep 60');
    const stop = new AbortController();
    const waiting = sleeper.waitForOutput(0, stop.signal);
    stop.abort();
    await waiting;
    await sleeper.waitForOutput(0, AbortSignal.abort());
  });

  test.runIf(isLinux)('stops a process with all descendants, even if they ignore SIGTERM', async () => {
    const line = `trap '' TERM; setsid sh -c 'trap "" TERM; echo pid=$$; while :; do sleep 1; done' & echo ready; while :; do sleep 1; done`;
    const process = await start(line);
    const pids = pidsIn(await readUntil(process, 'pid='));
    expect(pids).toHaveLength(1);
    expect(await process.stop()).toMatchObject({ isAlive: false, wasStopped: true, signal: 'SIGKILL', survivors: [] });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('sends the requested signal', async () => {
    const line = "trap 'echo tidy; exit 9' INT; echo ready; while :; do sleep 0.02; done";
    const process = await start(line, { killGraceMs: 10_000 });
    await readUntil(process, 'ready');
    expect(await process.stop({ signal: 'SIGINT' })).toMatchObject({ exitCode: 9, wasStopped: true });
    expect(process.read(0).text).toBe('ready\ntidy\n');
  });

  test('ends at once if a second stop call has a shorter grace period', async () => {
    const process = await start("trap '' TERM; echo ready; while :; do sleep 1; done", { killGraceMs: 60_000 });
    await readUntil(process, 'ready');
    const first = process.stop();
    expect(await process.stop({ signal: 'SIGKILL' })).toMatchObject({ signal: 'SIGKILL' });
    expect((await first).durationMs).toBeLessThan(20_000);
  });

  test('limits running processes and remembers the latest ended ones', async () => {
    manager = createProcessManager({ maxAlive: 2, maxEnded: 1 });
    const [one, two] = [await start('sleep 60'), await start('sleep 60')];
    expect(await manager.start({ command: 'true', cwd: '/' })).toMatchObject({ ok: false, code: 'TOO_MANY_PROCESSES' });
    await one.stop();
    const three = await start('true');
    await three.waitForEnd();
    await two.stop();
    const four = await start('true');
    await four.waitForEnd();
    expect(manager.list().map(({ id }) => id)).toEqual(['p3', 'p4']);
    expect(manager.find('p1')).toBeUndefined();
  });

  test('counts processes that are still starting', async () => {
    manager = createProcessManager({ maxAlive: 1 });
    const both = await Promise.all([1, 2].map(() => manager.start({ command: 'sleep', args: ['60'], cwd: '/' })));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('shows an owner only its own processes', async () => {
    await start('sleep 60', { owner: 'a' });
    await start('sleep 60', { owner: 'b' });
    expect(manager.list('a').map(({ id }) => id)).toEqual(['p1']);
    expect(manager.find('p2', 'a')).toBeUndefined();
    expect(manager.find('p2', 'b')?.id).toBe('p2');
    await manager.endAll('a');
    expect(manager.list().map((status) => status.isAlive)).toEqual([false, true]);
  });

  test('stores the latest output in memory and all output in a limited file', async () => {
    manager = createProcessManager({ maxCharacters: 50_000 });
    const spillDirectory = join(makeRoot().root, 'spill');
    const process = await start('seq 1 100000', { spillDirectory });
    const status = await process.waitForEnd();
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(status).toMatchObject({ totalCharacters: whole.length, spill: { isComplete: true } });
    expect(status.droppedCharacters).toBeGreaterThan(400_000);
    expect(readFileSync(status.spill!.path, 'utf8')).toBe(whole);
    expect(process.read(0, 10)).toMatchObject({ dropped: status.droppedCharacters });
    expect(process.read(undefined, 13).text).toBe('99999\n100000\n');
  });

  test('returns start failures as data and throws for an invalid limit', async () => {
    expect(await manager.start({ command: 'no-such-program', cwd: '/' })).toMatchObject({ code: 'COMMAND_NOT_FOUND' });
    expect(await manager.start({ command: 'true', cwd: '/no/such/folder' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(manager.list()).toEqual([]);
    expect(() => createProcessManager({ maxAlive: 0 })).toThrow(TypeError);
  });

  test('does not keep a program alive, and ends its processes with it', async () => {
    const script = `
      const { createProcessManager } = await import(${JSON.stringify(new URL('./process-manager.ts', import.meta.url).href)});
      const manager = createProcessManager();
      const started = await manager.start({ command: 'echo pid=$$; exec sleep 60', shell: true, cwd: '/' });
      await started.waitForOutput(0, new AbortController().signal);
      console.log(started.read(0).text);
    `;
    const args = ['--input-type=module', '--conditions=@haft/source', '-e', script];
    const result = await runProcess({
      command: process.execPath,
      args,
      cwd: '/',
      background: 'keep',
      timeoutMs: 20_000,
    });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});
