import { getEventListeners } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCleanEnvironment } from './clean-environment.ts';
import { abortWhenSeen, isLinux, runLine } from '../fixtures/run-line.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { runProcess } from './run-process.ts';

describe('runProcess with commands that end', () => {
  test.each([
    ['true', { exitCode: 0, signal: null }],
    ['exit 3', { exitCode: 3, signal: null }],
    ['exit 255', { exitCode: 255, signal: null }],
    ['exit 137', { exitCode: 137, signal: null }],
    ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -15 $$', { exitCode: null, signal: 'SIGTERM' }],
  ])('reports the end of %j', async (line, ending) => {
    const result = await runLine(line);
    expect(result).toMatchObject({ ...ending, timedOut: false, aborted: false, failure: null, survivors: [] });
    expect(result.pid).toBeGreaterThan(0);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test('passes arguments literally without a shell', async () => {
    const args = ['%s|', 'a b', '$HOME', '*', "it's", '"', '', '\\n', '-n', 'é', '; exit 1'];
    const result = await runProcess({ command: 'printf', args, cwd: '/' });
    expect(result.output.text).toBe(`${args.slice(1).join('|')}|`);
  });

  test('passes arguments to a shell as $1, $2, …', async () => {
    expect((await runLine('echo "$2-$1"', { args: ['a b', 'c'] })).output.text).toBe('c-a b\n');
  });

  test('runs another shell by name', async () => {
    expect((await runLine('echo $((1 + 1)) "$0"', { shell: 'sh' })).output.text).toBe('2 sh\n');
  });

  test.each([
    ['a missing program', { command: 'no-such-program-here' }, 'COMMAND_NOT_FOUND'],
    ['a missing path', { command: './gone' }, 'COMMAND_NOT_FOUND'],
    ['a file that is not a program', { command: './plain' }, 'COMMAND_NOT_FOUND'],
    ['a directory', { command: './d' }, 'COMMAND_NOT_FOUND'],
    ['an empty command', { command: '' }, 'COMMAND_NOT_FOUND'],
    ['a missing shell', { command: 'true', shell: 'no-such-shell' }, 'COMMAND_NOT_FOUND'],
    ['a NUL in an argument', { command: 'echo', args: ['a\0b'] }, 'SPAWN_FAILED'],
    ['an argument too long', { command: 'echo', args: ['x'.repeat(4_000_000)] }, 'SPAWN_FAILED'],
    ['a missing working directory', { command: 'true', cwd: '/no/such/directory' }, 'NOT_FOUND'],
    ['a working directory that is a file', { command: 'true', cwd: '/etc/passwd' }, 'NOT_DIRECTORY'],
    ['a relative working directory', { command: 'true', cwd: 'src' }, 'INVALID_PATH'],
  ])('returns a failure for %s', async (_what, options, code) => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'plain'), 'text');
    mkdirSync(join(root, 'd'));
    const result = await runProcess({ cwd: root, ...options });
    expect(result).toMatchObject({ exitCode: null, signal: null, pid: null, failure: { ok: false, code } });
    expect(result.failure?.hint).not.toContain(root);
  });

  test('tells the developer about a missing "shell: true" and a missing working directory', async () => {
    const { root } = makeRoot();
    const line = await runProcess({ command: 'ls -l | wc', cwd: root });
    expect(line.failure?.message).toMatch(/^command: "ls -l \| wc" is not an executable; pass shell: true/);
    const missing = await runProcess({ command: 'ls', cwd: '/no/such/directory' });
    expect(missing.failure?.message).toBe('cwd: "/no/such/directory" is not accessible (ENOENT)');
  });

  test('does not run a file of the working directory as a command', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'git'), '#!/bin/sh\necho caught');
    chmodSync(join(root, 'git'), 0o755);
    for (const PATH of ['.', '', `:${join(root, 'none')}`, 'relative']) {
      const result = await runProcess({ command: 'git', cwd: root, env: createCleanEnvironment({ source: { PATH } }) });
      expect(result.failure?.code).toBe('COMMAND_NOT_FOUND');
    }
    expect((await runProcess({ command: './git', cwd: root })).output.text).toBe('caught\n');
  });
});

