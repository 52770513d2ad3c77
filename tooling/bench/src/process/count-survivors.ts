import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findSleepers } from '@haft-tooling/measure';

const program = fileURLToPath(new URL('survivors-process.ts', import.meta.url));
const timeoutMs = 300;
/** Twice the time that every contender waits between SIGTERM and SIGKILL. */
const patienceMs = 10_000;

/** Counts processes of several command lines that are alive long after their time limits. */
export async function countSurvivors(name: string, runs: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'haft-bench-survivors-'));
  // The processes are identified by this argument alone.
  const signs = Array.from({ length: runs }, (_, run) => `98.${process.pid}${run}`);
  const lines = signs.map((sign) =>
    [`setsid sleep ${sign} &`, `(setsid sleep ${sign} &)`, "trap '' TERM", `sleep ${sign}`, `sleep ${sign}`].join('\n'),
  );
  const args = ['--conditions=@haft/source', program, name, folder, `${timeoutMs}`, ...lines];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended`))),
    ]);
    await wait(timeoutMs + patienceMs);
    const survivors = findSleepers(new Set(signs));
    for (const id of survivors) process.kill(id, 'SIGKILL');
    return survivors.length;
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}
