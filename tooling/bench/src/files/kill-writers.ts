import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@haft-tooling/corpora/random';

/** The state of files after the processes that wrote them were killed. */
export interface KilledWrites {
  readonly kills: number;
  /** Files with neither the old nor the new content. */
  readonly torn: number;
}

const size = 2_000_000;

/**
 * Repeatedly starts a process that writes one file over and over, kills it (`SIGKILL`) at a random moment, and checks
 * the file.
 */
export async function killWriters(name: string, kills: number): Promise<KilledWrites> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-kill-'));
  const path = join(folder, 'file.txt');
  const random = createRandom(`kill/${name}`);
  let torn = 0;
  try {
    for (let round = 0; round < kills; round += 1) {
      writeFileSync(path, `${'c'.repeat(63)}\n`);
      const script = fileURLToPath(new URL('write-process.ts', import.meta.url));
      const child = spawn(process.execPath, ['--conditions=@haft/source', script, name, path, String(size)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await Promise.race([
        once(child.stdout, 'data'),
        once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended before it wrote`))),
      ]);
      await wait(random.whole(0, 40));
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      if (!isWhole(readFileSync(path, 'utf8'))) torn += 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills, torn };
}

function isWhole(text: string): boolean {
  const line = text.slice(0, 1).repeat(63);
  return ['a', 'b'].includes(text[0] ?? '') && text === `${line}\n`.repeat(Math.round(size / 64));
}