describe('runProcess with input and output', () => {
  test('retains the order of standard output and standard error', async () => {
    const line = 'i=0; while [ $i -lt 50 ]; do echo "out $i"; echo "err $i" >&2; i=$((i+1)); done';
    const expected = Array.from({ length: 50 }, (_, index) => `out ${index}\nerr ${index}\n`).join('');
    const result = await runLine(line);
    expect(result.output.text).toBe(expected);
    expect(result.errorOutput).toBe(null);
  });

  test('separates the streams on request', async () => {
    const chunks: [string, string][] = [];
    const result = await runLine('echo out; echo err >&2', {
      streams: 'separate',
      onOutput: (text, stream) => chunks.push([stream, text]),
    });
    expect(result.output.text).toBe('out\n');
    expect(result.errorOutput?.text).toBe('err\n');
    expect(chunks.sort(([left], [right]) => left.localeCompare(right))).toEqual([
      ['error', 'err\n'],
      ['output', 'out\n'],
    ]);
  });

  test('provides empty input by default', async () => {
    expect(await runLine('cat; read answer; echo "end $?"')).toMatchObject({
      exitCode: 0,
      output: { text: 'end 1\n' },
    });
  });

  test('writes input, and ignores commands that do not read it', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    expect((await runLine('wc -c', { stdin: megabyte })).output.text.trim()).toBe('1000000');
    expect((await runLine('cat', { stdin: Buffer.from([0xe2, 0x82, 0xac]) })).output.text).toBe('€');
    expect((await runLine('true', { stdin: megabyte })).exitCode).toBe(0);
  });

  test.runIf(isLinux)('provides no terminal', async () => {
    expect(await runLine('tty; : > /dev/tty')).toMatchObject({
      output: { text: expect.stringContaining('not a tty') },
    });
    expect((await runLine(': > /dev/tty')).exitCode).not.toBe(0);
  });

  test('converts colours, progress, invalid UTF-8 and NULs to plain text', async () => {
    const result = await runLine(String.raw`printf '10%%\r50%%\r100%%\n\033[1;31mred\033[0m \342\202\254 \377\000.\n'`);
    expect(result.output).toMatchObject({ text: '100%\nred € \uFFFD␀.\n', isBinary: true, truncated: false });
  });

  test('retains both ends of a line of one megabyte', async () => {
    const result = await runLine(`printf begin; head -c 1000000 /dev/zero | tr '\\0' x; printf end`, {
      maxOutputBytes: 1_000,
    });
    expect(result.output).toMatchObject({
      totalBytes: 1_000_008,
      totalLines: 1,
      truncated: true,
      omittedBytes: 999_008,
    });
    expect(result.output.text).toMatch(/^beginx+\n\[… 999008 bytes omitted …\]\nx+end$/);
  });

  test.each([
    ['100 MB of lines', 'yes 0123456789 | head -c 100000000', 1e8],
    ['100 MB without a line break', "head -c 100000000 /dev/zero | tr '\\0' x", 1e8],
    ['20 MB of bytes that are not text', 'head -c 20000000 /dev/urandom', 2e7],
  ])('uses little memory for %s', { timeout: 60_000 }, async (_what, line, totalBytes) => {
    const before = process.memoryUsage().rss;
    let highest = before;
    const result = await runLine(line, {
      timeoutMs: 50_000,
      onOutput: () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    expect(result).toMatchObject({ exitCode: 0, output: { totalBytes, truncated: true } });
    expect(Buffer.byteLength(result.output.text)).toBeLessThan(51_200 + 200);
    expect(highest - before).toBeLessThan(64 * 2 ** 20);
  });

  test('continues when the listener throws', async () => {
    let calls = 0;
    const onOutput = (): void => {
      calls += 1;
      throw new Error('listener');
    };
    expect(await runLine('echo a; sleep 0.05; echo b', { onOutput })).toMatchObject({
      exitCode: 0,
      output: { text: 'a\nb\n' },
    });
    expect(calls).toBe(1);
  });
});

describe('runProcess with environments', () => {
  test('passes on no secrets and no variables that change how programs load', async () => {
    const hostile = {
      MY_API_KEY: 's3cret',
      AWS_SECRET_ACCESS_KEY: 's3cret',
      NODE_OPTIONS: '--s3cret',
      LD_PRELOAD: '/s3cret',
      BASH_ENV: 's3cret',
      GIT_DIR: 's3cret',
    };
    Object.assign(process.env, hostile);
    onTestFinished(() => Object.keys(hostile).forEach((name) => delete process.env[name]));
    const result = await runLine('env; cat /proc/self/environ /proc/$$/environ');
    expect(result.output.text).not.toContain('s3cret');
    expect(result.output.text).toContain('PATH=');
  });

  test('passes only env and the marker', async () => {
    const result = await runProcess({
      command: '/usr/bin/env',
      args: ['-0'],
      cwd: '/',
      env: { ONLY: 'this' },
      streams: 'separate',
    });
    expect(
      result.output.text
        .split('␀')
        .filter((line) => line !== '')
        .map((line) => line.split('=')[0])
        .sort(),
    ).toEqual(['HAFT_PROCESS_TREE', 'ONLY']);
  });
});

describe('runProcess with deadlines and aborts', () => {
  test('ends a command at its deadline and returns the output so far', async () => {
    const result = await runLine('echo before; sleep 60; echo after', { timeoutMs: 2_000 });
    expect(result).toMatchObject({
      timedOut: true,
      aborted: false,
      exitCode: null,
      signal: 'SIGTERM',
      output: { text: 'before\n' },
    });
  });

  test('lets a command clean up after SIGTERM and captures its output', async () => {
    const line = "trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.02; done";
    const result = await runLine(line, { ...abortWhenSeen('ready'), killGraceMs: 10_000 });
    expect(result).toMatchObject({ aborted: true, timedOut: false, exitCode: 7 });
    expect(result.output.text).toMatch(/^ready\n[^]*tidy\n$/);
  });

  test('kills a command that ignores SIGTERM', async () => {
    const result = await runLine("trap '' TERM; echo ready; while :; do sleep 1; done", {
      ...abortWhenSeen('ready'),
      killGraceMs: 100,
    });
    expect(result).toMatchObject({ aborted: true, exitCode: null, signal: 'SIGKILL', survivors: [] });
    expect(result.durationMs).toBeLessThan(5_000);
  });

  test('does not start if already aborted', async () => {
    const { root } = makeRoot();
    const result = await runLine('touch made', { cwd: root, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ aborted: true, timedOut: false, pid: null, exitCode: null });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  test('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 5 }, () => runLine('true', { signal })));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('accepts an infinite deadline', async () => {
    expect(await runLine('true', { timeoutMs: Infinity })).toMatchObject({ exitCode: 0, timedOut: false });
  });
});
