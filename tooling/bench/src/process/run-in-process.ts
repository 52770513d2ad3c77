import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cost } from '@haft-tooling/measure';

/** What one command line took. */
export interface CommandCost extends Cost {
  readonly shownBytes: number;
  /** What it left on disk. */
  readonly diskBytes: number;
}

const program = fileURLToPath(new URL('runner-process.ts', import.meta.url));

/** Runs one command line with one contender in a process and a temporary folder of their own. */
export async function runInProcess(name: string, line: string, timeoutMs: number): Promise<CommandCost> {
  const folder = await mkdtemp(join(tmpdir(), 'haft-bench-process-'));
  let diskBytes = 0;
  // What is written goes with the process, so it is looked at meanwhile.
  const look = setInterval(() => {
    diskBytes = Math.max(diskBytes, sizeOf(folder));
  }, 100);
  try {
    const said = await new Promise<string>((resolve, reject) => {
      const args = ['--conditions=@haft/source', program, name, line, folder, String(timeoutMs)];
      const { NODE_OPTIONS: _options, ...environment } = process.env;
      const env = { ...environment, NODE_ENV: 'production', TMPDIR: folder };
      execFile(process.execPath, args, { env, timeout: 240_000 }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${name}: ${stderr.slice(-2_000) || error.message}`));
        else resolve(stdout);
      });
    });
    diskBytes = Math.max(diskBytes, sizeOf(folder));
    return { ...(JSON.parse(said) as Omit<CommandCost, 'diskBytes'>), diskBytes };
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
