import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startProgram } from '../fixtures/run-program.ts';
import { lockFile } from './lock-sqlite-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haft-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('lockFile', () => {
  it('refuses a second holder until the first releases the lock', async () => {
    const path = join(folder, 'new', 'lock');
    const lock = await lockFile(path);
    await expect(lockFile(path)).rejects.toMatchObject({ code: 'UNAVAILABLE', message: /locked by another program/ });
    lock.release();
    (await lockFile(path)).release();
  });

  it('is released when the process that holds it is killed', async () => {
    const path = join(folder, 'lock');
    const holder = startProgram('lock-program.ts', [path]);
    await holder.line('locked');
    await expect(lockFile(path)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    holder.child.kill('SIGKILL');
    await holder.ended;
    (await lockFile(path)).release();
  });
});
