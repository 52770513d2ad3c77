import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, runModule, type Cost } from '@haft-tooling/measure';

/** The cost of one command line. */
export interface CommandCost extends Cost {
  /** Bytes that it left on disk. */
  readonly diskBytes: number;
}

const module = new URL('runner-process.ts', import.meta.url);

/** Runs one command line with one contender, in a separate process and temporary folder. */
export async function runInProcess(name: string, line: string, timeoutMs: number): Promise<CommandCost> {
  using folder = makeFolder();
  let diskBytes = 0;
  const look = (): void => void (diskBytes = Math.max(diskBytes, sizeOf(folder.path)));
  // Files are removed when the process ends, so their size is sampled while it runs.
  const timer = setInterval(look, 100);
  try {
    const options = { environment: { TMPDIR: folder.path }, timeoutMs: 240_000 };
    const cost = await runModule<Cost>(module, [name, line, folder.path, `${timeoutMs}`], options);
    look();
    return { ...cost, diskBytes };
  } finally {
    clearInterval(timer);
  }
}

function sizeOf(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}
