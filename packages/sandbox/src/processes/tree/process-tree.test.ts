import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { abortWhenSeen, findByArgument, isAlive, isLinux, pidsIn, runLine } from '../../fixtures/run-line.ts';
import { makeRoot } from '../../fixtures/temporary-directory.ts';
import { runProcess } from '../run-process.ts';

const rounds = process.env['HAFT_TEST_LONG'] === '1' ? 100 : 3;

describe.runIf(isLinux)('runProcess with descendant processes', () => {
  const sleeper = "sh -c 'echo pid=$$; exec sleep 60'";

  test.each([
    ['children', `${sleeper} & ${sleeper} & wait`, 2],
    ['a session', `setsid ${sleeper} & wait`, 1],
    ['a double fork', `(setsid ${sleeper} &) ; (${sleeper} &); sleep 60`, 2],
    ['nohup', `nohup ${sleeper} & wait`, 1],
    [
      'ignored SIGTERM in a new session',
      `setsid sh -c 'trap "" TERM; echo pid=$$; while :; do sleep 1; done' & wait`,
      1,
    ],
    ['a cleared environment', `setsid env -i ${sleeper} & wait`, 1],
    ['a stopped process', `sh -c 'echo pid=$$; kill -STOP $$' & wait`, 1],
  ])('leaves no survivor of %s', { timeout: rounds * 2_000 + 60_000 }, async (_what, line, count) => {
    for (let round = 0; round < rounds; round += 1) {
      const result = await runLine(line, { ...abortWhenSeen('pid=', count), killGraceMs: 100 });
      const pids = pidsIn(result.output.text);
      expect(pids).toHaveLength(count);
      expect(result).toMatchObject({ aborted: true, survivors: [] });
      expect(pids.filter(isAlive)).toEqual([]);
    }
  });

  test.each([
    ['a child in a new session', `trap 'setsid SLEEP & exit' TERM`],
    ['a child that ignores SIGTERM', `trap 'setsid sh -c "trap \\"\\" TERM; SLEEP; :" & exit' TERM`],
    ['a child with a cleared environment', `trap 'env -i /usr/bin/setsid /bin/SLEEP & exit' TERM`],
    [
      'a double fork with a cleared environment',
      `trap '(setsid -f env -i /bin/sh -c "/usr/bin/setsid -f /bin/SLEEP")' TERM`,
    ],
    [
      'a double fork that closed inherited descriptors',
      `trap '(setsid -f /bin/sh -c "exec 3>&-; /usr/bin/setsid -f /bin/SLEEP")' TERM`,
    ],
    ['a child started on exit', `trap 'setsid SLEEP &' TERM EXIT`],
    ['a child of a daemon', `setsid sh -c 'trap "setsid -f SLEEP" TERM; while :; do sleep 0.01; done' &`],
  ])(
    'leaves no survivor of processes started on SIGTERM: %s',
    { timeout: rounds * 2_000 + 60_000 },
    async (_what, line) => {
      for (let round = 0; round < rounds; round += 1) {
        const sign = `60.${process.pid}${round}`;
        const result = await runLine(
          `${line.replaceAll('SLEEP', `sleep ${sign}`)}\necho ready; while :; do sleep 0.01; done`,
          { ...abortWhenSeen('ready'), killGraceMs: 100 },
        );
        expect(result).toMatchObject({ aborted: true, survivors: [] });
        expect(findByArgument(sign)).toEqual([]);
      }
    },
  );

  test('ends processes that keep forking meanwhile', async () => {
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

  test('returns when the command exits although a child holds the pipes, and ends that child', async () => {
    const result = await runLine(`${sleeper} & sleep 0.1; echo done`);
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, survivors: [] });
    expect(result.durationMs).toBeLessThan(30_000);
    expect(pidsIn(result.output.text).filter(isAlive)).toEqual([]);
  });

  test('ends a daemon that closed all inherited descriptors', async () => {
    const { root } = makeRoot();
    const result = await runLine(`setsid ${sleeper} </dev/null >out 2>&1 & while ! [ -s out ]; do sleep 0.01; done`, {
      cwd: root,
    });
    const pids = pidsIn(readFileSync(join(root, 'out'), 'utf8'));
    expect(pids).toHaveLength(1);
    expect(result).toMatchObject({ exitCode: 0, survivors: [] });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves background processes running on request and lists them', async () => {
    const { root } = makeRoot();
    const printing = `sh -c 'echo pid=$$; echo yes > printed; exec sleep 60'`;
    const result = await runLine(`${printing} & until [ -s printed ]; do sleep 0.01; done`, {
      cwd: root,
      background: 'keep',
    });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    expect(result.survivors).toEqual(pids);
    expect(pids.filter(isAlive)).toEqual(pids);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  });

  test('ends the processes of a nested run', async () => {
    const script = `
      const { runProcess } = await import(${JSON.stringify(new URL('../run-process.ts', import.meta.url).href)});
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

  test('kills running processes when this process exits', async () => {
    const script = `
      const { runProcess } = await import(${JSON.stringify(new URL('../run-process.ts', import.meta.url).href)});
      const onOutput = (text) => process.stdout.write(text, () => process.exit(0));
      await runProcess({ command: ${JSON.stringify(`setsid ${sleeper} & wait`)}, shell: true, cwd: '/', onOutput });
    `;
    const args = ['--input-type=module', '--conditions=@haft/source', '-e', script];
    const result = await runProcess({ command: process.execPath, args, cwd: '/', background: 'keep' });
    const pids = pidsIn(result.output.text);
    expect(pids).toHaveLength(1);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test('does not affect other processes', async () => {
    const other = runLine(`echo pid=$$; sleep 0.6; echo unharmed`);
    await runLine(`setsid ${sleeper} & wait`, { ...abortWhenSeen('pid='), killGraceMs: 100 });
    expect((await other).output.text).toContain('unharmed');
  });
});
