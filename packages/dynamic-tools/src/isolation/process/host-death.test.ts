import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { programArguments } from '../../fixtures/compiled-folder.ts';

const program = fileURLToPath(new URL('../../fixtures/mortal-host.ts', import.meta.url));

describe.skipIf(process.platform === 'win32')('a process that never stops computing', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('ends when %s ends its host', async (signal) => {
    const directory = await mkdtemp(join(tmpdir(), 'haft-host-'));
    const path = join(directory, 'fifo');
    execFileSync('mkfifo', [path]);
    const host = spawn(process.execPath, [...programArguments, program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let pid = 0;
    try {
      const fifo = createReadStream(path);
      // The process holds the FIFO open until it ends.
      const hasEnded = once(fifo, 'close');
      const [[said]] = (await Promise.all([once(fifo, 'data'), once(host.stdout, 'data')])) as [[Buffer], unknown];
      pid = Number(/^up (\d+)/.exec(String(said))?.[1]);
      expect(pid).toBeGreaterThan(0);
      host.kill(signal);
      await hasEnded;
      pid = 0;
    } finally {
      host.kill('SIGKILL');
      if (pid > 0) process.kill(pid, 'SIGKILL');
      await rm(directory, { recursive: true });
    }
  });
});
