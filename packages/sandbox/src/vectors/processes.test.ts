import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { abortWhenSeen, findByArgument, isAlive, isLinux, pidsIn } from '../fixtures/run-line.ts';
import { findControlGroups } from '../jail/limits/control-groups.ts';
import { openSpill } from '../output/spill.ts';
import { createVectorWorkspace, openJail, environments, runIn, runJailed, skip } from '../fixtures/vector-workspace.ts';

const groups = await findControlGroups();
const mebibyte = 1_048_576;
const flood = process.env['HAFT_TEST_LONG'] === '1' ? 1e9 : 5e7;

describe.runIf(isLinux).each(environments)('process vectors %s', (_name, isJailed) => {
  const run = (line: string, options: Parameters<typeof runIn>[3] = {}): ReturnType<typeof runIn> =>
    runIn(isJailed, createVectorWorkspace().root, line, options);

  it('vector 45: a child that outlives the command and holds its pipes is ended', async () => {
    const result = await run('sleep 60 & echo done');
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, survivors: [], output: { text: 'done\n' } });
    expect(result.durationMs).toBeLessThan(30_000);
  });

  it.each([
    ['setsid', 'setsid SLEEP &'],
    ['a double fork', '(setsid SLEEP &) ; (SLEEP &)'],
    ['nohup', 'nohup SLEEP >/dev/null 2>&1 &'],
    ['a cleared environment', 'setsid env -i /bin/SLEEP &'],
  ])('vector 46: %s leaves no process behind', async (_what, line) => {
    const sign = `61.${process.pid}${Math.trunc(performance.now() * 1_000)}`;
    const result = await run(`${line.replaceAll('SLEEP', `sleep ${sign}`)}\necho ready; sleep 60`, {
      ...abortWhenSeen('ready'),
    });
    expect(result).toMatchObject({ aborted: true, survivors: [] });
    expect(findByArgument(sign)).toEqual([]);
  });

  it('vector 47: a process that ignores SIGTERM is killed', async () => {
    const line = "trap '' TERM; echo ready; while :; do sleep 0.1; done";
    const result = await run(line, { ...abortWhenSeen('ready'), killGraceMs: 200 });
    expect(result).toMatchObject({ aborted: true, signal: 'SIGKILL', survivors: [] });
  });

  it.each([
    [51, 'lines', `yes | head -c ${flood}`],
    [52, 'no line breaks', `head -c ${flood} /dev/zero | tr '\\0' x`],
  ])('vector %i: endless output with %s takes little memory', { timeout: 120_000 }, async (_number, _what, line) => {
    const before = process.memoryUsage().rss;
    let highest = before;
    const onOutput = (): void => {
      highest = Math.max(highest, process.memoryUsage.rss());
    };
    const result = await run(line, { onOutput, timeoutMs: 100_000 });
    expect(result).toMatchObject({ exitCode: 0, output: { totalBytes: flood, truncated: true } });
    expect(result.output.text.length).toBeLessThan(52_000);
    expect(highest - before).toBeLessThan(64 * mebibyte);
  });

  it('vector 53: bytes that are not text are replaced and reported', async () => {
    const result = await run(String.raw`printf 'a\000b\377\033[31mred\033[0m\303'; sleep 0.05; printf '\251\n'`);
    expect(result.output).toMatchObject({ text: 'a␀b\uFFFDredé\n', isBinary: true });
  });

  it('vector 54: a process that waits for input sees its end', async () => {
    const result = await run('cat; read answer; echo "got ${answer:-nothing}"; echo $GIT_TERMINAL_PROMPT');
    expect(result).toMatchObject({ exitCode: 0, output: { text: 'got nothing\n0\n' } });
  });

  it('vector 55: a process cannot take over a terminal', async () => {
    expect((await run(': < /dev/tty')).exitCode).not.toBe(0);
  });

  it('vector 56: secrets of this process are not passed on', async () => {
    const hostile = { HAFT_VECTOR_API_KEY: 's3cret-key', HAFT_VECTOR_TOKEN: 's3cret-token' };
    Object.assign(process.env, hostile);
    onTestFinished(() => Object.keys(hostile).forEach((name) => delete process.env[name]));
    const output = (await run('env; cat /proc/self/environ; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"')).output
      .text;
    if (isJailed) expect(output).not.toContain('s3cret');
    // Without a jail, a command can see other processes of the same user, but it receives no secrets itself.
    else expect((await run('env; cat /proc/self/environ')).output.text).not.toContain('s3cret');
  });

  it('vector 57: variables that change how programs load are not passed on', async () => {
    const hostile = {
      LD_PRELOAD: '/x.so',
      NODE_OPTIONS: '--require=/x',
      BASH_ENV: '/x',
      GIT_DIR: '/x',
      PATH: `.:${process.env['PATH']}`,
    };
    const saved = process.env['PATH'];
    Object.assign(process.env, hostile);
    onTestFinished(() => {
      for (const name of Object.keys(hostile)) delete process.env[name];
      process.env['PATH'] = saved;
    });
    const output = (await run('printf "%s\\n" "$LD_PRELOAD$NODE_OPTIONS$BASH_ENV$GIT_DIR" "$PATH"')).output.text;
    expect(output).toMatch(/^\n[^.]/);
    expect(output.split('\n')[1]!.split(':')).not.toContain('.');
  });

  it('vector 58: the exit code or signal is reported exactly', async () => {
    expect(await run('exit 255')).toMatchObject({ exitCode: 255, signal: null });
    expect(await run('exit 137')).toMatchObject({ exitCode: 137, signal: null });
    expect(await run('kill -KILL $$')).toMatchObject(
      isJailed ? { exitCode: 137 } : { exitCode: null, signal: 'SIGKILL' },
    );
  });
});

