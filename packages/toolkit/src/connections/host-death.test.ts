import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../fixtures/mortal-toolkit.ts', import.meta.url));

describe.runIf(process.platform === 'linux')('the end of a program that waits in toolkit.run()', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s to its process group ends its MCP servers and their descendants',
    { timeout: 60_000 },
    async (signal) => {
      const directory = mkdtempSync(join(tmpdir(), 'haft-mortal-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const path = join(directory, 'fifo');
      execFileSync('mkfifo', [path]);
      const fifo = createReadStream(path);
      // Resolves when the last process that holds the FIFO open has ended.
      const hasEnded = once(fifo, 'close');
      const isUp = once(fifo, 'data');
      const host = spawn(process.execPath, ['--conditions=@haft/source', program, path], {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void host.kill('SIGKILL'));
      const exited = once(host, 'exit');
      const [said] = (await once(host.stdout, 'data')) as [Buffer];
      expect(String(said)).toBe('ready\n');
      expect(String((await isUp)[0])).toMatch(/^up \d+/);
      process.kill(-host.pid!, signal);
      expect(await exited).toEqual([null, signal]);
      await hasEnded;
    },
  );
});
