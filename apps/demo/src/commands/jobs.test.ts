import { existsSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { openJobs } from '@haft/jobs';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { runCli, type CliResult } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

// Copying an empty ledger takes a tenth of the time of creating one.
let emptyLedger: string;
beforeAll(async () => {
  let removeFolder: (() => Promise<void>) | undefined;
  emptyLedger = join(await createTemporaryFolder((remove) => (removeFolder = remove)), 'jobs');
  await (await openJobs({ url: `file:${emptyLedger}` })).close();
  return removeFolder;
}, 60_000);

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished, { 'a.txt': 'first\n' });
});

const haft = (...args: readonly string[]): Promise<CliResult> => runHere(args, { cwd: folder });

/** Submits calls to the ledger that the commands use without `--url`. */
async function submit(...calls: readonly (readonly [name: string, args: object])[]): Promise<readonly string[]> {
  const directory = join(folder, '.haft/jobs');
  if (!existsSync(directory)) await cp(emptyLedger, directory, { recursive: true });
  const jobs = await openJobs({ url: `file:${directory}` });
  try {
    const submitted = [];
    for (const [name, args] of calls) submitted.push(await jobs.submit({ id: 'call_1', name, arguments: args }));
    return submitted.map(({ id }) => id);
  } finally {
    await jobs.close();
  }
}

/** Runs a worker until the jobs of the ledger do not change any more. */
async function work(until: (stdout: string) => boolean, ...args: readonly string[]): Promise<CliResult> {
  let isAsked = false;
  return runHere(['worker', ...args], {
    cwd: folder,
    onOutput: (stdout, send) => {
      // A second signal would end the process.
      if (isAsked || !until(stdout)) return;
      isAsked = true;
      send('SIGTERM');
    },
  });
}

describe('haft jobs and haft worker', { timeout: 180_000 }, () => {
  test('a worker runs the jobs of the folder, and stops when it is asked to', async () => {
    const [id = ''] = await submit(['read', { path: 'a.txt' }]);
    expect((await haft('jobs', 'list')).stdout).toMatch(new RegExp(`${id}  read  queued`));
    const ended = await runCli(['worker'], {
      cwd: folder,
      onOutput: (stdout, child) => {
        if (stdout.includes('takes jobs')) child.kill('SIGTERM');
      },
    });
    expect(ended.code).toBe(143);
    const shown = await haft('jobs', 'show', id, '--json');
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      id,
      state: 'done',
      call: { name: 'read', arguments: { path: 'a.txt' } },
      result: { ok: true },
    });
    expect(await haft('jobs', 'show', 'x')).toMatchObject({ code: 1, stderr: 'haft: the job "x" does not exist\n' });
    expect((await haft('jobs', 'show', id)).stdout).toMatch(/arguments +{"path":"a.txt"}[^]*started[^]*first/);
  });

  test('a worker answers probes until it stops', async () => {
    const answers: Promise<readonly [number, unknown]>[] = [];
    const probe = async (url: string): Promise<readonly [number, unknown]> => {
      const response = await fetch(url);
      return [response.status, await response.json()];
    };
    let url: string | undefined;
    await runHere(['worker', '--health', '0'], {
      cwd: folder,
      onOutput: (stdout, send) => {
        url ??= /Probes are answered at (\S+)\/live/.exec(stdout)?.[1];
        if (url === undefined || answers.length > 0 || !stdout.includes('takes jobs')) return;
        answers.push(probe(`${url}/live`), probe(`${url}/ready`), probe(`${url}/other`));
        void Promise.allSettled(answers).then(() => send('SIGTERM'));
      },
    });
    const [live, ready, other] = await Promise.all(answers);
    expect(live).toMatchObject([200, { state: 'ready' }]);
    expect(ready).toMatchObject([200, { state: 'ready' }]);
    expect(other?.[0]).toBe(404);
    await expect(probe(`${url}/live`)).rejects.toThrow('fetch failed');
  });

  test('a call that needs approval waits in the ledger, and runs after haft jobs approve', async () => {
    const [id = ''] = await submit(['write', { path: 'new.txt', content: 'x' }]);
    const first = await work((stdout) => stdout.includes('takes jobs'));
    expect(first.stderr).not.toContain('no terminal');
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
    const asked = JSON.parse((await haft('jobs', 'approve', '--json')).stdout);
    expect(asked).toMatchObject([{ job: id, tool: 'write', arguments: { path: 'new.txt' } }]);
    expect((await haft('jobs', 'approve')).stdout).toContain(asked[0].id);
    const answered = await haft('jobs', 'approve', asked[0].id, '--by', 'ana');
    expect([answered.code, answered.stdout]).toEqual([0, 'Allowed.\n']);
    const again = await haft('jobs', 'approve', asked[0].id);
    expect([again.code, again.stdout, again.stderr.split('\n').length]).toEqual([1, '', 2]);
    await work((stdout) => stdout.includes('takes jobs'));
    expect(existsSync(join(folder, 'new.txt'))).toBe(true);
  });

  test('cancel ends a queued job, and settle refuses a job whose outcome is known', async () => {
    const [id = ''] = await submit(['read', { path: 'a.txt' }]);
    const cancelled = await haft('jobs', 'cancel', id, '--reason', 'not needed', '--json');
    expect(JSON.parse(cancelled.stdout)).toEqual({ id, state: 'cancelled' });
    expect((await haft('jobs', 'list')).stdout).toMatch(/cancelled .* not needed$/m);
    const settled = await haft('jobs', 'settle', id, '--as', 'done');
    expect([settled.code, settled.stdout]).toEqual([1, '']);
    expect(settled.stderr).toBe(`haft: settle: the job ${id} is cancelled (expected unknown)\n`);
    expect(JSON.parse((await haft('jobs', 'list', '--state', 'unknown', '--json')).stdout)).toEqual([]);
  });

  test.each([
    [['jobs', 'lst'], 2, 'haft: jobs lst: expected list, show, cancel, settle, approve'],
    [['jobs', 'show'], 2, 'haft: jobs show needs an ID, such as those of jobs list'],
    [['jobs', 'settle', 'x'], 2, 'haft: jobs settle needs --as done|failed|retry'],
    [['jobs', 'list', '--state', 'lost'], 2, 'haft: --state lost: expected one of queued, leased, started'],
    [['jobs', 'list', '--url', 'redis://x'], 2, 'haft: --url is not valid (expected memory:, file:DIRECTORY or'],
    [['jobs', 'list'], 2, 'haft: there is no job database in .haft/jobs; haft worker creates it, and --url'],
    [['jobs', 'show', 'x', '--url', 'file:other'], 2, 'haft: --url file:other: no such job database'],
    [['worker', '--max-parallel', '0'], 2, 'haft: --max-parallel 0: expected a number from 1 to 1000'],
    [['worker', '--health', 'everywhere'], 2, 'haft: --health everywhere: expected a port such as 8080'],
    [['jobs', 'list', '--url', 'postgres://127.0.0.1:1/x'], 1, 'haft: '],
  ])('%j is refused in one line', async (args, code, line) => {
    const refused = await haft(...args);
    expect([refused.code, refused.stdout, refused.stderr.split('\n').length]).toEqual([code, '', 2]);
    expect(refused.stderr.startsWith(line)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });
});
