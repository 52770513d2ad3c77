import { getEventListeners } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCleanEnvironment } from './clean-environment.ts';
import { makeRoot } from './fixtures/temporary-directory.ts';
import { runProcess, type ProcessResult, type RunProcessOptions } from './run-process.ts';

const isLinux = process.platform === 'linux';
const rounds = process.env['HAFT_TEST_LONG'] === '1' ? 100 : 3;

type Extra = Partial<Omit<RunProcessOptions, 'command'>>;

/** Runs a line of shell in a fresh directory. */
function runLine(line: string, options: Extra = {}): Promise<ProcessResult> {
  return runProcess({
    command: line,
    shell: true,
    cwd: options.cwd ?? makeRoot().root,
    killGraceMs: 300,
    timeoutMs: 15_000,
    ...options,
  });
}

/** Aborts as soon as the command has written `sign` so many times, and gives the signal to run it with. */
function abortWhenSeen(sign: string, times = 1): Required<Pick<RunProcessOptions, 'signal' | 'onOutput'>> {
  const controller = new AbortController();
  let seen = '';
  return {
    signal: controller.signal,
    onOutput: (text) => {
      seen += text;
      if (seen.split(sign).length > times) controller.abort();
    },
  };
}

/** A zombie that nobody has collected is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isLinux || !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Ids of the processes that run with an argument. */
function findByArgument(argument: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'latin1').split('\0').includes(argument) && isAlive(id);
      } catch {
        return false;
      }
    });
}

function pidsIn(text: string): number[] {
  return [...text.matchAll(/pid=(\d+)/g)].map((match) => Number(match[1]));
}

