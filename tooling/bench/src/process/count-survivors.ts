import { setTimeout as wait } from 'node:timers/promises';
import { findSleepers, makeFolder, startModule } from '@haft-tooling/measure';

const timeoutMs = 300;
/** Twice the time that every contender waits between SIGTERM and SIGKILL. */
const patienceMs = 10_000;

/** Counts processes of several command lines that are alive long after their time limits. */
export async function countSurvivors(name: string, runs: number): Promise<number> {
  using folder = makeFolder();
  // The processes are identified by this argument alone.
  const signs = Array.from({ length: runs }, (_, run) => `98.${process.pid}${run}`);
  const lines = signs.map((sign) =>
    [`setsid sleep ${sign} &`, `(setsid sleep ${sign} &)`, "trap '' TERM", `sleep ${sign}`, `sleep ${sign}`].join('\n'),
  );
  const program = new URL('survivors-process.ts', import.meta.url);
  await using runner = startModule(program, [name, folder.path, `${timeoutMs}`, ...lines]);
  await runner.line(/^started$/);
  await wait(timeoutMs + patienceMs);
  const survivors = findSleepers(new Set(signs));
  for (const id of survivors) process.kill(id, 'SIGKILL');
  return survivors.length;
}