describe.runIf(isLinux)('commands that use all resources', () => {
  const reason = 'it is tested only in a jail with tested limits, and there is no jail';

  it('vector 48: a fork bomb is limited', { timeout: 60_000 }, async () => {
    if (environments.length === 1) return skip(48, reason);
    const { root } = createVectorWorkspace();
    const jail = { limits: { processes: 40 } };
    // Set the limit first, so that further processes fail to start.
    const proof = await runJailed(root, 'for i in $(seq 60); do sleep 3 & done; echo end', { timeoutMs: 10_000 }, jail);
    if (!/fork/i.test(proof.output.text)) {
      const { gaps } = await openJail(root, jail);
      expect(gaps).toContainEqual(expect.stringContaining('processes is not limited'));
      return skip(48, gaps.join('; '));
    }
    const bomb = 'bomb() { bomb | bomb & }; bomb; sleep 0.5; echo over';
    const result = await runJailed(root, bomb, { timeoutMs: 1_500, killGraceMs: 100 }, jail);
    expect(result.survivors).toEqual([]);
    if (groups) expect(result.limitReached).toBe('processes');
    expect((await runIn(false, root, 'echo alive')).output.text).toBe('alive\n');
  });

  it('vector 49: a program that allocates memory endlessly is limited', { timeout: 60_000 }, async () => {
    if (environments.length === 1) return skip(49, reason);
    const { root } = createVectorWorkspace();
    const jail = { limits: { memoryBytes: 300 * mebibyte } };
    const take = (bytes: number): string =>
      `'${process.execPath}' -e 'const held = []; for (let at = 0; at < ${bytes / mebibyte}; at += 4) held.push(Buffer.alloc(4 * ${mebibyte}, 1)); console.log("held")'`;
    // Twice the limit, which most machines can spare.
    const proof = await runJailed(root, take(600 * mebibyte), {}, jail);
    expect(proof.output.text).not.toContain('held');
    const result = await runJailed(root, take(8_192 * mebibyte), { timeoutMs: 10_000 }, jail);
    expect(result.output.text).not.toContain('held');
    expect(result.exitCode).not.toBe(0);
    if (groups) expect(result.limitReached).toBe('memory');
    else skip(49, `reported as out of memory only by its own output: ${(await openJail(root, jail)).gaps.join('; ')}`);
  });

  it('vector 50: a program that writes endlessly is limited', { timeout: 60_000 }, async () => {
    if (environments.length === 1) return skip(50, reason);
    const { root } = createVectorWorkspace();
    const jail = { limits: { fileBytes: 4 * mebibyte, temporaryBytes: 4 * mebibyte } };
    const proof = await runJailed(root, `head -c ${5 * mebibyte} /dev/zero > proof`, {}, jail);
    expect(proof.exitCode).not.toBe(0);
    expect(statSync(join(root, 'proof')).size).toBe(4 * mebibyte);
    const result = await runJailed(
      root,
      'yes > all; yes > /tmp/all; yes > /dev/shm/all; echo over',
      { timeoutMs: 20_000 },
      jail,
    );
    expect(result.output.text).toMatch(/over\n$/);
    expect(statSync(join(root, 'all')).size).toBe(4 * mebibyte);
    const folder = join(root, 'spill');
    const spill = openSpill(folder, { maxBytes: mebibyte });
    if (!spill.ok) throw new Error(spill.message);
    for (let at = 0; at < 64; at += 1) spill.push('x'.repeat(mebibyte / 16));
    spill.close();
    expect([spill.isComplete, statSync(spill.path).size]).toEqual([false, mebibyte]);
  });
});

describe.runIf(isLinux)('control groups', () => {
  it('are removed after a limited command', async () => {
    const { root } = createVectorWorkspace();
    const result = await runIn(false, root, 'echo pid=$$', { limits: { processes: 50 } });
    const [pid = 0] = pidsIn(result.output.text);
    expect(isAlive(pid)).toBe(false);
    if (!groups) return;
    await expect.poll(() => existsGroup(result.pid!)).toBe(false);
  });
});

function existsGroup(pid: number): boolean {
  const line = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find((text) => text.includes(':pids:'));
  const folder = `/sys/fs/cgroup/pids${line?.split(':')[2] ?? ''}`;
  return existsSync(folder) && readdirSync(folder).includes(`haft-${pid}`);
}
