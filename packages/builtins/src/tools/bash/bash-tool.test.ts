import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProgressUpdate } from '@haft/core';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

describe('bash', () => {
  it('runs in the working directory and returns both output streams in order', async () => {
    start();
    const result = await ground.call('bash', { command: 'echo out; echo err >&2; pwd' });
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: `out\nerr\n${ground.folder}\n` }],
      metadata: { exitCode: 0, durationMs: expect.any(Number), cwd: ground.folder },
      summary: expect.stringMatching(/^\$ echo out; echo err >&2; pwd \(exit 0, /),
      effects: [
        {
          kind: 'process',
          command: 'echo out; echo err >&2; pwd',
          background: false,
          exitCode: 0,
          pid: expect.any(Number),
        },
      ],
    });
    expect(await ground.say('bash', { command: 'true' })).toBe('(no output)');
  });

  it('fails with the complete output if the command fails', async () => {
    start();
    const result = await ground.call('bash', { command: 'echo before; exit 3' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', fault: 'world', retryable: false, details: { exitCode: 3 } },
      content: [{ text: 'before\n' }],
      effects: [{ exitCode: 3 }],
    });
    expect(await ground.call('bash', { command: 'kill -KILL $$' })).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', details: { exitCode: 137, signal: 'SIGKILL' } },
    });
    expect(await ground.call('bash', { command: 'no-such-program-here' })).toMatchObject({
      error: { details: { exitCode: 127 } },
    });
  });

  it('keeps the output of a command that times out (B14) and ends its children', async () => {
    start();
    const result = await ground.call('bash', {
      command: '(sleep 30; echo late > late.txt) & echo started; sleep 30',
      timeout_ms: 2_000,
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TIMEOUT', retryable: false },
      content: [{ text: 'started\n' }],
      effects: [{ timedOut: true }],
    });
  });

  it('ends before the timeout of the dispatcher if that is shorter', async () => {
    start();
    const result = await ground.call('bash', { command: 'echo started; sleep 30' }, { timeoutMs: 3_000 });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TIMEOUT' },
      content: [{ text: 'started\n' }],
      effects: [{ timedOut: true }],
    });
  });

  it.each([2_000, 5_000, 10_000])('completes a fast command if the call timeout is %i ms', async (timeoutMs) => {
    start();
    const result = await ground.call('bash', { command: 'sleep 0.1; echo done' }, { timeoutMs });
    expect(result).toMatchObject({ ok: true, content: [{ text: 'done\n' }] });
  });

  it('ends when the call is aborted and still returns the output so far', async () => {
    start();
    const controller = new AbortController();
    const running = ground.call(
      'bash',
      { command: 'echo started; sleep 30' },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    expect(await running).toMatchObject({ ok: false, error: { code: 'ABORTED' }, content: [{ text: 'started\n' }] });
  });

  it('reports every chunk as it arrives and returns the complete output at the end', async () => {
    start();
    const updates: ProgressUpdate[] = [];
    const result = await ground.call(
      'bash',
      { command: 'for i in 1 2 3; do echo $i; sleep 0.1; done' },
      { onProgress: (update) => updates.push(update) },
    );
    expect(updates.length).toBeGreaterThanOrEqual(2);
    expect(updates.map(({ output }) => output).join('')).toBe('1\n2\n3\n');
    expect(result.content).toEqual([{ type: 'text', text: '1\n2\n3\n' }]);
  });

  it('shows the beginning and end of very long output and stores the rest in a readable file', async () => {
    start({ spills: true });
    const said = await ground.say('bash', { command: 'seq 1 100000' });
    expect(said.startsWith('1\n2\n')).toBe(true);
    expect(said).toContain('\n100000\n[the whole output is in ');
    expect(Buffer.byteLength(said)).toBeLessThan(53_000);
    const path = /output is in (\S+)\]/.exec(said)![1]!;
    // Uses the read tool with the path from the result.
    expect(await ground.say('read', { path, offset: 50_000, limit: 1 })).toMatch(/^50000→50000\n/);
    expect(readFileSync(path, 'utf8')).toBe(`${Array.from({ length: 100_000 }, (_, index) => index + 1).join('\n')}\n`);
  });

  it('keeps no output file if the output was shown completely', async () => {
    start({ spills: true });
    // Progress lines are collapsed, so most of the written output is dropped.
    expect(
      await ground.say('bash', { command: String.raw`for i in $(seq 20000); do printf '%s%%\r' $i; done; echo` }),
    ).toBe('20000%\n');
    expect(readdirSync(join(ground.folder, '../spill'))).toEqual([]);
  });

  it('removes terminal colors and collapses progress lines', async () => {
    start();
    expect(await ground.say('bash', { command: String.raw`printf '\033[31mred\033[0m\n10%%\r50%%\r100%%\n'` })).toBe(
      'red\n100%\n',
    );
  });

  it('does not wait for input, background children or streams that they keep open', async () => {
    start();
    const before = performance.now();
    expect(codeOf(await ground.call('bash', { command: 'cat; sleep 60 & echo done' }))).toBe('ok');
    expect(performance.now() - before).toBeLessThan(30_000);
  });

  it('passes no secrets of this process to the command', async () => {
    process.env['HAFT_TEST_TOKEN'] = 'top-secret';
    start();
    expect(await ground.say('bash', { command: 'env' })).not.toContain('top-secret');
    delete process.env['HAFT_TEST_TOKEN'];
  });

  it.skipIf(process.platform === 'win32')('never uses a program in the workspace as the shell', async () => {
    start({ files: { 'bin/bash': '#!/bin/sh\necho mine\n' } });
    chmodSync(join(ground.folder, 'bin/bash'), 0o755);
    vi.stubEnv('PATH', `${join(ground.folder, 'bin')}:${process.env['PATH'] ?? ''}`);
    expect(await ground.say('bash', { command: 'echo ours' })).toBe('ours\n');
    vi.unstubAllEnvs();
  });

  it('rejects a time limit with an ambiguous unit and a time limit above ten minutes', async () => {
    start();
    expect(codeOf(await ground.call('bash', { command: 'true', timeout: 5 }))).toBe('INVALID_ARGS');
    expect(codeOf(await ground.call('bash', { command: 'true', timeout_seconds: 601 }))).toBe('INVALID_ARGS');
    expect(codeOf(await ground.call('bash', { command: 'true', timeout_ms: 600_001 }))).toBe('INVALID_ARGS');
    expect(codeOf(await ground.call('bash', { cmd: 'true', timeout_ms: 600_000 }))).toBe('ok');
  });
});
