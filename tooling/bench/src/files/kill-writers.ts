import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '@haft-tooling/corpora/random';
import { makeFolder, startModule } from '@haft-tooling/measure';

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
  using folder = makeFolder();
  const path = join(folder.path, 'file.txt');
  const random = createRandom(`kill/${name}`);
  let torn = 0;
  for (let round = 0; round < kills; round += 1) {
    writeFileSync(path, `${'c'.repeat(63)}\n`);
    const writer = startModule(new URL('write-process.ts', import.meta.url), [name, path, String(size)]);
    await writer.line(/writing/);
    await wait(random.whole(0, 40));
    await writer.end('SIGKILL');
    if (!isWhole(readFileSync(path, 'utf8'))) torn += 1;
  }
  return { kills, torn };
}

function isWhole(text: string): boolean {
  const line = text.slice(0, 1).repeat(63);
  return ['a', 'b'].includes(text[0] ?? '') && text === `${line}\n`.repeat(Math.round(size / 64));
}
