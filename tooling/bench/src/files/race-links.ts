import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '@haft-tooling/measure';
import type { Toolset } from '@haft-tooling/peers/files/file-tools';

/** Accesses to the outside while a folder was being replaced by a link. */
export interface RaceOutcome {
  readonly reads: number;
  /** Reads that returned a file outside the root. */
  readonly outsideReads: number;
  /** Files that were created outside the root. */
  readonly outsideWrites: number;
  readonly swaps: number;
}

/** Reads and writes through a folder while another process keeps replacing it with a link to the outside. */
export async function raceLinks(toolset: Toolset, milliseconds: number): Promise<RaceOutcome> {
  using base = makeFolder();
  const [root, outside] = [join(base.path, 'root'), join(base.path, 'outside')];
  for (const folder of [root, outside, join(root, 'd')]) mkdirSync(folder);
  writeFileSync(join(root, 'd/file'), 'fine');
  writeFileSync(join(outside, 'file'), 'secret');
  const state = new Int32Array(new SharedArrayBuffer(8));
  const attacker = new Worker(new URL('swap-attacker.ts', import.meta.url), { workerData: { root, outside, state } });
  const ended = once(attacker, 'exit');
  await once(attacker, 'online');
  let reads = 0;
  let outsideReads = 0;
  let outsideWrites = 0;
  try {
    const tools = await toolset.open(root);
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      reads += 1;
      const text = await tools.read('d/file').catch(() => '');
      if (text.includes('secret')) outsideReads += 1;
      await tools.write(`d/new${reads}`, 'x').catch(() => undefined);
      if (existsSync(join(outside, `new${reads}`))) outsideWrites += 1;
    }
    // Includes files that were written after the last check.
    outsideWrites = Math.max(outsideWrites, readdirSync(outside).filter((name) => name !== 'file').length);
  } finally {
    Atomics.store(state, 0, 1);
    await ended;
  }
  return { reads, outsideReads, outsideWrites, swaps: Atomics.load(state, 1) };
}
