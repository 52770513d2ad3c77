import { openGuarded, type Guarded } from '@haft-tooling/measure';
import type { Lap, LapTime } from './speed-process.ts';

/** The best lap of a contender for one text. */
export interface RaceTime {
  /** In microseconds of processor time; infinite if the time limit passed. */
  readonly cpuMicroseconds: number;
  /** Million UTF-16 units per second; 0 if the time limit passed. */
  readonly speed: number;
  /** Whether the reader returned a value. */
  readonly read: boolean;
}

/** Length and number of the laps. */
export interface RaceOptions {
  readonly rounds: number;
  /** Duration of a contender's lap in milliseconds. A lap reads the text at least once. */
  readonly lapMs: number;
  /** Time limit of a lap in milliseconds. A contender that exceeds it leaves the race. */
  readonly limitMs: number;
}

/** One size of a text, with the times of all contenders. */
export interface Race {
  readonly size: number;
  readonly times: ReadonlyMap<string, RaceTime>;
}

interface Entry {
  readonly name: string;
  readonly process: Guarded;
}

/** Races contenders over texts of several sizes, each in a process of its own, in interleaved laps. */
export async function race(
  contenders: readonly string[],
  text: string,
  sizes: readonly number[],
  options: RaceOptions,
): Promise<readonly Race[]> {
  const module = new URL('speed-process.ts', import.meta.url);
  const entries: Entry[] = [];
  try {
    for (const name of contenders) {
      entries.push({ name, process: await openGuarded({ module, args: [name], questionMs: options.limitMs }) });
    }
    const races: Race[] = [];
    for (const size of sizes) races.push({ size, times: await runLaps(entries, text, size, options) });
    return races;
  } finally {
    for (const { process } of entries) process.close();
  }
}

async function runLaps(
  entries: readonly Entry[],
  text: string,
  size: number,
  { rounds, lapMs }: RaceOptions,
): Promise<Race['times']> {
  const best = new Map<string, RaceTime>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, process } of entries) {
      const known = best.get(name);
      if (known?.speed === 0) continue;
      // The first lap only warms up the engine.
      const lap: Lap = { id: `${text}/${size}/${round}`, text, size, ms: round === 0 ? lapMs * 6 : lapMs };
      const time = await process.ask<LapTime>(lap);
      if (time === undefined) best.set(name, { cpuMicroseconds: Infinity, speed: 0, read: false });
      else if (known === undefined || time.cpuMicroseconds < known.cpuMicroseconds)
        best.set(name, { ...time, speed: time.units / time.cpuMicroseconds });
    }
  }
  return best;
}