describe('runProcess, on how commands end', () => {
  test.each([
    ['true', { exitCode: 0, signal: null }],
    ['exit 3', { exitCode: 3, signal: null }],
    ['exit 255', { exitCode: 255, signal: null }],
    ['exit 137', { exitCode: 137, signal: null }],
    ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -15 $$', { exitCode: null, signal: 'SIGTERM' }],
  ])('tells the end of %j exactly', async (line, ending) => {
    const result = await runLine(line);
    expect(result).toMatchObject({ ...ending, timedOut: false, aborted: false, failure: null, survivors: [] });
    expect(result.pid).toBeGreaterThan(0);
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test('passes arguments as they are, without a shell', async () => {
    const args = ['%s|', 'a b', '$HOME', '*', "it's", '"', '', '\\n', '-n', 'é', '; exit 1'];
    const result = await runProcess({ command: 'printf', args, cwd: '/' });
    expect(result.output.text).toBe(`${args.slice(1).join('|')}|`);
  });

  test('gives a shell its arguments as $1, $2, …', async () => {
    expect((await runLine('echo "$2-$1"', { args: ['a b', 'c'] })).output.text).toBe('c-a b\n');
  });

  test('runs another shell by name', async () => {
    expect((await runLine('echo $((1 + 1)) "$0"', { shell: 'sh' })).output.text).toBe('2 sh\n');
  });

  test.each([
    ['a program that is not there', { command: 'no-such-program-here' }, 'COMMAND_NOT_FOUND'],
    ['a path that is not there', { command: './gone' }, 'COMMAND_NOT_FOUND'],
    ['a file that is not a program', { command: './plain' }, 'COMMAND_NOT_FOUND'],
    ['a directory', { command: './d' }, 'COMMAND_NOT_FOUND'],
    ['no program', { command: '' }, 'COMMAND_NOT_FOUND'],
    ['a shell that is not there', { command: 'true', shell: 'no-such-shell' }, 'COMMAND_NOT_FOUND'],
    ['a NUL in an argument', { command: 'echo', args: ['a\0b'] }, 'SPAWN_FAILED'],
    ['an argument too long', { command: 'echo', args: ['x'.repeat(4_000_000)] }, 'SPAWN_FAILED'],
    ['a working directory that is not there', { command: 'true', cwd: '/no/such/directory' }, 'NOT_FOUND'],
    ['a working directory that is a file', { command: 'true', cwd: '/etc/passwd' }, 'NOT_DIRECTORY'],
    ['a relative working directory', { command: 'true', cwd: 'src' }, 'INVALID_PATH'],
  ])('answers %s as data', async (_what, options, code) => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'plain'), 'text');
    mkdirSync(join(root, 'd'));
    const result = await runProcess({ cwd: root, ...options });
    expect(result).toMatchObject({ exitCode: null, signal: null, pid: null, failure: { ok: false, code } });
    expect(result.failure?.hint).not.toContain(root);
  });

  test('does not take a file of the working directory for a command', async () => {
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

describe('runProcess, on input and output', () => {
  test('keeps standard output and standard error in the order written', async () => {
    const line = 'i=0; while [ $i -lt 50 ]; do echo "out $i"; echo "err $i" >&2; i=$((i+1)); done';
    const expected = Array.from({ length: 50 }, (_, index) => `out ${index}\nerr ${index}\n`).join('');
    const result = await runLine(line);
    expect(result.output.text).toBe(expected);
    expect(result.errorOutput).toBe(null);
  });

  test('keeps them apart on request', async () => {
    const heard: [string, string][] = [];
    const result = await runLine('echo out; echo err >&2', {
      streams: 'separate',
      onOutput: (text, stream) => heard.push([stream, text]),
    });
    expect(result.output.text).toBe('out\n');
    expect(result.errorOutput?.text).toBe('err\n');
    expect(heard.sort(([left], [right]) => left.localeCompare(right))).toEqual([
      ['error', 'err\n'],
      ['output', 'out\n'],
    ]);
  });

  test('lets nobody wait for input', async () => {
    expect(await runLine('cat; read answer; echo "end $?"')).toMatchObject({
      exitCode: 0,
      output: { text: 'end 1\n' },
    });
  });

  test('sends input, and does not mind when it is not read', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    expect((await runLine('wc -c', { stdin: megabyte })).output.text.trim()).toBe('1000000');
    expect((await runLine('cat', { stdin: Buffer.from([0xe2, 0x82, 0xac]) })).output.text).toBe('€');
    expect((await runLine('true', { stdin: megabyte })).exitCode).toBe(0);
  });

  test.runIf(isLinux)('gives no terminal to take over', async () => {
    expect(await runLine('tty; : > /dev/tty')).toMatchObject({
      output: { text: expect.stringContaining('not a tty') },
    });
    expect((await runLine(': > /dev/tty')).exitCode).not.toBe(0);
  });

  test('makes plain text of colours, progress, broken bytes and NULs', async () => {
    const result = await runLine(String.raw`printf '10%%\r50%%\r100%%\n\033[1;31mred\033[0m \342\202\254 \377\000.\n'`);
    expect(result.output).toMatchObject({ text: '100%\nred € \uFFFD␀.\n', isBinary: true, truncated: false });
  });

  test('keeps both ends of one line of a megabyte', async () => {
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
  ])('holds little of a flood of %s', { timeout: 60_000 }, async (_what, line, totalBytes) => {
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

  test('goes on when the listener throws', async () => {
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

describe('runProcess, on the environment', () => {
  test('hands on no secrets and nothing that changes how programs load', async () => {
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

  test('gives what env says, and the mark', async () => {
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

describe('runProcess, on deadlines and aborts', () => {
  test('ends a command at its deadline and gives the output up to then', async () => {
    const result = await runLine('echo before; sleep 60; echo after', { timeoutMs: 300 });
    expect(result).toMatchObject({
      timedOut: true,
      aborted: false,
      exitCode: null,
      signal: 'SIGTERM',
      output: { text: 'before\n' },
    });
  });

  test('lets a command tidy up after SIGTERM, and keeps what it says then', async () => {
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

  test('never starts when aborted beforehand', async () => {
    const { root } = makeRoot();
    const result = await runLine('touch made', { cwd: root, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ aborted: true, timedOut: false, pid: null, exitCode: null });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  test('leaves no listener on the signal it was given', async () => {
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 5 }, () => runLine('true', { signal })));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('takes an endless deadline', async () => {
    expect(await runLine('true', { timeoutMs: Infinity })).toMatchObject({ exitCode: 0, timedOut: false });
  });
});

describe.runIf(isLinux)('runProcess, on what commands leave behind', () => {
  const sleeper = "sh -c 'echo pid=$$; exec sleep 60'";

  test.each([
    ['children', `${sleeper} & ${sleeper} & wait`, 2],
    ['a session of their own', `setsid ${sleeper} & wait`, 1],
    ['a double fork', `(setsid ${sleeper} &) ; (${sleeper} &); sleep 60`, 2],
    ['nohup', `nohup ${sleeper} & wait`, 1],
    [
      'ignored SIGTERM, in a session of its own',
      `setsid sh -c 'trap "" TERM; echo pid=$$; while :; do sleep 1; done' & wait`,
      1,
    ],
    ['a cleared environment', `setsid env -i ${sleeper} & wait`, 1],
    ['a process that is stopped', `sh -c 'echo pid=$$; kill -STOP $$' & wait`, 1],
  ])('leaves no survivor of %s', { timeout: rounds * 2_000 + 10_000 }, async (_what, line, count) => {
    for (let round = 0; round < rounds; round += 1) {
      const result = await runLine(line, { ...abortWhenSeen('pid=', count), killGraceMs: 100 });
      const pids = pidsIn(result.output.text);
      expect(pids).toHaveLength(count);
      expect(result).toMatchObject({ aborted: true, survivors: [] });
      expect(pids.filter(isAlive)).toEqual([]);
    }
  });

  test.each([
    ['a child in a session of its own', `trap 'setsid SLEEP & exit' TERM`],
    ['one that ignores SIGTERM', `trap 'setsid sh -c "trap \\"\\" TERM; SLEEP; :" & exit' TERM`],
    ['one with a cleared environment', `trap 'env -i /usr/bin/setsid /bin/SLEEP & exit' TERM`],
    [
      'a double fork with a cleared environment',
      `trap '(setsid -f env -i /bin/sh -c "/usr/bin/setsid -f /bin/SLEEP")' TERM`,
    ],
    ['one at the very end', `trap 'setsid SLEEP &' TERM EXIT`],
    ['one of a daemon', `setsid sh -c 'trap "setsid -f SLEEP" TERM; while :; do sleep 0.01; done' &`],
  ])('leaves no survivor of what begins at SIGTERM: %s', { timeout: rounds * 2_000 + 10_000 }, async (_what, line) => {
    for (let round = 0; round < rounds; round += 1) {
      const sign = `60.${process.pid}${round}`;
      const result = await runLine(
        `${line.replaceAll('SLEEP', `sleep ${sign}`)}\necho ready; while :; do sleep 0.01; done`,
        { ...abortWhenSeen('ready'), killGraceMs: 100 },
      );
      expect(result).toMatchObject({ aborted: true, survivors: [] });
      expect(findByArgument(sign)).toEqual([]);
    }
  });

  test('ends forks that go on while they are being ended', async () => {
    const result = await runLine('setsid sh -c "$1"', {
      args: [
        'trap "" TERM; i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); [ $i = 20 ] && echo pid=$$; done; wait',
      ],
      ...abortWhenSeen('pid='),
      killGraceMs: 20,
    });
    expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(pidsIn(result.output.text).filter(isAlive)).toEqual([]);
  });

  test('returns when the command exits, though a child holds the pipes, and ends that child', async () => {
    const result = await runLine(`${sleeper} & sleep 0.1; echo done`);
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, survivors: [] });
    expect(result.durationMs).toBeLessThan(5_000);
    expect(pidsIn(result.output.text).filter(isAlive)).toEqual([]);
  });

  test('ends a daemon that has let go of everything', async () => {
    const { root } = makeRoot();
    const result = await runLine(`setsid ${sleeper} </dev/null >out 2>&1 & while ! [ -s out ]; do sleep 0.01; done`, {
      cwd: root,
    });
    const pids = pidsIn(readFileSync(join(root, 'out'), 'utf8'));
    expect(pids).toHaveLength(1);
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('keeps background processes on request, and names them', async () => {
    const result = await runLine(`${sleeper} & sleep 0.1; echo done`, { background: 'keep' });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    expect(result.survivors).toEqual(pids);
    expect(pids.filter(isAlive)).toEqual(pids);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  });

  test('reaches the processes of a run inside a run', { timeout: 20_000 }, async () => {
    const script = `
      const { runProcess } = await import(${JSON.stringify(new URL('./run-process.ts', import.meta.url).href)});
      process.on('SIGTERM', () => {});
      await runProcess({ command: ${JSON.stringify(sleeper)}, shell: true, cwd: '/', onOutput: (text) => process.stdout.write(text) });
    `;
    const args = ['--input-type=module', '--conditions=@haft/source', '-e', script];
    const result = await runProcess({
      command: process.execPath,
      args,
      cwd: '/',
      killGraceMs: 100,
      ...abortWhenSeen('pid='),
    });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('kills what is running when this process exits', async () => {
    const script = `
      const { runProcess } = await import(${JSON.stringify(new URL('./run-process.ts', import.meta.url).href)});
      const onOutput = (text) => process.stdout.write(text, () => process.exit(0));
      await runProcess({ command: ${JSON.stringify(`setsid ${sleeper} & wait`)}, shell: true, cwd: '/', onOutput });
    `;
    const args = ['--input-type=module', '--conditions=@haft/source', '-e', script];
    const result = await runProcess({ command: process.execPath, args, cwd: '/', background: 'keep' });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]));
  });

  test('touches no process but its own', async () => {
    const other = runLine(`echo pid=$$; sleep 0.6; echo unharmed`);
    await runLine(`setsid ${sleeper} & wait`, { ...abortWhenSeen('pid='), killGraceMs: 100 });
    expect((await other).output.text).toContain('unharmed');
  });
});
