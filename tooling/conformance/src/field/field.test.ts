import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countSurvivors, findMarked, markName } from './processes.ts';
import { fieldServers } from './servers.ts';
import { tryServer } from './try-server.ts';

// Processes are found in /proc.
describe.runIf(process.platform === 'linux')('the run of popular servers', () => {
  it('takes a server through its life cycle', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'haft-field-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const installed = fileURLToPath(new URL('../../../../packages/mcp', import.meta.url));
    const everything = fieldServers.find((one) => one.package === '@modelcontextprotocol/server-everything')!;
    expect(await tryServer(everything, installed, folder)).toMatchObject({
      call: 'ok',
      cancelled: 'ABORTED',
      afterKill: 'ok',
      left: { close: 0, interrupt: 0, kill: 0 },
      problem: '',
    });
  });

  it('finds remaining processes, and reports why a server does not start', { timeout: 60_000 }, async () => {
    const mark = `test-${process.pid}`;
    const child = spawn('sleep', ['60'], { env: { PATH: process.env['PATH'], [markName]: mark }, stdio: 'ignore' });
    await once(child, 'spawn');
    expect(findMarked(mark)).toEqual([child.pid]);
    expect(await countSurvivors(mark, 1)).toBe(1);
    child.kill();
    await once(child, 'exit');
    expect(await countSurvivors(mark)).toBe(0);
    const folder = await mkdtemp(join(tmpdir(), 'haft-field-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const installed = fileURLToPath(new URL('../../../../packages/mcp', import.meta.url));
    const broken = { package: '@modelcontextprotocol/server-everything', args: ['no-such-transport'] };
    expect((await tryServer(broken, installed, folder)).problem).not.toBe('');
  });
});
