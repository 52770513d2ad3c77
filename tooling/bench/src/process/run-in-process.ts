import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost } from '@haft-tooling/measure';
import { runModule } from '@haft-tooling/measure';

/** The cost of one command line. */
export interface CommandCost extends Cost {
  readonly shownBytes: number;
  /** Bytes that it left on disk. */
  readonly diskBytes: number;
}

const module = new URL('runner-process.ts', import.meta.url);

/** Runs one command line with one contender, in a separate process and temporary folder. */
export async function runInProcess(name: string, line: string, timeoutMs: number): Promise<CommandCost> {
  const folder = await mkdtemp(join(tmpdir(), 'haft-bench-process-'));
  let diskBytes = 0;
  // Files are removed when the process ends, so their size is sampled while it runs.
  const look = setInterval(() => {
    diskBytes = Math.max(diskBytes, sizeOf(folder));
  }, 100);
  try {
    const cost = await runModule<Omit<CommandCost, 'diskBytes'>>(module, [name, line, folder, String(timeoutMs)], {
      environment: { TMPDIR: folder },
      timeoutMs: 240_000,
    });
    diskBytes = Math.max(diskBytes, sizeOf(folder));
    return { ...cost, diskBytes };
  } finally {
    clearInterval(look);
    await rm(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}
