import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { programArguments } from '../fixtures/program-arguments.ts';

const program = fileURLToPath(new URL('../fixtures/mortal-host.ts', import.meta.url));
/** The server and four descendants: a child, a session, a session with its own environment, and a double fork. */
const familySize = 5;

/** Resolves when the stream has delivered text that matches. */
function read(stream: Readable, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += String(chunk);
      if (pattern.test(text)) resolve(text);
    });
    stream.once('end', () => reject(new Error(`the stream ended after: ${text}`)));
  });
}

interface Family {
  readonly host: ChildProcess;
  readonly pid: number;
  readonly output: Readable;
}

async function withFamily(mode: string, body: (family: Family) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'haft-family-'));
  const path = join(directory, 'fifo');
  execFileSync('mkfifo', [path]);
  // Leads its own group, as a foreground job of a terminal does.
  const host = spawn(process.execPath, [...programArguments, program, mode, path], { detached: true });
  let pids: readonly number[] = [];
  try {
    const fifo = createReadStream(path);
    // Resolves when no process of the family is left: all of them hold the FIFO open.
    const hasEnded = once(fifo, 'close');
    const [ups] = await Promise.all([
      read(fifo, new RegExp(`(?:up \\d+\\s+){${familySize}}`)),
      read(host.stdout, /ready/),
    ]);
    pids = [...ups.matchAll(/\d+/g)].map(Number);
    expect(pids).toHaveLength(familySize);
    await body({ host, pid: host.pid!, output: host.stdout });
    await hasEnded;
    pids = [];
  } finally {
    for (const pid of [...pids, ...(host.exitCode === null && host.signalCode === null ? [host.pid!] : [])]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended.
      }
    }
    rmSync(directory, { recursive: true });
  }
}

describe.runIf(process.platform === 'linux')('the end of a program with a server', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by %s to its process group ends the server and its descendants, and the program ends by that signal',
    (signal) =>
      withFamily('plain', async ({ host, pid }) => {
        const exited = once(host, 'exit');
        process.kill(-pid, signal);
        expect(await exited).toEqual([null, signal]);
      }),
  );

  test.each(['throws', 'rejects'])('by an uncaught error ends the server and its descendants (%s)', (mode) =>
    withFamily(mode, async ({ host }) => {
      const exited = once(host, 'exit');
      host.stdin!.write('now');
      expect(await exited).toEqual([1, null]);
    }),
  );

  test('is not caused by a signal that the program handles', () =>
    withFamily('handles', async ({ host, pid, output }) => {
      const handled = read(output, /handled while ready/);
      process.kill(-pid, 'SIGINT');
      await handled;
      const exited = once(host, 'exit');
      process.kill(-pid, 'SIGKILL');
      expect(await exited).toEqual([null, 'SIGKILL']);
    }));
});
